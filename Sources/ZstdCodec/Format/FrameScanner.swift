/// Finds the boundaries of frames from their headers and the three-byte headers of blocks, without decoding.
///
/// It reports the requirements of frames, and rejects only what is not a frame; the caller decides what to decode. The
/// input may come in regions of any size: if a header is split between regions, the scanner keeps its first part. It
/// skips the body of every block, so the cost does not depend on the size of the content.
package struct FrameScanner: Sendable {
    /// What comes next in the input.
    private enum Step {
        /// The bytes parsed by `FrameStart`.
        case start
        /// The header of a block.
        case block
        /// The checksum at the end of a frame.
        case checksum
        /// Bytes that need not be examined, and whether they belong to the last block.
        case skip(UInt64, isLast: Bool)
        /// Zeros after the last frame, up to the end of the input.
        case zeros
    }

    /// The seek table that a stream header has announced.
    private enum AnnouncedTable {
        case none, pending
        /// It was the last frame.
        case complete
    }

    /// The offset in the input of the next byte to scan.
    package private(set) var offset: UInt64
    /// The number of frames that have ended, including skippable ones.
    package private(set) var frameCount: UInt64 = 0
    /// The frame in progress; nil between frames.
    package private(set) var current: Frame?
    private var step = Step.start
    /// The first bytes of a frame, and how many are needed for the next decision.
    private var collected: [UInt8] = []
    private var needed = magicSize
    /// A number split between regions: the value of its first bytes, and their count.
    private var number = (value: UInt32(0), size: 0)
    /// Parses the bytes to skip if they are a seek table.
    private var table: SeekTableScanner?
    /// Whether zeros may follow any last frame.
    private let ignoresZeros: Bool
    private var announced = AnnouncedTable.none
    /// The last frame, if it may be a stream header that was cut, with zeros in place of the rest.
    private var cutHeader: CutHeader?

    /// The number of bytes that show whether a frame begins.
    package static let magicSize = 4

    /// Whether bytes begin with the magic number of a frame, skippable and legacy ones included.
    package static func isFrame(_ bytes: RawSpan) -> Bool {
        guard bytes.byteCount >= magicSize else { return false }
        let magic = bytes.littleEndian(at: 0, as: UInt32.self)
        return FrameFormat.isFrame(magic) || FrameFormat.legacyMagics.contains(magic)
    }

    /// The first position with the magic number of a frame or a skippable frame.
    package static func firstMagic(in bytes: RawSpan) -> Int? {
        (0..<max(0, bytes.byteCount - magicSize + 1)).first { position in
            FrameFormat.isFrame(bytes.littleEndian(at: position, as: UInt32.self))
        }
    }

    /// - Parameters:
    ///   - offset: the start of the first frame in the input.
    ///   - ignoresZeros: whether zeros may follow any last frame. Otherwise they may only follow the seek table of one
    ///     of our streams, which proves that the stream is complete.
    package init(offset: UInt64 = 0, ignoresZeros: Bool = false) {
        (self.offset, self.ignoresZeros) = (offset, ignoresZeros)
    }

    /// The start of zeros after the last frame; nil before they come.
    package var zerosOffset: UInt64? { if case .zeros = step { current?.offset } else { nil } }

    /// Continues the scan until a frame ends or the bytes do.
    ///
    /// - Returns: how many of `bytes` were scanned, and the frame that ended there, if one did.
    /// - Throws: what is wrong with the frame, or that there is none.
    package mutating func scan(_ bytes: RawSpan) throws(CodecFailure) -> (scanned: Int, ended: Frame?) {
        var rest = bytes
        while !rest.isEmpty {
            if current == nil { current = Frame(offset: offset) }
            if let frame = try advance(&rest) { return (bytes.byteCount - rest.byteCount, frame) }
        }
        return (bytes.byteCount, nil)
    }

    /// The number of bytes that come next and need not be examined. A caller that can seek need not read them.
    package var bytesToSkip: UInt64 { if case .skip(let count, _) = step, table == nil { count } else { 0 } }

    /// Skips bytes that were not read.
    ///
    /// - Parameter count: at most `bytesToSkip`.
    /// - Returns: the frame that ended there, if one did.
    package mutating func skip(_ count: UInt64) -> Frame? {
        guard case .skip(let rest, let isLast) = step, count > 0 else { return nil }
        precondition(count <= rest, "more bytes are skipped than there are")
        offset += count
        return expect(rest - count, isLast: isLast)
    }

    /// Ends the scan at the end of the input.
    ///
    /// - Throws: `truncated` within a frame, `damagedSeekTable` within a seek table, `empty` if there were no bytes;
    ///   `notZstandard` or `trailingZeros` if the last bytes are too few for a magic number.
    package func finish() throws(CodecFailure) {
        guard let current else {
            if frameCount == 0 { throw .empty }
            if let cutHeader, cutHeader.hasContent { throw cutHeader.failure }
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

    /// Parses what comes next, as far as it is available; returns the frame if it ends.
    private mutating func advance(_ rest: inout RawSpan) throws(CodecFailure) -> Frame? {
        switch step {
        case .start: return try takeStart(&rest)
        case .block: return try takeBlocks(&rest)
        case .checksum:
            guard let checksum = takeNumber(of: FrameFormat.checksumSize, &rest) else { return nil }
            current?.checksum = checksum
            return endFrame()
        case .skip(let count, let isLast):
            let part = rest.extracting(first: Int(clamping: count))
            table?.take(part)
            pass(part.byteCount, of: &rest)
            return expect(count - UInt64(part.byteCount), isLast: isLast)
        case .zeros:
            guard rest.areZeros else {
                throw .corrupt(reason: "zeros come before its magic number", offset: frameOffset)
            }
            pass(rest.byteCount, of: &rest)
            return nil
        }
    }

    private mutating func pass(_ count: Int, of rest: inout RawSpan) {
        rest = rest.extracting(count...)
        offset += UInt64(count)
    }

    /// Sets the number of bytes to skip, which may be 0, and the step after them; returns the frame if it ends.
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

    /// Parses the next `size` bytes as a little-endian number; nil while some are missing.
    private mutating func takeNumber(of size: Int, _ rest: inout RawSpan) -> UInt32? {
        while number.size < size {
            if rest.isEmpty { return nil }
            number = (number.value | UInt32(rest[0]) << UInt32(8 * number.size), number.size + 1)
            pass(1, of: &rest)
        }
        defer { number = (0, 0) }
        return number.value
    }

    private var frameOffset: UInt64 { current?.offset ?? offset }

    /// Parses the start of a frame, at once if its whole header is available, as is usual.
    private mutating func takeStart(_ rest: inout RawSpan) throws(CodecFailure) -> Frame? {
        if collected.isEmpty, let header = FrameHeader(ofFrame: rest) {
            pass(header.size, of: &rest)
            begin(header)
            return nil
        }
        // Magic numbers never begin with a zero byte.
        if collected.isEmpty, rest[0] == 0, frameCount > 0, ignoresZeros || announced == .complete {
            if let cutHeader { throw cutHeader.failure }
            current?.isSkippable = true
            step = .zeros
            return nil
        }
        // Collect only what is needed so far: `FrameStart` asks for more until the header is complete.
        let part = rest.extracting(first: needed - collected.count)
        collected.append(copying: part)
        pass(part.byteCount, of: &rest)
        guard collected.count == needed else { return nil }
        switch try FrameStart(collected.span.bytes, at: frameOffset, isFirst: frameCount == 0) {
        case .incomplete(let count): needed = count
        case .frame(let header): begin(header)
        case .skippable(let header, let count, let isTable):
            cutHeader = CutHeader(collected.span.bytes, at: frameOffset)
            current?.isSkippable = true
            current?.annotation = header.map { .streamHeader($0) }
            if isTable { table = SeekTableScanner(size: count) }
            return expect(count, isLast: true)
        }
        return nil
    }

    /// Stores the header of a frame, whose blocks come next.
    private mutating func begin(_ header: FrameHeader) {
        current?.header = header
        cutHeader = nil
        step = .block
    }

    private mutating func takeBlocks(_ rest: inout RawSpan) throws(CodecFailure) -> Frame? {
        let limit = current?.header?.blockLimit ?? FrameFormat.maximumBlockSize
        // The fast path needs a block header that is not split between regions.
        if number.size == 0 { passBlocks(of: &rest, limit: limit) }
        guard let header = takeNumber(of: FrameFormat.blockHeaderSize, &rest) else { return nil }
        let block = Block(header: Int(header), limit: limit)
        if let flaw = block.flaw { throw .corrupt(reason: flaw, offset: frameOffset) }
        current?.blockBound += UInt64(block.bound)
        current?.overhead += UInt64(block.overhead)
        return expect(UInt64(block.bodySize), isLast: block.isLast)
    }

    /// Skips blocks, except the last, that are available as a whole, as most are, without a step for each.
    private mutating func passBlocks(of rest: inout RawSpan, limit: Int) {
        var (position, bound, overhead) = (0, 0, 0)
        let bytes = rest
        // More than a header, because four bytes are loaded at once; the last one is masked off.
        while bytes.byteCount - position > FrameFormat.blockHeaderSize {
            let header = bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt32.self)
            if UInt32(littleEndian: header) & 0xFF_FFFF == 0 {
                // Empty blocks come in millions, if at all.
                let size = Self.sizeOfEmptyBlocks(bytes.extracting(position...))
                (position, overhead) = (position + size, overhead + size)
                continue
            }
            let block = Block(header: Int(UInt32(littleEndian: header) & 0xFF_FFFF), limit: limit)
            let end = position + FrameFormat.blockHeaderSize + block.bodySize
            if block.isLast || block.flaw != nil || end > bytes.byteCount { break }
            (position, bound, overhead) = (end, bound + block.bound, overhead + block.overhead)
        }
        current?.blockBound += UInt64(bound)
        current?.overhead += UInt64(overhead)
        pass(position, of: &rest)
    }

    /// The bytes of empty blocks, which are zeros, at the start of some bytes.
    private static func sizeOfEmptyBlocks(_ bytes: RawSpan) -> Int {
        bytes.leadingZeros / FrameFormat.blockHeaderSize * FrameFormat.blockHeaderSize
    }

    /// Passes over the empty blocks that come next. Since they change nothing in what follows them, a decoder need not
    /// see them.
    ///
    /// - Returns: their bytes, at the start of `bytes`.
    package mutating func skipEmptyBlocks(_ bytes: RawSpan) -> Int {
        guard case .block = step, number.size == 0 else { return 0 }
        let size = Self.sizeOfEmptyBlocks(bytes)
        current?.overhead += UInt64(size)
        offset += UInt64(size)
        return size
    }

    /// The bytes that complete the header of a block that was split between regions; nil if none was.
    package var restOfBlockHeader: Int? {
        if case .block = step, number.size > 0 { FrameFormat.blockHeaderSize - number.size } else { nil }
    }

    private mutating func endFrame() -> Frame? {
        guard var frame = current else { return nil }
        frame.compressedSize = offset - frame.offset
        if let table { frame.annotation = table.outline.map { .seekTable($0) } }
        switch frame.annotation {
        case .streamHeader: announced = .pending
        // Only a table that a header has announced proves that the stream is complete.
        case .seekTable: announced = announced == .pending ? .complete : .none
        case nil: if announced == .complete { announced = .none }
        }
        frameCount += 1
        (current, table) = (nil, nil)
        (step, needed) = (.start, Self.magicSize)
        collected.removeAll(keepingCapacity: true)
        return frame
    }
}

extension FrameScanner {
    /// A frame, as far as it has been scanned.
    package struct Frame: Equatable, Sendable {
        /// The start of the frame in the input.
        package var offset: UInt64
        /// The compressed size with header and checksum, in bytes; 0 until the frame ends.
        package var compressedSize: UInt64 = 0
        /// Nil for a skippable frame, and until the header has been scanned.
        package var header: FrameHeader?
        package var isSkippable = false
        /// The most bytes that the blocks can decompress to.
        package var blockBound: UInt64 = 0
        /// How many bytes longer the blocks are than what they can decompress to. This is almost 0, except in a frame
        /// of empty blocks, which may go on forever (a file that ends in zeros reads like one).
        package var overhead: UInt64 = 0
        /// The low 32 bits of XXH64 of the content, once a frame with a checksum has ended.
        package var checksum: UInt32?
        package var annotation: Annotation?

        package init(offset: UInt64) {
            self.offset = offset
        }

        package var isSeekTable: Bool { if case .seekTable = annotation { true } else { false } }
        package var isStreamHeader: Bool { if case .streamHeader = annotation { true } else { false } }

        /// The content size according to the headers; nil if a frame that is not skippable does not give it.
        package var contentSize: UInt64? { isSkippable ? 0 : header?.contentSize }

        /// The most bytes that the frame decompresses to: the content size in its header, or less if the blocks can't
        /// hold that.
        package var decompressedBound: UInt64 { min(header?.contentSize ?? .max, blockBound) }
    }

    /// What a skippable frame written by this project says about its stream.
    package enum Annotation: Equatable, Sendable {
        case streamHeader(StreamHeader)
        case seekTable(SeekTableOutline)
    }
}

/// The information in the first bytes of a frame, which precede its blocks or the content of a skippable frame.
enum FrameStart {
    /// More bytes are needed: this many in all.
    case incomplete(needed: Int)
    case frame(FrameHeader)
    /// `rest` bytes follow those that were parsed; they may be a seek table.
    case skippable(StreamHeader? = nil, rest: UInt64, isTable: Bool = false)

    /// - Parameters:
    ///   - bytes: at most as many as `incomplete` has asked for.
    ///   - offset: the start of the frame in the input.
    ///   - isFirst: whether this is the first frame.
    /// - Throws: what is wrong with the frame, or that there is none.
    init(_ bytes: RawSpan, at offset: UInt64, isFirst: Bool) throws(CodecFailure) {
        guard bytes.byteCount >= FrameScanner.magicSize else {
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

    private static func frame(_ bytes: RawSpan, at offset: UInt64) throws(CodecFailure) -> Self {
        guard bytes.byteCount >= FrameHeader.prefixSize else { return .incomplete(needed: FrameHeader.prefixSize) }
        guard let size = FrameHeader.size(descriptor: bytes[4]) else {
            throw .corrupt(reason: "a reserved bit of the header is set", offset: offset)
        }
        return bytes.byteCount < size ? .incomplete(needed: size) : .frame(FrameHeader(bytes))
    }

    private static func skippable(_ bytes: RawSpan, _ magic: UInt32, at offset: UInt64) throws(CodecFailure) -> Self {
        let start = FrameFormat.skippableHeaderSize
        guard bytes.byteCount >= start else { return .incomplete(needed: start) }
        let size = bytes.littleEndian(at: 4, as: UInt32.self)
        let (name, isWhole) = (StreamHeader.name, size == StreamHeader.contentSize)
        guard magic == StreamHeader.magic, size > name.count else {
            return .skippable(rest: UInt64(size), isTable: magic == SeekTable.magic)
        }
        let parsed = start + (isWhole ? StreamHeader.contentSize : name.count)
        guard bytes.byteCount >= parsed else { return .incomplete(needed: parsed) }
        let header = StreamHeader(bytes)
        if header == nil, bytes.has(name, at: start) {
            // If the size is damaged, skipping that many bytes would swallow frames, and the content would be shorter
            // without an error.
            let reason = isWhole ? "a stream header of another version" : "the stream header has the wrong size"
            throw .corrupt(reason: reason, offset: offset)
        }
        return .skippable(header, rest: UInt64(start) + UInt64(size) - UInt64(parsed))
    }
}
