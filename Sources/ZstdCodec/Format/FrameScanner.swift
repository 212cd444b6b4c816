/// Finds where frames begin and end, from their headers and the three bytes in front of each block, without decoding.
///
/// It reports what frames ask for, and refuses only what is no frame; the caller decides what to decode. The input may
/// come in regions of any size: the scanner keeps what it needs of a header that is cut. It skips the body of every
/// block, so its cost does not depend on the size of the content.
package struct FrameScanner: Sendable {
    /// What comes next.
    private enum Step {
        /// What makes a `FrameStart`.
        case start
        /// The header of a block.
        case block
        /// The checksum at the end of a frame.
        case checksum
        /// Bytes that do not matter, and whether they are those of the last block.
        case skip(UInt64, isLast: Bool)
        /// Zeros behind the last frame, up to the end of the input.
        case zeros
    }

    /// Where the next byte to scan lies in the input.
    package private(set) var offset: UInt64
    /// Frames that have ended, skippable ones included.
    package private(set) var frameCount: UInt64 = 0
    /// The frame that has begun and not ended.
    package private(set) var current: Frame?
    private var step = Step.start
    /// The first bytes of a frame, and how many are needed to tell more.
    private var collected: [UInt8] = []
    private var needed = magicSize
    /// A number that is cut: its first bytes, and how many these are.
    private var number = (value: UInt32(0), size: 0)
    /// Reads what is skipped, if that is a seek table.
    private var table: SeekTableScanner?
    /// Whether zeros may follow the last frame in any case.
    private let ignoresZeros: Bool
    /// Whether a stream has been announced whose seek table did not come yet, and whether the last frame was that.
    private var (isAnnounced, isProven) = (false, false)

    /// Bytes that tell whether a frame begins.
    package static let magicSize = 4

    /// Whether bytes begin like a frame, skippable and legacy ones included.
    package static func isFrame(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= magicSize else { return false }
        let magic = bytes.littleEndian(at: 0, as: UInt32.self)
        return FrameFormat.isFrame(magic) || FrameFormat.legacyMagics.contains(magic)
    }

    /// The first place at which bytes begin like a frame or a skippable frame.
    package static func firstMagic(in bytes: UnsafeRawBufferPointer) -> Int? {
        (0..<max(0, bytes.count - magicSize + 1)).first { position in
            FrameFormat.isFrame(bytes.littleEndian(at: position, as: UInt32.self))
        }
    }

    /// - Parameters:
    ///   - offset: where the first frame begins in the input.
    ///   - ignoresZeros: whether zeros may follow any last frame, and not only the seek table of one of our streams,
    ///     which proves that there is no more of it.
    package init(offset: UInt64 = 0, ignoresZeros: Bool = false) {
        (self.offset, self.ignoresZeros) = (offset, ignoresZeros)
    }

    /// Where zeros begin that follow the last frame; nil before they come.
    package var zerosOffset: UInt64? { if case .zeros = step { current?.offset } else { nil } }

    /// Scans on until a frame ends or the bytes do.
    ///
    /// - Returns: how many of `bytes` were scanned, and the frame that ended there, if one did.
    /// - Throws: what is wrong with the frame, or that there is none.
    package mutating func scan(
        _ bytes: UnsafeRawBufferPointer
    ) throws(CodecFailure) -> (scanned: Int, ended: Frame?) {
        var rest = bytes
        while !rest.isEmpty {
            if current == nil { current = Frame(offset: offset) }
            if let frame = try advance(&rest) { return (bytes.count - rest.count, frame) }
        }
        return (bytes.count, nil)
    }

    /// Bytes that come next and do not matter: a caller that can seek need not read them.
    package var bytesToSkip: UInt64 { if case .skip(let count, _) = step, table == nil { count } else { 0 } }

    /// Passes over bytes that were not read.
    ///
    /// - Parameter count: at most `bytesToSkip`.
    /// - Returns: the frame that ended there, if one did.
    package mutating func skip(_ count: UInt64) -> Frame? {
        guard case .skip(let rest, let isLast) = step, count > 0 else { return nil }
        precondition(count <= rest, "more bytes are skipped than there are")
        offset += count
        return expect(rest - count, isLast: isLast)
    }

    /// States that the input ends here.
    ///
    /// - Throws: `truncated` within a frame, `damagedSeekTable` within a seek table, `empty` if there was no byte.
    package func finish() throws(CodecFailure) {
        guard let current else {
            if frameCount == 0 { throw .empty }
            return
        }
        if case .zeros = step { return }
        if frameCount > 0, !collected.isEmpty, collected.allSatisfy({ $0 == 0 }) {
            throw .trailingZeros(offset: current.offset)
        }
        if frameCount == 0, case .start = step, needed == Self.magicSize { throw .notZstandard }
        if table != nil { throw .damagedSeekTable(offset: current.offset) }
        throw .truncated(offset: offset)
    }

    /// Takes what comes next, as far as it is there; returns the frame if it ends.
    private mutating func advance(_ rest: inout UnsafeRawBufferPointer) throws(CodecFailure) -> Frame? {
        switch step {
        case .start: return try takeStart(&rest)
        case .block: return try takeBlocks(&rest)
        case .checksum:
            guard let checksum = takeNumber(of: FrameFormat.checksumSize, &rest) else { return nil }
            current?.checksum = checksum
            return endFrame()
        case .skip(let count, let isLast):
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(clamping: count)))
            table?.take(part)
            pass(part.count, of: &rest)
            return expect(count - UInt64(part.count), isLast: isLast)
        case .zeros:
            guard rest.areZeros else {
                throw .corrupt(reason: "zeros come before its magic number", offset: frameOffset)
            }
            pass(rest.count, of: &rest)
            return nil
        }
    }

    private mutating func pass(_ count: Int, of rest: inout UnsafeRawBufferPointer) {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        offset += UInt64(count)
    }

    /// Notes how many bytes come next that do not matter, which may be none; returns the frame if it ends.
    private mutating func expect(_ count: UInt64, isLast: Bool) -> Frame? {
        if count > 0 {
            step = .skip(count, isLast: isLast)
        } else if !isLast {
            step = .block
        } else if current?.header?.hasChecksum == true {
            step = .checksum
        } else {
            return endFrame()
        }
        return nil
    }

    /// Takes the next `size` bytes as a little-endian number; nil as long as some are missing.
    private mutating func takeNumber(of size: Int, _ rest: inout UnsafeRawBufferPointer) -> UInt32? {
        while number.size < size {
            guard let byte = rest.first else { return nil }
            number = (number.value | UInt32(byte) << UInt32(8 * number.size), number.size + 1)
            pass(1, of: &rest)
        }
        defer { number = (0, 0) }
        return number.value
    }

    private var frameOffset: UInt64 { current?.offset ?? offset }

    /// Takes the first bytes of a frame: in one go if its whole header is there, as is most often the case.
    private mutating func takeStart(_ rest: inout UnsafeRawBufferPointer) throws(CodecFailure) -> Frame? {
        if collected.isEmpty, let header = FrameHeader(ofFrame: rest) {
            pass(header.size, of: &rest)
            begin(header)
            return nil
        }
        // No magic number begins with one.
        if collected.isEmpty, rest.first == 0, frameCount > 0, ignoresZeros || isProven {
            current?.isSkippable = true
            step = .zeros
            return nil
        }
        let part = UnsafeRawBufferPointer(rebasing: rest.prefix(needed - collected.count))
        collected.append(contentsOf: part)
        pass(part.count, of: &rest)
        guard collected.count == needed else { return nil }
        let start = try collected.span.bytes.withUnsafeBytes { bytes throws(CodecFailure) in
            try FrameStart(bytes, at: frameOffset, isFirst: frameCount == 0)
        }
        switch start {
        case .incomplete(let count): needed = count
        case .frame(let header): begin(header)
        case .skippable(let header, let count, let isTable):
            current?.isSkippable = true
            current?.annotation = header.map { .streamHeader($0) }
            if isTable { table = SeekTableScanner(size: count) }
            return expect(count, isLast: true)
        }
        return nil
    }

    /// Notes the header of a frame, whose blocks come next.
    private mutating func begin(_ header: FrameHeader) {
        current?.header = header
        step = .block
    }

    private mutating func takeBlocks(_ rest: inout UnsafeRawBufferPointer) throws(CodecFailure) -> Frame? {
        let limit = current?.header?.blockLimit ?? FrameFormat.maximumBlockSize
        if number.size == 0 { passBlocks(of: &rest, limit: limit) }
        guard let header = takeNumber(of: Block.headerSize, &rest) else { return nil }
        let block = Block(header: Int(header), limit: limit)
        if let flaw = block.flaw { throw .corrupt(reason: flaw, offset: frameOffset) }
        current?.blockBound += UInt64(block.bound)
        current?.overhead += UInt64(block.overhead)
        current?.endsEmpty = block.bodySize == 0
        return expect(UInt64(block.bodySize), isLast: block.isLast)
    }

    /// Passes over blocks that are there as a whole and not the last, as most are: without a step for each.
    private mutating func passBlocks(of rest: inout UnsafeRawBufferPointer, limit: Int) {
        var (position, bound, overhead) = (0, 0, 0)
        while rest.count - position > Block.headerSize {
            let header = rest.littleEndian(at: position, as: UInt32.self) & 0xFF_FFFF
            let block = Block(header: Int(header), limit: limit)
            let end = position + Block.headerSize + block.bodySize
            if block.isLast || block.flaw != nil || end > rest.count { break }
            (position, bound, overhead) = (end, bound + block.bound, overhead + block.overhead)
        }
        current?.blockBound += UInt64(bound)
        current?.overhead += UInt64(overhead)
        pass(position, of: &rest)
    }

    private mutating func endFrame() -> Frame? {
        guard var frame = current else { return nil }
        frame.compressedSize = offset - frame.offset
        if let table { frame.annotation = table.outline.map { .seekTable($0) } }
        switch frame.annotation {
        case .streamHeader: (isAnnounced, isProven) = (true, false)
        case .seekTable: (isAnnounced, isProven) = (false, isAnnounced)
        case nil: isProven = false
        }
        frameCount += 1
        (current, table) = (nil, nil)
        (step, needed) = (.start, Self.magicSize)
        collected.removeAll(keepingCapacity: true)
        return frame
    }
}

