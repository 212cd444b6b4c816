internal import Glibc
internal import Synchronization

/// A compressed file whose content can be read at any place, by any number of threads.
///
/// Only the frames that hold the bytes are read and decoded, and the last ones are kept. The frames are found when the
/// file is opened, as by `Action.extract`. Where that takes decoding the whole file, an `IndexFile` keeps the result.
///
///     let file = try CompressedFile(at: "log.zst")
///     let bytes = try file.read(at: file.contentSize / 2, count: 4096)
///
/// Damage shows when its frame is read: the checksums of frames are verified. The exception is a frame with more than
/// 32 MiB of content, which is decoded from its start to the bytes that are read, and from there on the next time.
public final class CompressedFile: Sendable {
    /// The parameters that all initialisers share.
    struct Options: Sendable {
        let dictionary: DecompressionDictionary?
        let windowLimit: UInt64?
        let cacheSize: Int
        let indexFile: IndexFile?
        let threads: Int

        var decompression: Decompression { Decompression(windowLimit: windowLimit, dictionary: dictionary) }
    }

    /// The largest content of a frame that is decoded as a whole, in bytes.
    private static let mostHeld = FrameCutter.slotSize

    /// Bytes.
    public let contentSize: UInt64
    let source: Source
    private let ownsDescriptor: Bool
    let index: FrameIndex
    let decompression: Decompression
    let threads: Int
    private let cache: FrameCache
    /// Each is used by one thread at a time, which takes it from here, and puts it back.
    private let idleDecoders = Mutex<[Locked<DecompressTransform>]>([])
    /// Unfinished decodings of large frames, at most as many as there are threads.
    private let idleCursors = Mutex<[Locked<FrameCursor>]>([])
    /// A whole frame is decoded without taking a slot.
    private let slots = Slots(1)

    /// Opens a regular file, and finds its frames.
    ///
    /// - Parameters: as for the other initialiser.
    /// - Throws: the same, and `file` if it can't be opened.
    public convenience init(
        at path: FilePath, dictionary: DecompressionDictionary? = nil,
        windowLimit: UInt64? = nil, cacheSize: Int = 32 << 20, indexFile: IndexFile? = nil,
        threads: Int = availableProcessors()
    ) throws(Failure) {
        let options = Options(
            dictionary: dictionary, windowLimit: windowLimit, cacheSize: cacheSize, indexFile: indexFile,
            threads: threads)
        try self.init(at: path, options, FailureLatch())
    }

    /// - Parameter latch: ends the decoding of the whole file, if that is needed, from elsewhere.
    convenience init(at path: FilePath, _ options: Options, _ latch: FailureLatch) throws(Failure) {
        let descriptor = try Failure.file("open", path) { () throws(Errno) in
            try FileDescriptor(opening: path, O_RDONLY | O_NOCTTY)
        }
        do throws(Failure) { try self.init(descriptor, ownsDescriptor: true, options, latch) } catch {
            try? descriptor.close()
            throw error
        }
    }

    /// Finds the frames of a regular file, from the position of its descriptor on.
    ///
    /// - Parameters:
    ///   - descriptor: it has to stay open. Its position does not change.
    ///   - dictionary: the dictionary of the frames.
    ///   - windowLimit: bytes; frames with a larger window are refused. Nil for the default of a `Decompression`.
    ///   - cacheSize: bytes of decoded frames to keep; the last frame is kept in any case.
    ///   - indexFile: keeps an index if only decoding the whole file tells where its frames are.
    ///   - threads: the number of frames that are decoded at a time.
    /// - Throws: `onlyForward` if it is no regular file, or has no frames; `codec` if decoding the whole file is needed
    ///   and fails; `reading`, `sourceShrank`; for the index `wrongIndex`, `noIndex` and `file`.
    public convenience init(
        _ descriptor: FileDescriptor, dictionary: DecompressionDictionary? = nil,
        windowLimit: UInt64? = nil, cacheSize: Int = 32 << 20, indexFile: IndexFile? = nil,
        threads: Int = availableProcessors()
    ) throws(Failure) {
        let options = Options(
            dictionary: dictionary, windowLimit: windowLimit, cacheSize: cacheSize, indexFile: indexFile,
            threads: threads)
        try self.init(descriptor, ownsDescriptor: false, options, FailureLatch())
    }

    private init(
        _ descriptor: FileDescriptor, ownsDescriptor: Bool, _ options: Options, _ latch: FailureLatch
    ) throws(Failure) {
        let source = try Source(descriptor)
        guard source.isFile, source.foreignFormat == nil else { throw .onlyForward(isFile: source.isFile) }
        let index =
            if let found = try FrameSearch(source: source).index(reaching: nil) {
                found.index
            } else if let found = try options.indexFile?.read(for: source) {
                found
            } else {
                try Self.survey(source, options, latch)
            }
        (self.source, self.ownsDescriptor) = (source, ownsDescriptor)
        (self.index, contentSize) = (index, index.contentSize)
        (decompression, threads) = (options.decompression, max(1, options.threads))
        cache = FrameCache(size: options.cacheSize)
    }

