internal import Glibc
internal import SluiceEngine

/// The input of a run.
///
///     try await Compression().run(from: .file("a.tar"), to: .file("a.tar.zst"))
///     try await Compression().run(from: .descriptor(.standardInput), to: .file("input.zst"))
///
/// An empty input is not an error for a compression.
public struct RunInput: Sendable {
    enum Place {
        case file(FilePath)
        case remote(RemoteLocation)
        case descriptor(FileDescriptor)
        case bytes(any ByteSource)
        /// What can't be an input.
        case refused(Failure)
    }

    let place: Place

    /// A regular file, from its start. For pipes and sockets, pass a descriptor.
    public static func file(_ path: FilePath) -> RunInput { RunInput(place: .file(path)) }

    /// A regular file, by a path in a string, or a remote one, by a URL (`RemoteLocation`).
    public static func file(_ path: String) -> RunInput {
        if let location = RemoteLocation(path) { return RunInput(place: .remote(location)) }
        do throws(Failure) { return .file(try FilePath(whole: path)) } catch { return RunInput(place: .refused(error)) }
    }

    /// A descriptor of any kind, from its position to the end. It is not closed, and its flags do not change; the
    /// position in a file is at its end afterwards.
    public static func descriptor(_ descriptor: FileDescriptor) -> RunInput { RunInput(place: .descriptor(descriptor)) }

    /// Whether it is read without waiting for another process.
    var isFile: Bool { if case .file = place { true } else { false } }

    /// Calls a body with the source, on a new descriptor: a cancelled caller may have closed the other one.
    ///
    /// - Parameter latch: ends the wait for a server when it fails.
    func withSource<Result>(
        _ latch: FailureLatch, _ body: (Source) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let descriptor: FileDescriptor
        switch place {
        case .bytes(let bytes): return try body(Source(bytes))
        case .remote(let location):
            let client = try RemoteClient(options: RemoteOptions())
            let number = latch.onFailure { client.cancel() }
            defer { latch.forget(number) }
            switch try RemoteFile.find(location, client: client) {
            case .ranges(let file): return try body(Source(file))
            case .inOrder(let stream): return try body(Source(stream, size: stream.size))
            }
        case .refused(let failure): throw failure
        case .descriptor(let other):
            descriptor = try Failure.reading(other.duplicated())
        case .file(let path):
            // A pipe without a writer would block.
            descriptor = try Failure.file("open", path, FileDescriptor(opening: path, O_RDONLY | O_NOCTTY | O_NONBLOCK))
        }
        defer { close(descriptor.rawValue) }
        let source = try Source(descriptor)
        if case .file(let path) = place, source.identity.kind == .fifo || source.identity.kind == .socket {
            throw .file(action: "open", path: path, .notSupported)
        }
        return try body(source.read(by: try DescriptorSource(source)))
    }
}