extension UnsafeRawBufferPointer {
    /// Whether all bytes are zero.
    package var areZeros: Bool {
        var position = 0
        while position + 8 <= count {
            if loadUnaligned(fromByteOffset: position, as: UInt64.self) != 0 { return false }
            position += 8
        }
        return self[position...].allSatisfy { $0 == 0 }
    }
}

extension FrameScanner {
    /// A frame, as far as it was scanned.
    package struct Frame: Equatable, Sendable {
        /// Where the frame begins in the input.
        package var offset: UInt64
        /// Compressed bytes, header and checksum included; 0 until the frame ends.
        package var compressedSize: UInt64 = 0
        /// Nil for a skippable frame, and until the header was scanned.
        package var header: FrameHeader?
        package var isSkippable = false
        /// The most that the blocks can decompress to, in bytes.
        package var blockBound: UInt64 = 0
        /// Bytes by which blocks are longer than what they can decompress to: next to nothing, except in a frame of
        /// empty blocks, which may go on for ever (a file that ends in zeros reads like one).
        package var overhead: UInt64 = 0
        /// Whether the last block has no body.
        var endsEmpty = false
        /// The low 32 bits of XXH64 of the content, when a frame with a checksum has ended.
        package var checksum: UInt32?
        package var annotation: Annotation?

        package init(offset: UInt64) {
            self.offset = offset
        }

        /// Decompressed bytes, as far as the headers say: nil if a frame that is not skippable makes no claim.
        package var contentSize: UInt64? { isSkippable ? 0 : header?.contentSize }

        /// The most that the frame decompresses to, in bytes: the header's claim, as far as the blocks bear it out.
        package var decompressedBound: UInt64 { min(header?.contentSize ?? .max, blockBound) }
    }

