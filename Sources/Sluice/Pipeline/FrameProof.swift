internal import ByteStreams
internal import Glibc
internal import ZstdCodec

/// Decompresses the frames that a worker made, and compares them with what they were made from.
struct FrameProof: ~Copyable {
    private var decompressor: Decompressor
    private var buffer = GatherBuffer()
    /// What went into the frame that comes in parts, and did not come out of it yet.
    private var rest = Bytes()
    /// Bytes of that frame's content that were compared.
    private var position: UInt64 = 0
    /// The most that was kept of such content.
    private var restMemory = 0

    /// Bytes that it holds.
    var memory: Int { decompressor.memory + buffer.capacity + restMemory }

    init(_ verification: Verification) throws(Failure) {
        do {
            decompressor = try Decompressor(dictionary: verification.dictionary)
        } catch {
            throw .codec(error)
        }
    }

    /// Proves a whole frame.
    ///
    /// - Parameter offset: where the content begins in that of the run.
    /// - Throws: `unproven`.
    mutating func prove(_ frame: Bytes, of load: ChunkMemory, at offset: UInt64) throws(Failure) {
        var gathered = GatherBuffer()
        let content = try gathered.withContiguous(.bytes(frame)) { frame throws(Failure) in
            try decompress(frame, toward: load.count, at: offset)
        }
        switch load {
        case .region(let region): try Self.compare(content, with: region, at: offset)
        case .bytes(let bytes):
            var count = 0
            try bytes.forEachRegion { region throws(Failure) in
                let part = UnsafeRawBufferPointer(rebasing: content.dropFirst(count).prefix(region.count))
                try Self.compare(part, with: region, at: offset + UInt64(count))
                count += region.count
            }
        case .zeros:
            if let difference = content.firstIndex(where: { $0 != 0 }) {
                throw .unproven(contentOffset: offset + UInt64(difference))
            }
        }
    }

    /// The same for a frame and a content that are contiguous.
    mutating func prove(_ frame: UnsafeRawBufferPointer, of content: UnsafeRawBufferPointer) throws(Failure) {
        try Self.compare(decompress(frame, toward: content.count, at: 0), with: content, at: 0)
    }

    /// - Returns: so many bytes of content, until the next use.
    private mutating func decompress(
        _ frame: UnsafeRawBufferPointer, toward count: Int, at offset: UInt64
    ) throws(Failure) -> UnsafeRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer(rebasing: try buffer.room(for: count)[..<count])
        let size = try Self.decoding(at: offset) { () throws(CodecFailure) in
            try decompressor.decompress(frame, into: memory, offset: 0)
        }
        guard size == count else { throw .unproven(contentOffset: offset + UInt64(size)) }
        return UnsafeRawBufferPointer(memory)
    }

    /// Begins a frame that comes in parts.
    mutating func begin() throws(Failure) {
        (rest, position) = (Bytes(), 0)
        try codec { () throws(CodecFailure) in try decompressor.begin() }
    }

    /// Proves a part of it.
    ///
    /// - Parameters:
    ///   - content: what went into it, of which more may come out later.
    ///   - isLast: whether all of it came out.
    /// - Throws: `unproven`.
    mutating func prove(
        _ part: UnsafeRawBufferPointer, of content: UnsafeRawBufferPointer, isLast: Bool
    ) throws(Failure) {
        if !content.isEmpty { rest.append(try Self.copy(content)) }
        restMemory = max(restMemory, rest.count)
        let memory = UnsafeMutableRawBufferPointer(
            rebasing: try buffer.room(for: Frame.segmentSize)[..<Frame.segmentSize])
        var (part, isDone) = (part, part.isEmpty)
        while !isDone {
            let written: Int
            (written, isDone) = try Self.decoding(at: position) { () throws(CodecFailure) in
                let result = try decompressor.stream(&part, into: memory, offset: 0)
                return result
            }
            try compare(UnsafeRawBufferPointer(rebasing: memory[..<written]))
        }
        if isLast, !rest.isEmpty || !decompressor.hasEnded { throw .unproven(contentOffset: position) }
    }

    /// Compares what came out with what went in first.
    private mutating func compare(_ content: UnsafeRawBufferPointer) throws(Failure) {
        let wanted = rest.removeFirst(content.count)
        var count = 0
        try wanted.forEachRegion { region throws(Failure) in
            let part = UnsafeRawBufferPointer(rebasing: content[count...].prefix(region.count))
            try Self.compare(part, with: region, at: position + UInt64(count))
            count += region.count
        }
        position += UInt64(count)
        if count < content.count { throw .unproven(contentOffset: position) }
    }

    private static func copy(_ content: UnsafeRawBufferPointer) throws(Failure) -> Bytes {
        let output = try OutputBuffer(capacity: content.count)
        output.memory.copyMemory(from: content)
        return output.finish(count: content.count)
    }

    private static func compare(
        _ content: UnsafeRawBufferPointer, with wanted: UnsafeRawBufferPointer, at offset: UInt64
    ) throws(Failure) {
        if let difference = wanted.firstDifference(from: content) {
            throw .unproven(contentOffset: offset + UInt64(difference))
        }
    }

    /// Runs what decodes: a frame that can't be decoded is not what it should be.
    private static func decoding<Result>(
        at offset: UInt64, _ body: () throws(CodecFailure) -> Result
    ) throws(Failure) -> Result {
        do throws(CodecFailure) { return try body() } catch {
            throw error == .outOfMemory ? .codec(error) : .unproven(contentOffset: offset)
        }
    }
}
