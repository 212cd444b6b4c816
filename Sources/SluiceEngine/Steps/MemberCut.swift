/// Ends chunks of a tar archive between its members, where that shortens them by less than a tenth.
///
/// It examines only headers.
struct MemberCut: ChunkCut {
    private let most: Int
    private let didFind: @Sendable (ArchiveMember) throws(Failure) -> Void
    private let didStop: @Sendable (ArchiveDamage) -> Void
    private var scanner = TarScanner()
    /// Whether the archive can't be followed any more, so that its frames end anywhere.
    private var hasStopped = false
    /// The member that was found last, whose data may still be incomplete.
    private var found: ArchiveMember?
    /// Where the chunk begins in the archive.
    private var start: UInt64 = 0
    /// The last place in the chunk where a member ends, and the end of the last member that was found.
    private var (border, last): (UInt64, UInt64) = (0, 0)

    /// - Parameters:
    ///   - most: bytes of the largest chunk.
    ///   - didFind: receives the members in their order, each when it is complete.
    ///   - didStop: receives once why, and from which byte on, the archive can't be followed.
    init(
        most: Int, didFind: @escaping @Sendable (ArchiveMember) throws(Failure) -> Void,
        didStop: @escaping @Sendable (ArchiveDamage) -> Void
    ) {
        (self.most, self.didFind, self.didStop) = (most, didFind, didStop)
    }

    var position: Int { scanner.isOver || hasStopped ? most : Int(clamping: scanner.offset - start) }
    /// A chunk is read at once, as it is without a cut.
    var step: Int { most }
    var lookSize: Int { Int(ArchiveMember.blockSize) }
    var passesHoles: Bool { false }

    mutating func begin(at offset: UInt64) {
        start = offset
        noteEnd(last)
    }

    mutating func take(_ bytes: RawSpan) throws(Failure) -> Int? {
        var rest = bytes
        while !hasStopped, let member = try next(in: &rest) {
            try reportFound()
            found = member
            noteEnd(member.end)
        }
        // Data need not be examined, wherever it ends.
        scanner.skip(Int(clamping: scanner.bytesToSkip))
        return nil
    }

    private mutating func next(in bytes: inout RawSpan) throws(Failure) -> ArchiveMember? {
        do throws(Failure) { return try scanner.next(in: &bytes) } catch {
            try stop(error)
            return nil
        }
    }

    private mutating func reportFound() throws(Failure) {
        if let member = found.take() { try didFind(member) }
    }

    /// Gives up on the rest of the archive.
    ///
    /// - Throws: the failure, unless it is that the archive is damaged.
    private mutating func stop(_ failure: Failure) throws(Failure) {
        guard let damage = failure.archiveDamage else { throw failure }
        try reportFound()
        hasStopped = true
        didStop(damage)
    }

    /// Notes where the last member ends, and whether the chunk may end there.
    private mutating func noteEnd(_ end: UInt64) {
        last = end
        if end >= start, end - start <= UInt64(most) { border = end }
    }

    mutating func end(of count: Int) throws(Failure) -> Int {
        // Input that is not an archive must not produce any output.
        if start == 0, count < lookSize { throw .noArchive }
        let size = Int(clamping: border - min(start, border))
        let isNear = count == most && size > most - most / 10
        return isNear ? size : count
    }

    mutating func finish() throws(Failure) {
        if hasStopped { return }
        // The scanner has skipped past the end: the data of the last member is incomplete.
        if !scanner.isOver, scanner.offset > start, let incomplete = found.take() {
            return try stop(.cutArchive(at: incomplete.start))
        }
        do throws(Failure) { try scanner.finish() } catch { return try stop(error) }
        try reportFound()
    }
}