    deinit { if ownsDescriptor { try? source.descriptor.close() } }

    /// Decodes bytes of the content.
    ///
    /// - Parameters:
    ///   - offset: the first byte.
    ///   - count: bytes.
    /// - Returns: fewer bytes at the end of the content, and none behind it.
    /// - Throws: `codec` for damage, or for a wrong index; `reading`, `sourceShrank`.
    public func read(at offset: UInt64, count: Int) throws(Failure) -> [UInt8] {
        let end = offset + min(UInt64(max(0, count)), contentSize - min(offset, contentSize))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(clamping: min(end - offset, Self.mostHeld)))
        guard end > offset, var position = index.position(of: offset) else { return [] }
        while position < index.count, index[position].content.lowerBound < end {
            let next = position + min(threads, index.count - position)
            for frame in try frames(position..<next, upTo: end) {
                let content = index[position].content
                let wanted = max(offset, content.lowerBound)..<min(end, content.upperBound)
                if let frame {
                    let (first, last) = (wanted.lowerBound - content.lowerBound, wanted.upperBound - content.lowerBound)
                    bytes += frame.slice(Int(first)..<Int(last)).elements
                } else {
                    try read(wanted, ofLargeFrame: position, &bytes)
                }
                position += 1
            }
        }
        return bytes
    }

    /// Decodes the whole file once, to see where its frames are.
    private static func survey(
        _ source: Source, _ options: Options, _ latch: FailureLatch
    ) throws(Failure) -> FrameIndex {
        let survey = Survey()
        var surveying = options.decompression
        surveying.survey = survey
        let job = Job(Action(operation: surveying), threads: options.threads)
        _ = try job.run(from: try source.readInPlace(through: source.descriptor), to: nil, latch: latch)
        return try survey.index(of: source, keptIn: options.indexFile)
    }

    /// The content of entries, decoded in parallel; nil for one that is too large to be held.
    ///
    /// - Parameter end: later entries are left out.
    private func frames(_ positions: Range<Int>, upTo end: UInt64) throws(Failure) -> [Bytes?] {
        let needed = positions.filter { index[$0].content.lowerBound < end }
        if needed.count == 1 { return [try frame(needed[0])] }
        return try runLanes(needed.count, over: needed.count) { [self] place, _ throws(Failure) in
            try frame(needed[place])
        }
    }

    private func frame(_ position: Int) throws(Failure) -> Bytes? {
        let entry = index[position]
        if entry.content.isEmpty { return Bytes() }
        // Compressed data is hardly longer than its content, except in a hostile file.
        guard max(entry.content.count, entry.input.count) <= Self.mostHeld else { return nil }
        return try cache.frame(position) { () throws(Failure) in
            let buffer = try OutputBuffer(capacity: entry.input.count)
            try source.range(entry.input).read(into: buffer.memory)
            let input = buffer.finish(count: entry.input.count)
            let frame = try index.check(input, of: position..<position + 1, decompression.ownLimits)
            let idle = idleDecoders.withLock { $0.popLast() }
            let decoder =
                if let idle { idle } else {
                    Locked(
                        try DecompressTransform(
                            limits: decompression.limits, dictionary: decompression.dictionary, index: index))
                }
            defer { idleDecoders.withLock { $0.append(decoder) } }
            return try decoder.withLock { transform throws(Failure) in
                try transform.apply(
                    .bytes(frame), bound: entry.content.count, offset: entry.input.lowerBound, slots: slots
                ).bytes
            }
        }
    }

    private func read(
        _ wanted: Range<UInt64>, ofLargeFrame position: Int, _ bytes: inout [UInt8]
    ) throws(Failure) {
        let idle = idleCursors.withLock { cursors in
            let distances = cursors.indices.compactMap { place in
                cursors[place].withLock { $0.distance(to: wanted.lowerBound, in: position) }.map { (place, $0) }
            }
            let nearest = distances.min { $0.1 < $1.1 }.map { cursors.remove(at: $0.0) }
            // A new one may need their room.
            if nearest == nil { cursors.removeAll { $0.withLock { $0.hasLargeWindow } } }
            return nearest
        }
        let cursor =
            if let idle { idle } else { Locked(try FrameCursor(position, in: index, source, decompression)) }
        bytes += try cursor.withLock { cursor throws(Failure) in try cursor.read(wanted) }
        idleCursors.withLock { cursors in
            cursors.append(cursor)
            if cursors.count > threads { cursors.removeFirst() }
        }
    }
}
