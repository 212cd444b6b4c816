/// Reads the seek table that ends a file.
extension TableGuide {
    static func table(in window: FileWindow) throws(Failure) -> (SeekTable, UInt64)? {
        let file = window.file
        guard let size = try window.tableSize(endingAt: file.size), size < file.size, size <= SeekTable.largestHeld
        else { return nil }
        let encoded = try FileWindow(file, size: Int(size))
        return SeekTable(try encoded.bytes(at: file.size - size, atLeast: size)).map { ($0, size) }
    }

    /// Whether the listed frames can have their content: four bytes become at most 128 KiB.
    static func isCredible(_ table: SeekTable) -> Bool {
        !table.entries.isEmpty
            && table.entries.allSatisfy { UInt64($0.decompressedSize) <= (UInt64($0.compressedSize) / 4 + 1) << 17 }
    }

    /// Whether frames with the sizes of the first `count` entries begin at an offset.
    static func begins(
        _ index: FrameIndex, _ count: Int, at offset: UInt64, in window: FileWindow
    ) throws(Failure) -> Bool {
        var offset = offset
        for position in 0..<min(count, index.count) {
            let (entry, walk) = (index[position], try FrameWalk(from: offset, in: window))
            let contentSize = walk.frame.isSkippable ? 0 : walk.frame.header?.contentSize
            guard walk.isWhole, walk.input.count == entry.input.count, contentSize == UInt64(entry.content.count) else {
                return false
            }
            offset = walk.end
        }
        return true
    }
}
