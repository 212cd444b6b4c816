internal import ByteStreams
internal import Glibc
internal import Synchronization
public import SystemPackage
public import ZstdCodec

/// A compressed file that is read like one that is not: at any place of its content, by any number of threads.
///
/// Only the frames that hold what is read are read and decoded, and the last ones are kept. How they are found: as by
/// `Action.extract`, when the file is opened. Where that takes decoding everything, an `IndexFile` does it once for
/// all.
///
///     let file = try CompressedFile(at: "log.zst")
///     let bytes = try file.read(at: file.contentSize / 2, count: 4096)
///
/// What was damaged shows when its frame is read: the checksums of frames are verified, but for those of a frame with
/// more than 32 MiB of content, which is decoded from its start up to what is read, and from there on the next time.
public final class CompressedFile: Sendable {
    /// The most content of a frame that is decoded as a whole, in bytes.
    private static let mostHeld = FrameCutter.slotSize

    /// Bytes.
    public let contentSize: UInt64
    let source: Source
    private let ownsDescriptor: Bool
    let index: FrameIndex
    let decompression: Decompression
    let threads: Int
    private let cache: FrameCache
    /// Decoders that nobody uses now.
    private let decoders = Mutex<[EntryDecoder]>([])
    /// How far frames are decoded that were too large to be held, as many as there are threads.
    private let cursors = Mutex<[IdleCursor]>([])

    /// Opens a regular file, and finds its frames.
    ///
    /// - Parameters: as of the other initialiser.
    /// - Throws: the same, and `file` if it can't be opened.
    public convenience init(
        at path: FilePath, dictionary: DecompressionDictionary? = nil,
        windowLimit: UInt64 = Decompression.defaultWindowLimit, cacheSize: Int = 32 << 20, indexFile: IndexFile? = nil,
        threads: Int = availableProcessors()
    ) throws(Failure) {
        try self.init(
            at: path, dictionary, windowLimit: windowLimit, cacheSize: cacheSize, indexFile, threads: threads,
            nil)
    }

    /// - Parameter latch: ends the decoding of everything, if that is needed, from elsewhere.
    convenience init(
        at path: FilePath, _ dictionary: DecompressionDictionary?, windowLimit: UInt64, cacheSize: Int,
        _ indexFile: IndexFile?, threads: Int, _ latch: FailureLatch?
    ) throws(Failure) {
        let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY
        let number = try Failure.check("open", path) { path.withPlatformString { Glibc.open($0, flags) } }
        do throws(Failure) {
            try self.init(
                FileDescriptor(rawValue: number), ownsDescriptor: true, dictionary, windowLimit: windowLimit,
                cacheSize: cacheSize, indexFile, threads: threads, latch)
        } catch {
            close(number)
            throw error
        }
    }

    /// Finds the frames of a regular file, from where its descriptor stands.
    ///
    /// - Parameters:
    ///   - descriptor: it has to stay open. It stands afterwards where it stood.
    ///   - dictionary: what the frames were made with.
    ///   - windowLimit: bytes; frames with a larger window are refused.
    ///   - cacheSize: bytes of decoded frames that are kept, but for the last one, which always is.
    ///   - indexFile: where an index is kept if only decoding everything tells where the frames lie.
    ///   - threads: how many frames are decoded at a time, by a `read` and when everything has to be.
    /// - Throws: `onlyForward` for what is no file, or has no frames; `codec` if everything had to be decoded, and
    ///   can't be; `reading`, `sourceShrank`, and of the index `wrongIndex`, `noIndex` and `file`.
    public convenience init(
        _ descriptor: FileDescriptor, dictionary: DecompressionDictionary? = nil,
        windowLimit: UInt64 = Decompression.defaultWindowLimit, cacheSize: Int = 32 << 20, indexFile: IndexFile? = nil,
        threads: Int = availableProcessors()
    ) throws(Failure) {
        try self.init(
            descriptor, ownsDescriptor: false, dictionary, windowLimit: windowLimit, cacheSize: cacheSize, indexFile,
            threads: threads, nil)
    }

    private init(
        _ descriptor: FileDescriptor, ownsDescriptor: Bool, _ dictionary: DecompressionDictionary?,
        windowLimit: UInt64, cacheSize: Int, _ indexFile: IndexFile?, threads: Int, _ latch: FailureLatch?
    ) throws(Failure) {
        let source = try Source(descriptor)
        guard source.isFile, source.foreignFormat == nil else { throw .onlyForward(isFile: source.isFile) }
        let decompression = Decompression(
            windowLimit: windowLimit, dictionary: dictionary, passesForeign: false, verifiesChecksums: true)
        let index =
            if let found = try FrameSearch(source: source).index(reaching: nil) {
                found.index
            } else if let found = try indexFile?.read(for: source) {
                found
            } else {
                try Self.survey(source, decompression, threads, indexFile, latch)
            }
        (self.source, self.ownsDescriptor) = (source, ownsDescriptor)
        (self.index, contentSize) = (index, index.contentSize)
        (self.decompression, self.threads) = (decompression, max(1, threads))
        cache = FrameCache(size: cacheSize)
    }

    deinit { if ownsDescriptor { try? source.descriptor.close() } }

