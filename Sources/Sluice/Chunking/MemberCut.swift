/// Ends chunks of a tar archive between its members, where that takes less than a tenth of their size.
///
/// It examines nothing but headers.
struct MemberCut: ChunkCut {
    private let most: Int
    private let didFind: @Sendable (ArchiveMember) throws(Failure) -> Void
    private var scanner = TarScanner()
    /// Where the chunk begins in the archive.
    private var start: UInt64 = 0
    /// The last place in the chunk where a member ends, and the end of the last member that was found.
    private var (border, last): (UInt64, UInt64) = (0, 0)

    /// - Parameters:
    ///   - most: bytes of the largest chunk.
    ///   - didFind: receives the members in their order.
    init(most: Int, didFind: @escaping @Sendable (ArchiveMember) throws(Failure) -> Void) {
        (self.most, self.didFind) = (most, didFind)
    }

    var position: Int { scanner.isOver ? most : Int(clamping: scanner.offset - start) }
    /// What a chunk takes is read at once, as it is without a cut.
    var step: Int { most }
    var window: Int { Int(ArchiveMember.blockSize) }
    var passesHoles: Bool { false }

    mutating func begin() { note(last) }

    mutating func take(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Int? {
        var rest = bytes
        while let member = try scanner.next(in: &rest) {
            try didFind(member)
            note(member.end)
        }
        // Data need not be examined, wherever it ends.
        scanner.skip(Int(clamping: scanner.bytesToSkip))
        return nil
    }

    private mutating func note(_ end: UInt64) {
        last = end
        if end >= start, end - start <= UInt64(most) { border = end }
    }

    mutating func end(of count: Int) throws(Failure) -> Int {
        // Nothing of what is no archive is written.
        if start == 0, count < window { throw .noArchive }
        let size = Int(clamping: border - min(start, border))
        let isNear = count == most && size > most - most / 10
        defer { start += UInt64(isNear ? size : count) }
        return isNear ? size : count
    }

    func finish() throws(Failure) {
        if !scanner.isOver, scanner.offset > start { throw .cutArchive(at: start) }
        try scanner.finish()
    }
}
