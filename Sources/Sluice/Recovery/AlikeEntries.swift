/// Finds the entries of a seek table that a frame may be: those of its size with its checksum, or, where there is none,
/// with its content size.
///
/// They are sorted when that is first needed. A class keeps them even where a guess about a frame is taken back.
final class AlikeEntries {
    struct Entry: Comparable {
        /// The compressed size, and the checksum or the content size.
        let key: UInt64
        let number: UInt32

        var position: Int { Int(number) }

        static func < (first: Entry, second: Entry) -> Bool {
            (first.key, first.number) < (second.key, second.number)
        }
    }

    private let index: FrameIndex
    private lazy var byChecksum = sorted { $0.checksum ?? 0 }
    /// For frames without checksums, which a table with checksums may list.
    private lazy var byContentSize = sorted { UInt32($0.content.count) }

    init(_ index: FrameIndex) { self.index = index }

    /// The entries like a frame, in the order of the table.
    func entries(like frame: FoundFrame) -> ArraySlice<Entry> {
        let (inputSize, contentSize) = (UInt64(frame.input.count), frame.contentSize ?? 0)
        guard max(inputSize, contentSize) <= UInt32.max else { return [] }
        let checksum = index[0].checksum == nil ? nil : frame.checksum
        let entries = checksum == nil ? byContentSize : byChecksum
        let least = inputSize << 32 | (checksum.map { UInt64($0) } ?? contentSize)
        let isKnown = checksum != nil || frame.contentSize != nil
        let most = isKnown ? least : inputSize << 32 | UInt64(UInt32.max)
        return entries[entries.firstPosition { $0.key >= least }..<entries.firstPosition { $0.key > most }]
    }

    /// The only entry like a frame; nil if there are several, or none.
    func onlyEntry(like frame: FoundFrame) -> Int? {
        let entries = entries(like: frame)
        return entries.count == 1 ? entries.first?.position : nil
    }

    private func sorted(by detail: (FrameIndex.Entry) -> UInt32) -> [Entry] {
        let entries = (0..<index.count).map { position in
            let entry = index[position]
            return Entry(key: UInt64(entry.input.count) << 32 | UInt64(detail(entry)), number: UInt32(position))
        }
        return entries.sorted()
    }
}