    /// Decodes what lies there.
    ///
    /// - Parameters:
    ///   - offset: bytes of the content before it.
    ///   - count: bytes.
    /// - Returns: fewer bytes at the end of the content, and none behind it.
    /// - Throws: `codec` for damage, and for an index that is wrong; `reading`, `sourceShrank`.
    public func read(at offset: UInt64, count: Int) throws(Failure) -> [UInt8] {
        let end = offset + min(UInt64(max(0, count)), contentSize - min(offset, contentSize))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(clamping: min(end - offset, Self.mostHeld)))
        guard end > offset, var position = index.position(of: offset) else { return [] }
        while position < index.count, index[position].content.lowerBound < end {
            let next = min(position + threads, index.count)
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

    /// Decodes everything once, to see where the frames lie.
    private static func survey(
        _ source: Source, _ decompression: Decompression, _ threads: Int, _ indexFile: IndexFile?,
        _ latch: FailureLatch?
    ) throws(Failure) -> FrameIndex {
        let survey = Survey()
        var decompression = decompression
        decompression.survey = survey
        let job = Job(Action(operation: decompression), threads: threads)
        // The descriptor is the caller's, who may share it with others: it stays where it stands.
        _ = try job.run(
            from: try source.readInPlace(through: source.descriptor), to: nil, latch: latch ?? FailureLatch())
        return try survey.index(of: source, keptIn: indexFile)
    }

    /// The content of entries, decoded side by side; nil for one that is too large to be held.
    ///
    /// - Parameter end: entries from there on are left out.
    private func frames(_ positions: Range<Int>, upTo end: UInt64) throws(Failure) -> [Bytes?] {
        let needed = positions.filter { index[$0].content.lowerBound < end }
        if needed.count == 1 { return [try frame(needed[0])] }
        let outcomes = Mutex([Result<Bytes?, Failure>?](repeating: nil, count: needed.count))
        let next = Atomic(0)
        runLanes(needed.count) { [self] _ in
            while true {
                let place = next.add(1, ordering: .relaxed).oldValue
                guard place < needed.count else { return }
                let outcome = Result { () throws(Failure) in try frame(needed[place]) }
                outcomes.withLock { $0[place] = outcome }
            }
        }
        var frames: [Bytes?] = []
        for outcome in outcomes.withLock({ $0 }) { frames.append(try outcome?.get()) }
        return frames
    }

    private func frame(_ position: Int) throws(Failure) -> Bytes? {
        let entry = index[position]
        if entry.content.isEmpty { return Bytes() }
        // What is compressed is hardly longer than its content, unless somebody means it.
        guard max(entry.content.count, entry.input.count) <= Self.mostHeld else { return nil }
        return try cache.frame(position) { () throws(Failure) in
            let frame = try index.check(try load(entry.input), of: position..<position + 1, decompression.limits)
            let idle = decoders.withLock { $0.popLast() }
            let decoder = if let idle { idle } else { try EntryDecoder(index, decompression) }
            defer { decoders.withLock { $0.append(decoder) } }
            return try decoder.decode(frame, of: entry)
        }
    }

    private func load(_ input: Range<UInt64>) throws(Failure) -> Bytes {
        let buffer = try OutputBuffer(capacity: input.count)
        try source.range(input).read(into: buffer.memory)
        return buffer.finish(count: input.count)
    }

    private func read(
        _ wanted: Range<UInt64>, ofLargeFrame position: Int, _ bytes: inout [UInt8]
    ) throws(Failure) {
        let idle = cursors.withLock { cursors in
            let distances = cursors.indices.compactMap { place in
                cursors[place].distance(to: wanted.lowerBound, in: position).map { (place, $0) }
            }
            return distances.min { $0.1 < $1.1 }.map { cursors.remove(at: $0.0) }
        }
        let cursor =
            if let idle { idle } else {
                IdleCursor(try FrameCursor(position, index[position], source, decompression))
            }
        try cursor.read(wanted, &bytes)
        cursors.withLock { cursors in
            cursors.append(cursor)
            if cursors.count > threads { cursors.removeFirst() }
        }
    }
}

/// How far a large frame is decoded, for one thread at a time: who uses it takes it out of the file's list.
private final class IdleCursor: Sendable {
    private let cursor: Mutex<FrameCursor>

    init(_ cursor: consuming sending FrameCursor) { self.cursor = Mutex(cursor) }

    func distance(to offset: UInt64, in position: Int) -> UInt64? {
        cursor.withLock { $0.distance(to: offset, in: position) }
    }

    func read(_ wanted: Range<UInt64>, _ bytes: inout [UInt8]) throws(Failure) {
        let outcome = cursor.withLock { cursor in
            Result { () throws(Failure) in
                var part: [UInt8] = []
                try cursor.read(wanted, &part)
                return part
            }
        }
        bytes += try outcome.get()
    }
}

/// What a thread decodes entries with.
private final class EntryDecoder: Sendable {
    private let transform: Mutex<DecompressTransform>
    /// Nobody waits for them: a reader of a part takes what it needs.
    private let slots = Slots(1)

    init(_ index: FrameIndex, _ decompression: Decompression) throws(Failure) {
        transform = Mutex(
            try DecompressTransform(
                limits: decompression.limits, dictionary: decompression.dictionary, index: index))
    }

    func decode(_ frame: Bytes, of entry: FrameIndex.Entry) throws(Failure) -> Bytes {
        let outcome = transform.withLock { transform in
            Result { () throws(Failure) in
                try transform.apply(
                    .bytes(frame), bound: entry.content.count, offset: entry.input.lowerBound, slots: slots
                ).bytes
            }
        }
        return try outcome.get()
    }
}
