/// The positions of a file's frames, in the file and in its content, so that any range of the content can be decoded by
/// itself.
///
/// An entry is a frame, or several small ones, including the skippable frames around them. A large skippable frame is
/// an entry without content. Offsets count from the first byte of the file.
package struct FrameIndex: Equatable, Sendable {
    /// One or more whole frames.
    package struct Entry: Equatable, Sendable {
        /// The range of bytes in the file.
        package var input: Range<UInt64>
        /// The range of bytes in the content.
        package var content: Range<UInt64>
        /// The low 32 bits of XXH64 of the content; nil unless a seek table lists them.
        package var checksum: UInt32?
    }

    /// Above this number of entries, small ones are joined, as long as it stays cheap to decode a whole join for one
    /// byte.
    private static let few = 1 << 20
    private static let smallestJoin: UInt64 = 64 << 10
    private static let largestJoin: UInt64 = 32 << 20

    private var inputEnds: [UInt64] = []
    private var contentEnds: [UInt64] = []
    private var checksums: [UInt32] = []
    /// Whether the entries come from a seek table instead of the frames.
    private var isOfTable = false
    /// Whether the table is one that a stream's header announces, so that it must have the frames' own checksums.
    private var isAnnounced = false
    /// The most bytes of content, and of the file, in a joined entry; 0 to join none.
    private var join: UInt64

    /// - Parameter joinsSmallFrames: whether to join adjacent small frames into one entry.
    package init(joinsSmallFrames: Bool = false) {
        join = joinsSmallFrames ? Self.smallestJoin : 0
    }

    package var count: Int { contentEnds.count }
    /// The size of the file up to the end of the last entry, in bytes.
    package var inputSize: UInt64 { inputEnds.last ?? 0 }
    /// The size of the content up to the end of the last entry, in bytes.
    package var contentSize: UInt64 { contentEnds.last ?? 0 }
    /// The memory in use, in bytes.
    package var memory: Int { 8 * (inputEnds.capacity + contentEnds.capacity) + 4 * checksums.capacity }

    package subscript(position: Int) -> Entry {
        Entry(
            input: (position > 0 ? inputEnds[position - 1] : 0)..<inputEnds[position],
            content: (position > 0 ? contentEnds[position - 1] : 0)..<contentEnds[position],
            checksum: position < checksums.count ? checksums[position] : nil)
    }

    /// The entries at these positions, at least one, combined into one without a checksum.
    package subscript(positions: Range<Int>) -> Entry {
        let (first, last) = (self[positions.lowerBound], self[positions.upperBound - 1])
        return Entry(
            input: first.input.lowerBound..<last.input.upperBound,
            content: first.content.lowerBound..<last.content.upperBound)
    }

    /// Adds frames after the last entry.
    ///
    /// - Parameter checksum: of the content; all entries have one, or none.
    /// - Returns: false, with nothing added, if the sizes are larger than those of any file.
    package mutating func append(inputSize: UInt64, contentSize: UInt64, checksum: UInt32? = nil) -> Bool {
        let (input, isInputTooLarge) = self.inputSize.addingReportingOverflow(inputSize)
        let (content, isContentTooLarge) = self.contentSize.addingReportingOverflow(contentSize)
        guard !isInputTooLarge, !isContentTooLarge, max(input, content) <= UInt64(Int64.max) else { return false }
        add(input, content, checksum)
        while count > Self.few, join > 0, join < Self.largestJoin { joinMore() }
        return true
    }

    /// The failure of an index that the frames contradict. A seek table lies after everything that it lists.
    ///
    /// - Parameter offset: the start of the entry in the file.
    package func contradicted(by words: String, at offset: UInt64) -> CodecFailure {
        if isOfTable { return .damagedSeekTable(offset: inputSize) }
        return .corrupt(reason: "the frame index is wrong (\(words))", offset: offset)
    }

    /// Checks the size of an entry's decoded content.
    ///
    /// - Throws: the failure of `contradicted` if the size differs from the entry's.
    package func check(contentSize: UInt64, ofEntry position: Int) throws(CodecFailure) {
        let (start, expected) = (self[position].input.lowerBound, UInt64(self[position].content.count))
        guard contentSize != expected else { return }
        throw contradicted(by: "the frame holds \(contentSize) bytes, not \(expected)", at: start)
    }

    /// The position of the entry that contains a byte of the content; nil after the last one.
    package func position(ofContent offset: UInt64) -> Int? { Self.position(of: offset, in: contentEnds) }

    /// The position of the entry that contains a byte of the file; nil after the last one.
    package func position(ofInput offset: UInt64) -> Int? { Self.position(of: offset, in: inputEnds) }

    private static func position(of offset: UInt64, in ends: [UInt64]) -> Int? {
        let position = ends.firstPosition { $0 > offset }
        return position < ends.count ? position : nil
    }

    /// Extends the last entry to these ends if it stays small; otherwise adds an entry.
    private mutating func add(_ input: UInt64, _ content: UInt64, _ checksum: UInt32? = nil) {
        if let last = contentEnds.indices.last, content - self[last].content.lowerBound <= join,
            input - self[last].input.lowerBound <= join
        {
            (inputEnds[last], contentEnds[last]) = (input, content)
        } else {
            inputEnds.append(input)
            contentEnds.append(content)
            if let checksum { checksums.append(checksum) }
        }
    }

    private mutating func joinMore() {
        join *= 2
        var joined = self
        (joined.inputEnds, joined.contentEnds) = ([], [])
        for (input, content) in zip(inputEnds, contentEnds) { joined.add(input, content) }
        self = joined
    }
}