    /// What a skippable frame that this project writes says about its stream.
    package enum Annotation: Equatable, Sendable {
        case streamHeader(StreamHeader)
        case seekTable(SeekTableOutline)
    }
}

/// What the first bytes of a frame say: those in front of its blocks, or of what a skippable frame holds.
enum FrameStart {
    /// Nothing can be told from fewer bytes than these.
    case incomplete(needed: Int)
    case frame(FrameHeader)
    /// `rest` bytes follow those that were parsed; they may be those of a seek table.
    case skippable(StreamHeader? = nil, rest: UInt64, isTable: Bool = false)

    /// - Parameters:
    ///   - bytes: no more than `incomplete` has asked for.
    ///   - offset: where the frame begins in the input.
    ///   - isFirst: whether it is the first one.
    /// - Throws: what is wrong with the frame, or that there is none.
    init(_ bytes: UnsafeRawBufferPointer, at offset: UInt64, isFirst: Bool) throws(CodecFailure) {
        guard bytes.count >= FrameScanner.magicSize else {
            self = .incomplete(needed: FrameScanner.magicSize)
            return
        }
        let magic = bytes.littleEndian(at: 0, as: UInt32.self)
        switch magic {
        case FrameFormat.magic: self = try Self.frame(bytes, at: offset)
        case FrameFormat.skippableMagics: self = try Self.skippable(bytes, magic, at: offset)
        case _ where FrameFormat.legacyMagics.contains(magic): throw .legacyFormat(offset: offset)
        case 0 where !isFirst: throw .trailingZeros(offset: offset)
        default: throw isFirst ? .notZstandard : .trailingBytes(offset: offset)
        }
    }

