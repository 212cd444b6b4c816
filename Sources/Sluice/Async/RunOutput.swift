internal import ByteStreams
internal import Glibc
public import SystemPackage

/// What an operation writes.
public struct RunOutput: Sendable {
    enum Place {
        case file(FilePath, isReplacing: Bool, isSynced: Bool)
        case descriptor(FileDescriptor)
        case nothing
    }

    let place: Place

    /// A file that gets its name when it is whole: until then whatever has it stays, and if the run fails for ever.
    ///
    /// It gets the mode of a new file, whatever the input is.
    ///
    /// - Parameters:
    ///   - path: its name.
    ///   - isReplacing: whether a file of that name may be replaced; otherwise there may be none.
    ///   - isSynced: whether file and name are on the disk when the run has ended.
    public static func file(_ path: FilePath, isReplacing: Bool = false, isSynced: Bool = true) -> RunOutput {
        RunOutput(place: .file(path, isReplacing: isReplacing, isSynced: isSynced))
    }

    /// A descriptor of whatever kind, from where it stands. It is not closed, and of what it is nothing is changed. If
    /// the run fails it has got a prefix of the right data.
    public static func descriptor(_ descriptor: FileDescriptor) -> RunOutput {
        RunOutput(place: .descriptor(descriptor))
    }

    /// Nothing is written: a decompression that ends tells that nothing of its input is damaged.
    public static let nothing = RunOutput(place: .nothing)

    /// Whether nobody is waited for.
    var isFile: Bool { if case .descriptor = place { false } else { true } }

    /// Calls a body with the sink, which is closed again then; a file has its name afterwards.
    ///
    /// - Parameters:
    ///   - monitor: who is told of the flush, and of the thread that writes.
    ///   - mayPublish: asked before the file gets its name.
    func withSink(
        _ monitor: Monitor?, mayPublish: () throws(Failure) -> Void, _ body: (Sink?) throws(Failure) -> Summary
    ) throws(Failure) -> Summary {
        switch place {
        case .nothing: return try body(nil)
        case .descriptor(let descriptor):
            let copy = try Failure.writing { () throws(Errno) in
                try systemCall { fcntl(descriptor.rawValue, F_DUPFD_CLOEXEC, 3) }
            }
            defer { close(copy) }
            return try Self.write(to: try Sink(FileDescriptor(rawValue: copy)), monitor, body)
        case .file(let path, let isReplacing, let isSynced):
            if !isReplacing, (try? FileIdentity(at: path, followingLinks: false)) != nil {
                throw .file(action: "create", path: path, .fileExists)
            }
            var file = try OutputFile(at: path, isReplacing: isReplacing)
            let summary = try Self.write(to: try Sink(file.descriptor, isTemporary: true), monitor, body)
            let start = Span.now()
            try file.complete(metadataOf: nil, isSynced ? .alone : .later)
            try mayPublish()
            guard try file.publish() else { throw .file(action: "create", path: path, .fileExists) }
            if isSynced { try OutputFile.syncFolder(of: path) }
            monitor?.record(Span(stage: .sync, start: start, end: Span.now()))
            return summary
        }
    }

    private static func write(
        to sink: Sink, _ monitor: Monitor?, _ body: (Sink?) throws(Failure) -> Summary
    ) throws(Failure) -> Summary {
        var sink = sink
        let target = try DescriptorSink(sink, onEnd: { monitor?.threadDidEnd() })
        defer { target.finish() }
        sink.target = target
        return try body(sink)
    }
}
