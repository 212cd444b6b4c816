/// Finds where frames begin and end, from their headers and the three bytes in front of each block, without decoding.
///
/// It reports what frames ask for, and refuses only what is no frame: what is decoded is its caller's to say.
/// The input may come in pieces of any size: the scanner keeps what it needs of a header that is cut. It skips the
/// body of every block, so that its cost does not depend on the size of the content.
package struct FrameScanner: Sendable {
    private enum Step {
        case magic, descriptor, header, skippableSize, headerName, annotation, blockHeader, checksum
        case skip(UInt64, isLast: Bool)
        case seekTable(SeekTableScanner)
    }

    /// Bytes of the input that were scanned, and those before them.
    package private(set) var offset: UInt64
    /// Frames that ended, skippable ones included.
    package private(set) var frameCount: UInt64 = 0
    /// The frame that has begun and not ended.
    package private(set) var current: Frame?
    private var step = Step.magic
    /// Whether that frame says that it is a seek table.
    private var isTable = false
    private var collected: [UInt8] = []
    private var needed = 4

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
            if case .blockHeader = step, collected.isEmpty {
                let skipped = skipBlocks(UnsafeRawBufferPointer(rebasing: bytes[position...]))
                position += skipped
                offset += UInt64(skipped)
                if position == bytes.count { break }
            }
            let rest = bytes.count - position
            let taken: Int
            if case .skip(let count, let isLast) = step {
                taken = Int(min(count, UInt64(rest)))
                step = .skip(count - UInt64(taken), isLast: isLast)
            } else if case .seekTable(var table) = step {
                taken = Int(min(table.missing, UInt64(rest)))
                table.take(UnsafeRawBufferPointer(rebasing: bytes[position..<position + taken]))
                step = .seekTable(table)
            } else {
                taken = min(needed - collected.count, rest)
                collected.append(contentsOf: bytes[position..<position + taken])
            }
            position += taken
            offset += UInt64(taken)
            if let frame = try advance() { return (position, frame) }
        }
        return (position, nil)
    }

    /// Bytes that come next and do not matter, so that whoever can seek need not read them.
    package var bytesToSkip: UInt64 { if case .skip(let count, _) = step { count } else { 0 } }

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
    /// - Throws: `truncated` within a frame, `damagedSeekTable` within that, `empty` if there was no byte.
    package func finish() throws(CodecFailure) {
        if let current {
            if frameCount == 0, case .magic = step { throw .notZstandard }
            if isTable { throw .damagedSeekTable(offset: current.offset) }
            throw .truncated(offset: offset)
        }
        if frameCount == 0 { throw .empty }
    }

    /// Takes every step for which enough was collected; returns the frame if it ends.
    private mutating func advance() throws(CodecFailure) -> Frame? {
        while true {
            if case .skip(let count, let isLast) = step {
                if count > 0 { return nil }
                if !isLast {
                    expect(.blockHeader, bytes: 3)
                } else if current?.header?.hasChecksum == true {
                    expect(.checksum, bytes: FrameFormat.checksumSize)
                } else {
                    return endFrame()
                }
            }
            if case .seekTable(let table) = step {
                if table.missing > 0 { return nil }
                current?.annotation = table.outline.map { .seekTable($0) }
                return endFrame()
            }
            guard collected.count == needed else { return nil }
            if case .checksum = step {
                let checksum = collectedNumber(at: 0, as: UInt32.self)
                current?.checksum = checksum
                return endFrame()
            }
            try parse()
        }
    }

    private mutating func parse() throws(CodecFailure) {
        switch step {
        case .magic: try parseMagic()
        case .descriptor: try parseDescriptor()
        case .header: parseHeader()
        case .skippableSize: parseSkippableSize()
        case .headerName: try parseHeaderName()
        case .annotation: try parseAnnotation()
        case .blockHeader: try parseBlockHeader()
        case .skip, .seekTable, .checksum: break
        }
    }

    private mutating func expect(_ next: Step, bytes: Int) {
        step = next
        needed = bytes
        collected.removeAll(keepingCapacity: true)
    }

    /// Keeps what was collected and waits until there are `bytes` in all.
    private mutating func extend(_ next: Step, to bytes: Int) {
        step = next
        needed = bytes
    }

    private func collectedNumber<Number: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, as type: Number.Type
    ) -> Number {
        collected.withUnsafeBytes { $0.littleEndian(at: offset, as: type) }
    }

    private var frameOffset: UInt64 { current?.offset ?? offset }

    private mutating func parseMagic() throws(CodecFailure) {
        let magic = collectedNumber(at: 0, as: UInt32.self)
        if magic == FrameFormat.magic {
            extend(.descriptor, to: FrameHeader.prefixSize)
        } else if FrameFormat.skippableMagics.contains(magic) {
            extend(.skippableSize, to: FrameFormat.skippableHeaderSize)
        } else if FrameFormat.legacyMagics.contains(magic) {
            throw .legacyFormat(offset: frameOffset)
        } else {
            throw frameCount == 0 ? .notZstandard : .trailingBytes(offset: frameOffset)
        }
    }

    private mutating func parseDescriptor() throws(CodecFailure) {
        guard let size = FrameHeader.size(descriptor: collected[4]) else {
            throw .corrupt(reason: "a reserved bit of the header is set", offset: frameOffset)
        }
        extend(.header, to: size)
    }

    private mutating func parseHeader() {
        current?.header = collected.withUnsafeBytes { FrameHeader($0) }
        expect(.blockHeader, bytes: 3)
    }

    private mutating func parseBlockHeader() throws(CodecFailure) {
        let header = Int(collected[0]) | Int(collected[1]) << 8 | Int(collected[2]) << 16
        try take(Block(header: header, limit: blockLimit))
        collected.removeAll(keepingCapacity: true)
    }

    /// What a block of the frame decompresses to at most, in bytes.
    private var blockLimit: Int { current?.header?.blockLimit ?? FrameFormat.maximumBlockSize }

    /// Takes note of a block, whose body comes next.
    private mutating func take(_ block: Block) throws(CodecFailure) {
        if let flaw = block.flaw { throw .corrupt(reason: flaw, offset: frameOffset) }
        current?.blockBound += UInt64(block.bound)
        current?.overhead += UInt64(block.overhead)
        step = .skip(UInt64(block.bodySize), isLast: block.isLast)
    }

    /// Passes over blocks that lie in `bytes` as a whole, which most do, without a step for each; the last one is left.
    ///
    /// - Returns: the bytes of these blocks.
    private mutating func skipBlocks(_ bytes: UnsafeRawBufferPointer) -> Int {
        let limit = blockLimit
        var (position, bound, overhead) = (0, 0, 0)
        while bytes.count - position >= Block.headerSize {
            let low = Int(bytes.loadUnaligned(fromByteOffset: position, as: UInt16.self).littleEndian)
            let block = Block(header: low | Int(bytes[position + 2]) << 16, limit: limit)
            let end = position + Block.headerSize + block.bodySize
            if block.isLast || block.flaw != nil || end > bytes.count { break }
            (position, bound, overhead) = (end, bound + block.bound, overhead + block.overhead)
        }
        current?.blockBound += UInt64(bound)
        current?.overhead += UInt64(overhead)
        return position
    }

    private mutating func parseSkippableSize() {
        current?.isSkippable = true
        let magic = collectedNumber(at: 0, as: UInt32.self)
        let size = collectedNumber(at: 4, as: UInt32.self)
        isTable = magic == SeekTable.magic
        if isTable, let table = SeekTableScanner(size: size) {
            step = .seekTable(table)
            collected.removeAll(keepingCapacity: true)
        } else if magic == StreamHeader.magic, size == UInt32(StreamHeader.contentSize) {
            extend(.annotation, to: FrameFormat.skippableHeaderSize + Int(size))
        } else if magic == StreamHeader.magic, size > UInt32(StreamHeader.name.count) {
            extend(.headerName, to: FrameFormat.skippableHeaderSize + StreamHeader.name.count)
        } else {
            step = .skip(UInt64(size), isLast: true)
            collected.removeAll(keepingCapacity: true)
        }
    }

    /// A stream header whose damaged size would swallow frames: without it the content would be shorter, and no error.
    private mutating func parseHeaderName() throws(CodecFailure) {
        let start = FrameFormat.skippableHeaderSize
        if collected[start...].elementsEqual(StreamHeader.name) {
            throw .corrupt(reason: "the stream header has a wrong size", offset: frameOffset)
        }
        let size = UInt64(collectedNumber(at: 4, as: UInt32.self))
        step = .skip(size - UInt64(StreamHeader.name.count), isLast: true)
        collected.removeAll(keepingCapacity: true)
    }

    private mutating func parseAnnotation() throws(CodecFailure) {
        current?.annotation = collected.withUnsafeBytes { StreamHeader($0) }.map { .streamHeader($0) }
        let name = collected.dropFirst(FrameFormat.skippableHeaderSize).prefix(StreamHeader.name.count)
        if current?.annotation == nil, name.elementsEqual(StreamHeader.name) {
            throw .corrupt(reason: "a stream header of another version", offset: frameOffset)
        }
        step = .skip(0, isLast: true)
        collected = []
    }

    private mutating func endFrame() -> Frame? {
        guard var frame = current else { return nil }
        frame.compressedSize = offset - frame.offset
        frameCount += 1
        current = nil
        isTable = false
        expect(.magic, bytes: 4)
        return frame
    }
}
