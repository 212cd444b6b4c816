internal import Glibc
internal import SluiceEngine

/// The output of a run.
///
///     try await Decompression().run(from: .file("a.zst"), to: .file("a", isReplacing: true))
///     try await Decompression().run(from: .file("a.zst"), to: .descriptor(.standardOutput))
///     try await Decompression().run(from: .file("a.zst"), to: .nothing)
public struct RunOutput: Sendable {
    enum Place {
        case file(FilePath, isReplacing: Bool, isSynced: Bool)
        case descriptor(FileDescriptor)
        case nothing
        case sink(any ByteSink)
        case object(RemoteLocation, isReplacing: Bool, partSize: Int?, RemoteOptions)
        /// What can't be an output.
        case refused(Failure)
    }

    let place: Place

    /// A file that gets its name when it is complete. An existing file of that name stays until then, or if the run
    /// fails.
    ///
    /// It gets the mode of a new file, whatever the input is.
    ///
    /// - Parameters:
    ///   - path: the file's final name.
    ///   - isReplacing: whether a file of that name may be replaced; otherwise, and if it is the input, the run throws
    ///     `fileExists`.
    ///   - isSynced: whether the run waits until file and name are on the disk (`fsync`).
    public static func file(_ path: FilePath, isReplacing: Bool = false, isSynced: Bool = true) -> RunOutput {
        RunOutput(place: .file(path, isReplacing: isReplacing, isSynced: isSynced))
    }

    /// A file, by a path in a string, that gets its name when it is complete.
    public static func file(_ path: String, isReplacing: Bool = false, isSynced: Bool = true) -> RunOutput {
        do throws(Failure) {
            return .file(try FilePath(whole: path), isReplacing: isReplacing, isSynced: isSynced)
        } catch {
            return RunOutput(place: .refused(error))
        }
    }

    /// An object of a store, by its URL (`s3://bucket/key`), that is there only when all of it is right. If the run
    /// throws, or its Task is cancelled, nothing remains of it, unless the store was just making it: then it is whole,
    /// and `RemoteOptions.onWarning` receives a sentence about it, as about parts that may remain. Nobody else does.
    ///
    ///     let store = RunOutput.object("s3://backups/db.zst")
    ///     try await Compression().run(from: .file("db.dump"), to: store)
    ///
    /// It is sent in parts on several connections, 256 MiB at most at a time.
    ///
    /// - Parameters:
    ///   - url: has the bucket and the key.
    ///   - isReplacing: whether an object of that name may be replaced; otherwise the run throws `fileExists`.
    ///   - partSize: bytes of each part but the last one, from 5 MiB to 1 GiB; nil to let the size of the output
    ///     decide: an object has at most 10,000 parts.
    ///   - options: how the store is asked, and with which key.
    public static func object(
        _ url: String, isReplacing: Bool = false, partSize: Int? = nil, options: RemoteOptions = RemoteOptions()
    ) -> RunOutput {
        guard let location = RemoteLocation(url), location.scheme == .s3, location.path.utf8.count > 1,
            location.path.utf8.last != UInt8(ascii: "/")
        else { return RunOutput(place: .refused(Failure(.remote, "the URL names no object of a store"))) }
        if let partSize, !(PartPlan.leastPart...PartPlan.mostPart).contains(partSize) {
            return RunOutput(place: .refused(Failure(.remote, "a part has 5 MiB to 1 GiB")))
        }
        return RunOutput(place: .object(location, isReplacing: isReplacing, partSize: partSize, options))
    }

    /// A descriptor of any kind, from its position on. It is not closed, and its flags do not change. A failed run
    /// leaves a prefix of the right data.
    public static func descriptor(_ descriptor: FileDescriptor) -> RunOutput {
        RunOutput(place: .descriptor(descriptor))
    }

    /// No output: a decompression proves that its input is intact.
    public static let nothing = RunOutput(place: .nothing)

    /// Whether it is written without waiting for another process.
    var isFile: Bool {
        switch place {
        case .file, .nothing: true
        case .descriptor, .sink, .object, .refused: false
        }
    }

    /// Whether it is an object of a store.
    var isObject: Bool { if case .object = place { true } else { false } }

    /// Calls a body with the sink; a file has its name afterwards.
    ///
    /// - Parameters:
    ///   - input: the file that is read, which is not replaced.
    ///   - operation: what makes it.
    ///   - latch: ends the requests to a store when it fails.
    ///   - monitor: receives the span of the sync.
    ///   - mayPublish: asked before the file gets its name.
    /// - Throws: `cancelled` if it may not.
    func withSink(
        of input: FileIdentity, by operation: any RunOperation, _ latch: FailureLatch, _ monitor: Monitor?,
        mayPublish: () -> Bool,
        _ body: (Sink?) throws(Failure) -> Summary
    ) throws(Failure) -> Summary {
        switch place {
        case .nothing: return try body(nil)
        case .refused(let failure): throw failure
        case .sink(let stream): return try body(Sink(stream))
        case .object(let location, let isReplacing, let partSize, let options):
            let object = try WrittenObject(
                location, type: operation.contentSide == .input ? "application/zstd" : nil,
                client: try RemoteClient(options: options))
            let asking = latch.onFailure { object.cancel() }
            let size = partSize.map { PartPlan.Size.parts($0) } ?? Self.expectedSize(of: input, by: operation)
            let upload = try ObjectUpload(
                object, PartPlan(size, connections: options.connections), isReplacing: isReplacing,
                didFail: { latch.fail($0) })
            defer { upload.abandon() }
            latch.forget(asking)
            let number = latch.onFailure { upload.cancel() }
            defer { latch.forget(number) }
            let summary = try body(Sink(upload, isTemporary: true))
            guard mayPublish() else { throw .cancelled }
            try upload.complete()
            return summary
        case .descriptor(let descriptor):
            let copy = try Failure.writing(descriptor.duplicated())
            defer { close(copy.rawValue) }
            return try Self.write(to: try Sink(copy), body)
        case .file(let path, let isReplacing, let isSynced):
            let exists = Failure.file(action: "create", path: path, .fileExists)
            let mayReplace = { (existing: FileIdentity?) in
                existing.map { isReplacing && !($0.kind == .file && $0.isSameFile(as: input)) } ?? true
            }
            if !mayReplace(try? FileIdentity(at: path, followingLinks: false)) { throw exists }
            var file = try OutputFile(at: path, isReplacing: isReplacing)
            let folder = file.folder
            let summary = try Self.write(to: try Sink(file.descriptor, isTemporary: true), body)
            let start = StageSpan.now()
            try file.complete(metadataOf: nil, isSynced ? .alone : .later)
            guard mayPublish() else { throw .cancelled }
            guard try file.publish(mayReplace: mayReplace) else { throw exists }
            if isSynced { try folder.sync(for: path) }
            monitor?.record(StageSpan(stage: isSynced ? .sync : .name, start: start))
            return summary
        }
    }

    /// What is compressed becomes hardly larger; what is decompressed may become anything.
    static func expectedSize(of input: FileIdentity, by operation: any RunOperation) -> PartPlan.Size {
        guard operation.contentSide != .output, input.kind == .file else { return .unknown }
        return .expected(input.size.addingClamped(input.size / 128))
    }

    private static func write(
        to sink: Sink, _ body: (Sink?) throws(Failure) -> Summary
    ) throws(Failure) -> Summary {
        let stream = try DescriptorSink(sink)
        defer { stream.finish() }
        return try body(sink.written(by: stream))
    }
}
