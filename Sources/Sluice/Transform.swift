internal import ZstdCodec

/// What a worker does to chunks: compress, decompress or copy. Each worker owns one, with its context and buffers.
protocol Transform: ~Copyable {
    /// Bytes that it holds between chunks: its context and the buffer in which it gathers.
    var memory: Int { get }

    /// Transforms a whole chunk.
    ///
    /// - Parameters:
    ///   - bound: what it becomes at most, in bytes.
    ///   - offset: where it begins in the input, for errors.
    ///   - slots: where the chunk's slot goes when the frame is written and its memory free.
    mutating func apply(
        _ load: consuming Load, bound: Int, offset: UInt64, slots: Slots
    ) throws(Failure) -> Frame

    /// Begins a frame whose bytes come in parts.
    mutating func begin() throws(Failure)

    /// Transforms a part of it.
    ///
    /// - Parameter part: on return, what was not taken yet.
    /// - Returns: the bytes written to `output`, and whether everything that can be written now was.
    mutating func step(
        _ part: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool, offset: UInt64
    ) throws(Failure) -> (written: Int, isDone: Bool)
}

/// The content as it is.
struct CopyTransform: Transform, ~Copyable {
    var memory: Int { 0 }

    mutating func apply(
        _ load: consuming Load, bound: Int, offset: UInt64, slots: Slots
    ) throws(Failure) -> Frame {
        let bytes =
            switch consume load {
            case .bytes(let bytes): bytes
            case .region(let region): try Self.copy(region)
            }
        return Frame(bytes: bytes, sourceSize: bytes.count, slots: slots)
    }

    private static func copy(_ region: UnsafeRawBufferPointer) throws(Failure) -> Bytes {
        let output = try OutputBuffer(capacity: region.count)
        output.memory.copyMemory(from: region)
        return output.finish(count: region.count)
    }

    mutating func begin() throws(Failure) {}

    mutating func step(
        _ part: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool, offset: UInt64
    ) throws(Failure) -> (written: Int, isDone: Bool) {
        let count = min(part.count, output.count)
        output.copyMemory(from: UnsafeRawBufferPointer(rebasing: part[..<count]))
        part = UnsafeRawBufferPointer(rebasing: part[count...])
        return (count, part.isEmpty)
    }
}

/// Runs what throws the codec's failures where the library's are thrown.
func codec<Result>(_ body: () throws(CodecFailure) -> Result) throws(Failure) -> Result {
    do throws(CodecFailure) { return try body() } catch { throw .codec(error) }
}

struct CompressTransform: Transform, ~Copyable {
    private var compressor: Compressor
    private var gather = GatherBuffer()
    private let pool: BufferPool?
    private let contentSize: UInt64?
    private let hasChecksum: Bool

    var memory: Int { compressor.memory + gather.capacity }

    /// - Parameters:
    ///   - pool: memory for frames, if there will be many.
    ///   - workers: threads of libzstd's for a frame that comes in parts; 0 for whole chunks.
    ///   - contentSize: decompressed bytes of the frame that comes in parts, if they are known.
    init(
        _ options: CompressionOptions, pool: BufferPool? = nil, workers: Int = 0, contentSize: UInt64? = nil
    ) throws(Failure) {
        self.pool = pool
        do { compressor = try Compressor(options, workers: workers) } catch { throw .codec(error) }
        self.contentSize = contentSize
        hasChecksum = options.hasChecksum
    }

    mutating func apply(
        _ load: consuming Load, bound: Int, offset: UInt64, slots: Slots
    ) throws(Failure) -> Frame {
        let sourceSize = load.count
        let output =
            if let pool, pool.capacity >= bound { try OutputBuffer(from: pool) } else {
                try OutputBuffer(capacity: bound)
            }
        let memory = output.memory
        let size = try gather.withContiguous(load) { content throws(Failure) in
            try Self.apply(content, into: memory, with: &compressor)
        }
        let checksum =
            hasChecksum ? UnsafeRawBufferPointer(memory).loadUnaligned(fromByteOffset: size - 4, as: UInt32.self) : 0
        return Frame(
            bytes: output.finish(count: size), sourceSize: sourceSize, checksum: UInt32(littleEndian: checksum),
            slots: slots)
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
        try codec { () throws(CodecFailure) in try compressor.stream(&part, into: output, isLast: isLast) }
    }
}

struct DecompressTransform: Transform, ~Copyable {
    private var decompressor: Decompressor
    private var gather = GatherBuffer()
    private let windowLimit: UInt64
    /// For what comes in parts, if anything does.
    private var parts: PartDecoder?
    private var partMemory = 0

    var memory: Int { decompressor.memory + gather.capacity + partMemory }

    /// - Parameter windowLimit: the largest window of what comes in parts, in bytes.
    init(windowLimit: UInt64) throws(Failure) {
        self.windowLimit = windowLimit
        do { decompressor = try Decompressor() } catch { throw .codec(error) }
    }

    mutating func apply(
        _ load: consuming Load, bound: Int, offset: UInt64, slots: Slots
    ) throws(Failure) -> Frame {
        let sourceSize = load.count
        let output = try OutputBuffer(capacity: bound)
        let memory = output.memory
        let size = try gather.withContiguous(load) { frames throws(Failure) in
            try Self.apply(frames, into: memory, offset: offset, with: &decompressor)
        }
        return Frame(bytes: output.finish(count: size), sourceSize: sourceSize, slots: slots)
    }

    /// Decompresses contiguous frames into memory that has room for their bound; returns the size of the content.
    mutating func apply(
        _ frames: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> Int {
        try Self.apply(frames, into: memory, offset: 0, with: &decompressor)
    }

    private static func apply(
        _ frames: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer, offset: UInt64,
        with decompressor: inout Decompressor
    ) throws(Failure) -> Int {
        try codec { () throws(CodecFailure) in
            do throws(CodecFailure) {
                return try decompressor.decompress(frames, into: memory, offset: offset)
            } catch {
                try findDamage(in: frames, memory, offset: offset, with: &decompressor)
                throw error
            }
        }
    }

    /// Decompresses frame by frame, after all of them together failed.
    ///
    /// - Throws: the failure with the offset of its frame.
    private static func findDamage(
        in frames: UnsafeRawBufferPointer, _ memory: UnsafeMutableRawBufferPointer, offset: UInt64,
        with decompressor: inout Decompressor
    ) throws(CodecFailure) {
        var scanner = FrameScanner(windowLimit: .max)
        var rest = frames
        while !rest.isEmpty {
            let (size, _) = try scanner.scan(rest)
            let frame = UnsafeRawBufferPointer(rebasing: rest[..<size])
            let start = offset + UInt64(frames.count - rest.count)
            _ = try decompressor.decompress(frame, into: memory, offset: start)
            rest = UnsafeRawBufferPointer(rebasing: rest[size...])
        }
    }

    mutating func begin() throws(Failure) {
        if parts == nil { parts = try PartDecoder(windowLimit: windowLimit) }
        parts?.begin()
    }

    mutating func step(
        _ part: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool, offset: UInt64
    ) throws(Failure) -> (written: Int, isDone: Bool) {
        defer { partMemory = parts?.memory ?? 0 }
        return try parts?.step(&part, into: output, isLast: isLast, offset: offset) ?? (0, true)
    }
}