    private static func frame(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(CodecFailure) -> Self {
        guard bytes.count >= FrameHeader.prefixSize else { return .incomplete(needed: FrameHeader.prefixSize) }
        guard let size = FrameHeader.size(descriptor: bytes[4]) else {
            throw .corrupt(reason: "a reserved bit of the header is set", offset: offset)
        }
        return bytes.count < size ? .incomplete(needed: size) : .frame(FrameHeader(bytes))
    }

    private static func skippable(
        _ bytes: UnsafeRawBufferPointer, _ magic: UInt32, at offset: UInt64
    ) throws(CodecFailure) -> Self {
        let start = FrameFormat.skippableHeaderSize
        guard bytes.count >= start else { return .incomplete(needed: start) }
        let size = bytes.littleEndian(at: 4, as: UInt32.self)
        let (name, isWhole) = (StreamHeader.name, size == StreamHeader.contentSize)
        guard magic == StreamHeader.magic, size > name.count else {
            return .skippable(rest: UInt64(size), isTable: magic == SeekTable.magic)
        }
        let parsed = start + (isWhole ? StreamHeader.contentSize : name.count)
        guard bytes.count >= parsed else { return .incomplete(needed: parsed) }
        let header = StreamHeader(bytes)
        if header == nil, bytes[start..<start + name.count].elementsEqual(name) {
            // Were the size damaged, skipping it would swallow frames, and the content would be shorter without an
            // error.
            let reason = isWhole ? "a stream header of another version" : "the stream header has the wrong size"
            throw .corrupt(reason: reason, offset: offset)
        }
        return .skippable(header, rest: UInt64(start) + UInt64(size) - UInt64(parsed))
    }
}
