internal import ByteStreams
internal import ZstdCodec

/// Content becomes one frame.
struct CompressTransform: Transform, ~Copyable {
    private var compressor: Compressor
    private var gather = GatherBuffer()
    private let pool: BufferPool?
    /// Chooses the level; nil if there is one.
    private let adaptation: Adaptation?
    private var level: Int
    /// Bytes that the context held at most, at whichever level.
    private var contextMemory = 0
    /// The frame that the last hole became: most holes are as long as the one before.
    private var hole: (count: Int, bytes: Bytes, checksum: UInt32)?
    private let contentSize: UInt64?
    private let hasChecksum: Bool

    var memory: Int {
        // What a level took and the next one does not is free, and resident for a while.
        (adaptation == nil ? compressor.memory : 2 * contextMemory) + gather.capacity
    }

    /// - Parameters:
    ///   - dictionary: what the frames may refer to.
    ///   - pool: memory for frames, if there will be many.
    ///   - workers: threads of libzstd's for a frame that comes in parts; 0 for whole chunks.
    ///   - contentSize: decompressed bytes of the frame that comes in parts, if they are known.
    ///   - adaptation: what chooses the level, if it is not that of the options.
    init(
        _ options: CompressionOptions, dictionary: CompressionDictionary? = nil, pool: BufferPool? = nil,
        workers: Int = 0, contentSize: UInt64? = nil, adaptation: Adaptation? = nil
    ) throws(Failure) {
        self.pool = pool
        self.adaptation = adaptation
        level = options.level
        do {
            compressor = try Compressor(options, workers: workers, dictionary: dictionary)
        } catch {
            throw .codec(error)
        }
        self.contentSize = contentSize
        hasChecksum = options.hasChecksum
    }

    mutating func apply(
        _ load: consuming ChunkMemory, bound: Int, offset: UInt64, slots: Slots
    ) throws(Failure) -> Frame {
        let sourceSize = load.count
        if case .zeros(let count) = load, let hole, hole.count == count {
            return Frame(bytes: hole.bytes, sourceSize: count, checksum: hole.checksum, slots: slots)
        }
        let isHole = if case .zeros = load { true } else { false }
        let output =
            if let pool, pool.capacity >= bound { try OutputBuffer(from: pool) } else {
                try OutputBuffer(capacity: bound)
            }
        let memory = output.memory
        let turn = try adapt()
        defer { end(turn, bytes: sourceSize) }
        let size = try gather.withContiguous(load) { content throws(Failure) in
            try Self.apply(content, into: memory, with: &compressor)
        }
        let checksum =
            hasChecksum ? UnsafeRawBufferPointer(memory).loadUnaligned(fromByteOffset: size - 4, as: UInt32.self) : 0
        let bytes = output.finish(count: size)
        // A copy, for the frame's memory is much larger than the frame, and bounded by slots.
        if isHole { hole = (sourceSize, Bytes(bytes.elements), UInt32(littleEndian: checksum)) }
        return Frame(bytes: bytes, sourceSize: sourceSize, checksum: UInt32(littleEndian: checksum), slots: slots)
    }

    /// Compresses contiguous content to one frame, in memory that has room for its bound; returns the frame's size.
    mutating func apply(
        _ content: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> Int {
        try Self.apply(content, into: memory, with: &compressor)
    }

    private static func apply(
        _ content: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer,
        with compressor: inout Compressor
    ) throws(Failure) -> Int {
        try codec { () throws(CodecFailure) in try compressor.compress(content, into: memory) }
    }

    mutating func begin() throws(Failure) {
        try codec { () throws(CodecFailure) in try compressor.begin(contentSize: contentSize) }
    }

    mutating func step(
        _ part: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool, offset: UInt64
    ) throws(Failure) -> (written: Int, isDone: Bool) {
        let turn = try adapt()
        let before = part.count
        defer { end(turn, bytes: before - part.count) }
        return try codec { () throws(CodecFailure) in try compressor.stream(&part, into: output, isLast: isLast) }
    }

    /// Sets the level that is the right one now.
    private mutating func adapt() throws(Failure) -> Adaptation.Turn? {
        guard let turn = adaptation?.begin() else { return nil }
        guard turn.level != level else { return turn }
        level = turn.level
        try codec { () throws(CodecFailure) in try compressor.setLevel(level) }
        return turn
    }

    private mutating func end(_ turn: Adaptation.Turn?, bytes: Int) {
        guard let turn else { return }
        contextMemory = max(contextMemory, compressor.memory)
        adaptation?.end(turn, bytes: bytes)
    }
}