extension FrameIndex {
    /// The index of a file with this seek table whose frames begin at its first byte.
    ///
    /// - Returns: nil if the table lists a frame of zero bytes.
    package init?(_ table: SeekTable) {
        self.init()
        (isOfTable, isAnnounced) = (true, table.listsStreamHeader)
        inputEnds.reserveCapacity(table.entries.count)
        contentEnds.reserveCapacity(table.entries.count)
        if table.hasChecksums { checksums.reserveCapacity(table.entries.count) }
        for entry in table.entries {
            guard entry.compressedSize > 0,
                append(
                    inputSize: UInt64(entry.compressedSize), contentSize: UInt64(entry.decompressedSize),
                    checksum: table.hasChecksums ? entry.checksum : nil)
            else { return nil }
        }
    }
}

extension FrameIndex {
    /// Checks bytes against an entry: they must be whole frames within the limits that can hold the entry's content.
    ///
    /// - Throws: the reason why a frame can't be decoded; if the bytes are not whole frames, or frames of content of
    ///   another size, `damagedSeekTable`, or `corrupt` if the index does not come from a table.
    package func check(
        _ frames: RawSpan, ofEntry position: Int, within limits: DecodingLimits
    ) throws(CodecFailure) {
        let entry = self[position]
        let start = entry.input.lowerBound
        let noEnd = contradicted(by: "no frame ends at byte \(entry.input.upperBound)", at: start)
        // The most bytes that the frames decompress to, and whether all their headers confirm that size.
        var (bound, isExact) = (UInt64(0), true)
        try frames.withUnsafeBytes { frames throws(CodecFailure) in
            var walk = FrameWalk(over: FramesInMemory(frames, from: start), from: start)
            while let step = walk.next() {
                try limits.check(step.frame)
                switch step.ending {
                case .whole: break
                case .cut: throw noEnd
                case .flawed(.notZstandard), .flawed(.trailingBytes):
                    throw contradicted(by: "there is no frame", at: start)
                case .flawed(let failure): throw failure
                }
                if step.frame.isSkippable { continue }
                if isAnnounced, limits.verifiesChecksums, let own = step.frame.checksum, let listed = entry.checksum,
                    own != listed
                {
                    throw .contradictedChecksums(at: inputSize)
                }
                let (sum, overflow) = bound.addingReportingOverflow(step.frame.decompressedBound)
                bound = overflow ? .max : sum
                isExact = isExact && step.frame.header?.contentSize == step.frame.decompressedBound
            }
            // Zeros that may follow a file's frames are not part of an entry.
            if walk.end != entry.input.upperBound { throw noEnd }
        }
        let size = UInt64(entry.content.count)
        guard isExact ? bound == size : bound >= size else {
            throw contradicted(by: "the frame does not hold \(size) bytes", at: start)
        }
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first position whose element has a property, by binary search; `endIndex` if none has it. The elements must
    /// be ordered: after the first one with the property, all have it.
    package func firstPosition(where hasProperty: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if hasProperty(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
