/// Where the frames of a file lie, in the file and in its content: what lets a part be read without all that is before
/// it.
///
/// An entry is a frame, or several small ones, with the skippable frames around them; what is skippable and large is an
/// entry without content. Offsets count from the first byte.
package struct FrameIndex: Equatable, Sendable {
    /// Whole frames, one after another.
    package struct Entry: Equatable, Sendable {
        /// Bytes of the file.
        package var input: Range<UInt64>
        /// Bytes of the content.
        package var content: Range<UInt64>
        /// The low 32 bits of XXH64 of the content, if a seek table says them.
        package var checksum: UInt32?
    }

    /// So many entries are few: more are joined, as long as what a join has is not too much to be decoded for a byte of
    /// it.
    private static let few = 1 << 20
    private static let smallestJoin: UInt64 = 64 << 10
    private static let largestJoin: UInt64 = 32 << 20

    private var inputEnds: [UInt64] = []
    private var contentEnds: [UInt64] = []
    private var checksums: [UInt32] = []
    /// Whether a seek table says so, and not the frames.
    private var isOfTable = false
    /// Bytes of content up to which entries are joined; 0 to join none.
    private var join: UInt64

    /// - Parameter joinsSmallFrames: whether small frames one after another become one entry.
    package init(joinsSmallFrames: Bool = false) {
        join = joinsSmallFrames ? Self.smallestJoin : 0
    }

    /// Entries.
    package var count: Int { contentEnds.count }
    /// Bytes of the file up to the end of the last entry.
    package var inputSize: UInt64 { inputEnds.last ?? 0 }
    /// Bytes of the content up to the end of the last entry.
    package var contentSize: UInt64 { contentEnds.last ?? 0 }
    /// Bytes that it takes.
    package var memory: Int { 8 * (inputEnds.capacity + contentEnds.capacity) + 4 * checksums.capacity }

    /// What all entries come down to, as one number, to be compared with another index.
    package var digest: UInt64 {
        var digest = NumberDigest()
        for numbers in [inputEnds, contentEnds] { for number in numbers { digest.append(number) } }
        for checksum in checksums { digest.append(UInt64(checksum)) }
        return digest.value
    }

    /// The entries in order.
    package subscript(position: Int) -> Entry {
        Entry(
            input: (position > 0 ? inputEnds[position - 1] : 0)..<inputEnds[position],
            content: (position > 0 ? contentEnds[position - 1] : 0)..<contentEnds[position],
            checksum: position < checksums.count ? checksums[position] : nil)
    }

    /// Adds what comes behind the last entry.
    ///
    /// - Parameters:
    ///   - inputSize: bytes of the file.
    ///   - contentSize: bytes of the content.
    ///   - checksum: of the content; all entries have one, or none.
    /// - Returns: false, with nothing added, if no file or content is so large.
    package mutating func append(inputSize: UInt64, contentSize: UInt64, checksum: UInt32? = nil) -> Bool {
        let (input, isInputTooLarge) = self.inputSize.addingReportingOverflow(inputSize)
        let (content, isContentTooLarge) = self.contentSize.addingReportingOverflow(contentSize)
        guard !isInputTooLarge, !isContentTooLarge, max(input, content) <= UInt64(Int64.max) else { return false }
        if let last = contentEnds.indices.last, joins(self[last], input: input, content: content) {
            (inputEnds[last], contentEnds[last]) = (input, content)
        } else {
            inputEnds.append(input)
            contentEnds.append(content)
            if let checksum { checksums.append(checksum) }
        }
        while count > Self.few, join > 0, join < Self.largestJoin { joinMore() }
        return true
    }

    /// What is said of an index which the frames contradict: its seek table stands behind all that it lists.
    ///
    /// - Parameters:
    ///   - what: the contradiction.
    ///   - offset: where the entry begins in the file.
    package func contradicted(by what: String, at offset: UInt64) -> CodecFailure {
        if isOfTable { return .damagedSeekTable(offset: inputSize) }
        return .corrupt(reason: "the index of the frames is wrong, \(what)", offset: offset)
    }

    /// The place of the entry that has a byte of the content; nil behind the last one.
    package func position(of offset: UInt64) -> Int? { Self.position(of: offset, in: contentEnds) }

    /// The place of the entry that has a byte of the file; nil behind the last one.
    package func position(ofInput offset: UInt64) -> Int? { Self.position(of: offset, in: inputEnds) }

    private static func position(of offset: UInt64, in ends: [UInt64]) -> Int? {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] > offset { high = middle } else { low = middle + 1 }
        }
        return low < ends.count ? low : nil
    }

    /// Whether an entry goes on to these ends: not if it has much content, or much to be read for it.
    private func joins(_ entry: Entry, input: UInt64, content: UInt64) -> Bool {
        content - entry.content.lowerBound <= join && input - entry.input.lowerBound <= join
    }

    private mutating func joinMore() {
        join *= 2
        var joined = self
        (joined.inputEnds, joined.contentEnds) = ([], [])
        for position in 0..<count {
            let entry = self[position]
            if let last = joined.contentEnds.indices.last,
                joined.joins(joined[last], input: entry.input.upperBound, content: entry.content.upperBound)
            {
                (joined.inputEnds[last], joined.contentEnds[last]) = (entry.input.upperBound, entry.content.upperBound)
            } else {
                joined.inputEnds.append(entry.input.upperBound)
                joined.contentEnds.append(entry.content.upperBound)
            }
        }
        self = joined
    }
}

extension FrameIndex {
    /// What a seek table says of a file, whose frames begin at its first byte.
    ///
    /// - Returns: nil if it has a frame of no bytes.
    package init?(_ table: SeekTable) {
        self.init()
        isOfTable = true
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
