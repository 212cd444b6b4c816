internal import ByteStreams
internal import Glibc
public import SystemPackage

/// What an operation reads.
public struct RunInput: Sendable {
    enum Place {
        case file(FilePath)
        case descriptor(FileDescriptor)
        case bytes(any ByteSource)
    }

    let place: Place

    /// A file by its name, from its start on. Of pipes and sockets, open them and give their descriptor.
    public static func file(_ path: FilePath) -> RunInput { RunInput(place: .file(path)) }

    /// What a descriptor of whatever kind has, from where it stands to the end. It is not closed, and of what it is
    /// nothing is changed; a file stands at its end afterwards.
    public static func descriptor(_ descriptor: FileDescriptor) -> RunInput {
        RunInput(place: .descriptor(descriptor))
    }

    /// Whether what it has is there, and nobody is waited for.
    var isFile: Bool { if case .file = place { true } else { false } }

    /// Calls a body with the source, which is closed again then. The descriptor of somebody who does not wait may be
    /// gone before: the source has one of its own.
    func withSource<Result>(_ body: (Source) throws(Failure) -> Result) throws(Failure) -> Result {
        if case .bytes(let bytes) = place { return try body(Source(bytes)) }
        let descriptor = FileDescriptor(rawValue: try open())
        defer { close(descriptor.rawValue) }
        var source = try Source(descriptor)
        if case .file(let path) = place, source.identity.kind == .fifo || source.identity.kind == .socket {
            throw .file(action: "open", path: path, .notSupported)
        }
        source.stream = try DescriptorSource(source)
        return try body(source)
    }

    private func open() throws(Failure) -> Int32 {
        switch place {
        case .file(let path):
            // A pipe without a writer would be waited for.
            let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
            return try Failure.check("open", path) { path.withPlatformString { Glibc.open($0, flags) } }
        case .descriptor(let descriptor):
            return try Failure.reading { () throws(Errno) in
                try systemCall { fcntl(descriptor.rawValue, F_DUPFD_CLOEXEC, 3) }
            }
        case .bytes: throw .reading(.badFileDescriptor)
        }
    }
}
