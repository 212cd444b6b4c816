/// Reads the seek table that ends a file.
extension TableAlignment {
    /// As many frames are not like the first entries by chance, as one of a run of like frames is.
    private static let sureStart = 4

    /// The table and its bytes; nil if it is not credible.
    static func table(in window: FileWindow) throws(Failure) -> (SeekTable, size: UInt64)? {
        let file = window.file
        guard let size = try window.tableSize(endingAt: file.size), size < file.size, size <= SeekTable.largestHeld
        else { return nil }
        let encoded = try FileWindow(file, size: Int(size))
        guard let table = SeekTable(try encoded.bytes(at: file.size - size, atLeast: size)), isCredible(table),
            (table.compressedSize + size) / 2 <= file.size
        else { return nil }
        return (table, size)
    }

    /// Whether the listed frames can have their content: four bytes become at most 128 KiB.
    private static func isCredible(_ table: SeekTable) -> Bool {
        !table.entries.isEmpty
            && table.entries.allSatisfy { UInt64($0.decompressedSize) <= (UInt64($0.compressedSize) / 4 + 1) << 17 }
    }

    /// Where the listed frames are expected: as far in front of the table as they are long, if they or another stream's
    /// table confirm it, or else at the start of the file.
    static func start(of index: FrameIndex, before end: UInt64, in window: FileWindow) throws(Failure) -> UInt64 {
        let start = end - min(index.inputSize, end)
        if try window.tableSize(endingAt: start) != nil { return start }
        var walk = try FrameWalk(from: start, in: window)
        for position in 0..<min(sureStart, index.count) {
            let (entry, found) = (index[position], walk.found)
            guard walk.isWhole, found.input.count == entry.input.count,
                found.contentSize == UInt64(entry.content.count)
            else { return 0 }
            walk = try FrameWalk(from: walk.end, in: window)
        }
        return start
    }
}
