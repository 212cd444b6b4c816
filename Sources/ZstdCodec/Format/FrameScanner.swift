/// Finds where frames begin and end, from their headers and the three bytes in front of each block, without decoding.
///
/// It reports what frames ask for, and refuses only what is no frame; the caller decides what to decode. The input may
/// come in regions of any size: the scanner keeps what it needs of a header that is cut. It skips the body of every
/// block, so its cost does not depend on the size of the content.
package struct FrameScanner: Sendable {
    private enum Step {
        /// Collects bytes until they make a `FrameStart`.
        case start
        /// Collects the header of a block.
        case block
        /// Collects the checksum at the end of a frame.
        case checksum
        case skip(UInt64, isLast: Bool)
    }

    /// Where the next byte to scan lies in the input.
    package private(set) var offset: UInt64
    /// Frames that have ended, skippable ones included.
    package private(set) var frameCount: UInt64 = 0
    /// The frame that has begun and not ended.
    package private(set) var current: Frame?
    private var step = Step.start
    private var collected: [UInt8] = []
    private var needed = magicSize
    /// Reads what is skipped, if that is a seek table.
    private var table: SeekTableScanner?

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

    /// - Parameter offset: where the first frame begins in the input.
    package init(offset: UInt64 = 0) {
        self.offset = offset
    }

    /// Scans on until a frame ends or the bytes do.
    ///
    /// - Returns: how many of `bytes` were scanned, and the frame that ended there, if one did.
    /// - Throws: what is wrong with the frame, or that there is none.
    package mutating func scan(
        _ bytes: UnsafeRawBufferPointer
    ) throws(CodecFailure) -> (scanned: Int, ended: Frame?) {
        var position = 0
        while position < bytes.count {
            if current == nil { current = Frame(offset: offset) }
            let taken = take(UnsafeRawBufferPointer(rebasing: bytes[position...]))
            position += taken
            offset += UInt64(taken)
            if let frame = try advance() { return (position, frame) }
        }
        return (position, nil)
    }

    /// Bytes that come next and do not matter: a caller that can seek need not read them.
    package var bytesToSkip: UInt64 { if case .skip(let count, _) = step, table == nil { count } else { 0 } }

    /// Passes over bytes that were not read.
    ///
    /// - Parameter count: at most `bytesToSkip`.
    /// - Returns: the frame that ended there, if one did.
    package mutating func skip(_ count: UInt64) throws(CodecFailure) -> Frame? {
        guard case .skip(let rest, let isLast) = step, count > 0 else { return nil }
        precondition(count <= rest, "more bytes are skipped than there are")
        step = .skip(rest - count, isLast: isLast)
        offset += count
        return try advance()
    }

    /// States that the input ends here.
    ///
    /// - Throws: `truncated` within a frame, `damagedSeekTable` within a seek table, `empty` if there was no byte.
    package func finish() throws(CodecFailure) {
        guard let current else {
            if frameCount == 0 { throw .empty }
            return
        }
        if frameCount == 0, case .start = step, needed == Self.magicSize { throw .notZstandard }
        if table != nil { throw .damagedSeekTable(offset: current.offset) }
        throw .truncated(offset: offset)
    }

    /// Takes what the step needs of some bytes, which are not empty.
    ///
    /// - Returns: how many were taken.
    private mutating func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        switch step {
        case .skip(let count, let isLast):
            let taken = Int(min(count, UInt64(bytes.count)))
            step = .skip(count - UInt64(taken), isLast: isLast)
            table?.take(UnsafeRawBufferPointer(rebasing: bytes[..<taken]))
            return taken
        case .start where collected.isEmpty: return takeHeader(bytes) ?? collect(bytes)
        case .block where collected.isEmpty: return skipBlocks(bytes) ?? collect(bytes)
        case .start, .block, .checksum: return collect(bytes)
        }
    }

    private mutating func collect(_ bytes: UnsafeRawBufferPointer) -> Int {
        let taken = min(needed - collected.count, bytes.count)
        collected.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[..<taken]))
        return taken
    }

    /// Takes every step for which enough was collected; returns the frame if it ends.
    private mutating func advance() throws(CodecFailure) -> Frame? {
        while true {
            switch step {
            case .skip(0, isLast: true):
                guard current?.header?.hasChecksum == true else { return endFrame() }
                expect(.checksum, bytes: FrameFormat.checksumSize)
            case .skip(0, isLast: false): expect(.block, bytes: Block.headerSize)
            case .checksum where collected.count == needed:
                current?.checksum = collected.withUnsafeBytes { $0.littleEndian(at: 0, as: UInt32.self) }
                return endFrame()
            case .start where collected.count == needed: try parseStart()
            case .block where collected.count == needed: try parseBlock()
            case .skip, .start, .block, .checksum: return nil
            }
        }
    }

    private mutating func expect(_ next: Step, bytes: Int) {
        step = next
        needed = bytes
        collected.removeAll(keepingCapacity: true)
    }

    private var frameOffset: UInt64 { current?.offset ?? offset }

    private mutating func parseStart() throws(CodecFailure) {
        let start = try collected.span.bytes.withUnsafeBytes { bytes throws(CodecFailure) in
            try FrameStart(bytes, at: frameOffset, isFirst: frameCount == 0)
        }
        switch start {
        case .incomplete(let count): needed = count
        case .frame(let header): begin(header)
        case .skippable(let header, let rest):
            current?.isSkippable = true
            current?.annotation = header.map { .streamHeader($0) }
            step = .skip(rest, isLast: true)
        case .seekTable(let size):
            current?.isSkippable = true
            step = .skip(UInt64(size), isLast: true)
            table = SeekTableScanner(size: size)
        }
    }

    /// Takes the header of a frame that lies entirely in `bytes`, as most do, without a step for each of its parts.
    ///
    /// - Returns: the bytes of the header; nil if it is cut, or none.
    private mutating func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let header = FrameHeader(ofFrame: bytes) else { return nil }
        begin(header)
        return header.size
    }

    /// Notes the header of a frame, whose blocks come next.
    private mutating func begin(_ header: FrameHeader) {
        current?.header = header
        expect(.block, bytes: Block.headerSize)
    }

    /// Parses the header of a block, whose body comes next.
    private mutating func parseBlock() throws(CodecFailure) {
        let limit = blockLimit
        let block = collected.withUnsafeBytes { Block($0, at: 0, limit: limit) }
        if let flaw = block.flaw { throw .corrupt(reason: flaw, offset: frameOffset) }
        note(block)
        step = .skip(UInt64(block.bodySize), isLast: block.isLast)
        collected.removeAll(keepingCapacity: true)
    }

    private mutating func note(_ block: Block) {
        current?.blockBound += UInt64(block.bound)
        current?.overhead += UInt64(block.overhead)
        current?.endsEmpty = block.bodySize == 0
    }

    /// The most that a block of the frame decompresses to, in bytes.
    private var blockLimit: Int { current?.header?.blockLimit ?? FrameFormat.maximumBlockSize }

    /// Passes over the blocks that lie entirely in `bytes`, as most do, without a step for each; leaves the last block.
    ///
    /// - Returns: the bytes of these blocks; nil if there are none.
    private mutating func skipBlocks(_ bytes: UnsafeRawBufferPointer) -> Int? {
        let limit = blockLimit
        var position = 0
        while bytes.count - position >= Block.headerSize {
            let block = Block(bytes, at: position, limit: limit)
            let end = position + Block.headerSize + block.bodySize
            if block.isLast || block.flaw != nil || end > bytes.count { break }
            note(block)
            position = end
        }
        return position > 0 ? position : nil
    }

    private mutating func endFrame() -> Frame? {
        guard var frame = current else { return nil }
        frame.compressedSize = offset - frame.offset
        if let table { frame.annotation = table.outline.map { .seekTable($0) } }
        frameCount += 1
        (current, table) = (nil, nil)
        expect(.start, bytes: Self.magicSize)
        return frame
    }
}
