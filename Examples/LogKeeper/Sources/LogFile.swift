import Glibc
import Logging
import Sluice
import Synchronization

/// A log that is written to one file after another, each of which has a size: `000001.log` and so on.
final class LogFile: Sendable {
    private struct State {
        var descriptor: FileDescriptor
        var path: FilePath
        var count = 1
        var size = 0
    }

    /// The files that are full, and at the end the last one.
    let full: AsyncStream<FilePath>
    private let didFill: AsyncStream<FilePath>.Continuation
    private let folder: FilePath
    private let size: Int
    private let state: Mutex<State>

    /// - Parameter size: bytes of a file, or a line more.
    init(in folder: FilePath, size: Int) throws {
        (full, didFill) = AsyncStream.makeStream()
        (self.folder, self.size) = (folder, size)
        let path = Self.path(1, in: folder)
        state = Mutex(State(descriptor: try Self.create(path), path: path))
    }

    /// Adds a line.
    func write(_ line: String) {
        state.withLock { state in
            let bytes = Array(line.utf8)
            // Whoever writes a log can tell nobody that it could not be written.
            guard (try? state.descriptor.writeAll(bytes)) != nil else { return }
            state.size += bytes.count
            if state.size >= size { try? begin(&state) }
        }
    }

    /// The last file is full.
    func finish() {
        state.withLock { state in
            try? state.descriptor.close()
            didFill.yield(state.path)
            didFill.finish()
        }
    }

    /// Begins the next file.
    private func begin(_ state: inout State) throws {
        let path = Self.path(state.count + 1, in: folder)
        let descriptor = try Self.create(path)
        try state.descriptor.close()
        didFill.yield(state.path)
        state = State(descriptor: descriptor, path: path, count: state.count + 1)
    }

    private static func create(_ path: FilePath) throws -> FileDescriptor {
        try .open(path, .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
    }

    private static func path(_ number: Int, in folder: FilePath) -> FilePath {
        let digits = String(number)
        return folder.appending(String(repeating: "0", count: max(0, 6 - digits.count)) + digits + ".log")
    }
}

/// What swift-log has to say, as lines of a log.
struct LogFileHandler: LogHandler {
    let log: LogFile
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    init(log: LogFile) { self.log = log }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { log.write("\(event.level) \(event.message)\n") }
}
