internal import ByteStreams
internal import Glibc
internal import SystemPackage

/// Compresses or decompresses small files, one after another, each in one go on the calling thread.
///
/// A file of one chunk has nothing that a pipeline could overlap, and building one costs more than the work. Its frame
/// has the same bytes as a `Job` would give it.
package struct WholeFileWorker: ~Copyable {
    /// Larger files are left to a `Job`, in bytes.
    package static let sizeLimit: UInt64 = 4 << 20

    private let transform: any WholeFileTransform
    /// Whether what a file becomes is its content.
    private let decompresses: Bool
    // Kept from file to file: no allocation, and no hop to a queue that frees.
    private var content = GatherBuffer()
    private var result = GatherBuffer()
    /// What was read last, in bytes.
    private var contentSize = 0
    /// More content is not held, in bytes.
    var contentLimit = Int.max
    /// What the last file became, in bytes.
    package private(set) var resultSize = 0
    private let lane: Int
    private let monitor: Monitor?
    /// Makes a hash of the content of each file.
    package var hash: HashFunction?

    /// - Parameters:
    ///   - action: nil is returned for what only a `Job` does.
    ///   - lane: the number of the thread, for the monitor.
    package init?(_ action: Action, lane: Int, monitor: Monitor?) throws(Failure) {
        guard let transform = try action.operation.makeWholeFileTransform() else { return nil }
        self.transform = transform
        decompresses = action.operation.decompresses
        self.lane = lane
        self.monitor = monitor
    }

    /// Reads and transforms one file, and keeps the result.
    ///
    /// - Returns: nil if the file is more than one chunk, which takes a `Job`. Nothing is written yet.
    /// - Throws: as `Job.run` does.
    package mutating func transform(_ source: Source) throws(Failure) -> Summary? {
        guard let size = source.size, try read(source, size) else { return nil }
        return try work()
    }

    /// Reads one input, which should have so many bytes, and keeps it.
    ///
    /// - Returns: whether that is all of it; otherwise it takes a `Job`.
    /// - Throws: as `Job.run` does.
    mutating func read(_ source: Source, _ size: UInt64) throws(Failure) -> Bool {
        guard size <= Self.sizeLimit, size <= transform.sizeLimit else { return false }
        let start = Span.now()
        // One byte more shows whether a file grew; without it, what was read ends where the file does.
        let most = Int(size) + (source.isFile ? 1 : 0)
        let memory = UnsafeMutableRawBufferPointer(rebasing: try content.room(for: most)[..<most])
        contentSize = try Failure.reading { () throws(Errno) in
            try source.descriptor.fill(memory, atLeast: Int(size))
        }
        monitor?.record(Span(stage: .read, lane: lane, bytes: contentSize, start: start, end: Span.now()))
        if source.isFile, contentSize < size {
            throw .sourceShrank(expected: size, read: UInt64(contentSize))
        }
        return contentSize <= size
    }

    /// Has the source hold again what was read of it.
    mutating func giveBack(_ source: inout Source) throws(Failure) {
        guard contentSize > 0 else { return }
        if source.isFile {
            lseek(source.descriptor.rawValue, off_t(-contentSize), SEEK_CUR)
        } else {
            source.stream = HeldSource(Bytes(Array(try content.room(for: contentSize)[..<contentSize])))
        }
    }

    /// Transforms what was read, and keeps the result.
    ///
    /// - Returns: nil if it takes a `Job`.
    mutating func work() throws(Failure) -> Summary? {
        guard let size = try transform(contentSize) else { return nil }
        resultSize = size
        var summary = Summary()
        summary.bytesIn = UInt64(contentSize)
        summary.contentSize = UInt64(decompresses ? size : contentSize)
        summary.contentHash = try contentHash(source: contentSize, result: size)
        return summary
    }

    private mutating func contentHash(source: Int, result size: Int) throws(Failure) -> String? {
        guard let digest = try hash?.begin() else { return nil }
        let memory = decompresses ? try result.room(for: size)[..<size] : try content.room(for: source)[..<source]
        digest.append(UnsafeRawBufferPointer(rebasing: memory))
        return try digest.finish()
    }

    /// The most bytes that one holds for an action; nil for what only a `Job` does.
    package static func memory(of action: Action) -> Int? { action.operation.wholeFileMemory }

    /// Transforms what was read, and returns how much it became; nil if that may be too much to be held at once.
    private mutating func transform(_ count: Int) throws(Failure) -> Int? {
        let source = UnsafeRawBufferPointer(rebasing: try content.room(for: count)[..<count])
        guard let bound = try transform.bound(of: source), !decompresses || bound <= contentLimit else { return nil }
        let target = try result.room(for: bound)
        let start = Span.now()
        monitor?.workerDidBegin()
        defer { monitor?.workerDidEnd() }
        let size = try transform.apply(source, into: target)
        let end = Span.now()
        monitor?.record(Span(stage: .work, lane: lane, bytes: size, source: count, start: start, end: end))
        monitor?.record(Span(stage: .order, bytes: size, source: count, start: end, end: end))
        monitor?.didDeliver(Delivery(source: count, made: size), isWriting: false)
        return size
    }

    /// Writes what the last file became.
    ///
    /// - Throws: as `Job.run` does.
    package mutating func write(to sink: Sink) throws(Failure) {
        let start = Span.now()
        let content = UnsafeRawBufferPointer(rebasing: try result.room(for: resultSize)[..<resultSize])
        var position = 0
        for hole in sink.takesHoles ? Holes.find(in: content) : [] {
            try Self.write(content[position..<hole.lowerBound], to: sink)
            try sink.extend(by: UInt64(hole.count))
            position = hole.upperBound
        }
        try Self.write(content[position...], to: sink)
        monitor?.record(Span(stage: .write, lane: lane, bytes: resultSize, start: start, end: Span.now()))
    }

    private static func write(_ bytes: Slice<UnsafeRawBufferPointer>, to sink: Sink) throws(Failure) {
        var rest = UnsafeRawBufferPointer(rebasing: bytes)
        try Failure.writing { () throws(Errno) in try sink.descriptor.writeEverything(&rest) }
    }
}

extension Source {
    /// Bytes that can be read without waiting, and after which nothing comes; nil if that can't be told.
    var sizeAtHand: UInt64? {
        if let size { return size }
        guard identity.kind == .fifo, stream == nil else { return nil }
        var entry = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        var count: Int32 = 0
        // It is only looked for more when whoever could write more has gone.
        guard poll(&entry, 1, 0) == 1, entry.revents & Int16(POLLHUP) != 0,
            ioctl(descriptor.rawValue, UInt(FIONREAD), &count) == 0
        else { return nil }
        return UInt64(count)
    }
}
