/// A filter that finds members in an archive which comes only once, and passes them on as they come.
///
/// Of several members of one name the first counts, after which nothing more need be read; where all can be looked
/// for, it is the last. What that would be is not known before the end.
final class StreamedMembers: ContentFilter {
    private struct State {
        var scanner = TarScanner()
        /// Headers that are not complete, and where they begin.
        var rest = Bytes()
        var restStart: UInt64 = 0
        /// The member under way, and where it ends.
        var current: (filter: MemberFilter, end: UInt64)?
        /// Whether members are written with their headers.
        var isArchive: Bool
        var hasFound = false
        /// The patterns that some member has matched, and those whose one member has been found.
        var matched: [Bool]
        var settled: [Bool]
        /// The names of members that were written, for links to them.
        var written: Set<[UInt8]> = []
        var isOver = false
        /// Why the archive can't be followed beyond what was passed on.
        var failure: Failure?

        /// Whether all members that are wanted have begun.
        var isSettled: Bool { !settled.contains(false) }
    }

    private let selection: MemberSelection
    private let whenComplete: @Sendable () -> Void
    private let state: Locked<State>

    /// - Parameter whenComplete: runs when the last byte that is needed has come.
    init(_ selection: MemberSelection, whenComplete: @escaping @Sendable () -> Void) {
        self.selection = selection
        self.whenComplete = whenComplete
        let none = [Bool](repeating: false, count: selection.patterns.count)
        // Which members patterns match shows at the end only.
        let isArchive = selection.asArchive || selection.patterns.count > 1
        state = Locked(State(isArchive: isArchive, matched: none, settled: none))
    }

    var isComplete: Bool { state.withLock { $0.isOver } }
    var end: Bytes { state.withLock { $0.isArchive ? MemberFilter.endOfArchive : Bytes() } }

    func take(_ bytes: Bytes, isContinued: Bool) throws(Failure) -> Bytes {
        let (parts, isDone) = try state.withLock { state throws(Failure) in
            if state.isOver { return ([Bytes](), false) }
            if let failure = state.failure { throw failure }
            let parts = take(bytes, &state)
            // With bytes of members before it, the failure waits for the next piece, or the end.
            if parts.isEmpty, let failure = state.failure { throw failure }
            state.isOver = state.failure == nil && state.current == nil && state.isSettled
            return (parts, state.isOver)
        }
        if isDone { whenComplete() }
        return Bytes(joining: parts)
    }

    /// The bytes of members that a piece has, up to a failure, which the state then has.
    private func take(_ bytes: Bytes, _ state: inout State) -> [Bytes] {
        let (start, content) = (state.restStart, Bytes(joining: [state.rest, bytes]))
        let end = start + UInt64(content.count)
        var parts: [Bytes] = []
        func pass(_ position: UInt64, _ state: inout State) throws(Failure) {
            guard let (filter, last) = state.current else { return }
            let range = Int(position - start)..<Int(min(last, end) - start)
            parts.append(try filter.take(content.slice(range)))
            if last <= end { state.current = nil }
        }
        do throws(Failure) {
            try pass(start, &state)
            try bytes.forEachRegion { region throws(Failure) in
                var rest = region
                // Each member is passed on before the next headers are parsed, which may be damaged.
                while !state.isSettled, let member = try state.scanner.next(in: &rest) {
                    guard try selects(member, &state) else { continue }
                    state.current = (MemberFilter([member], isArchive: state.isArchive), member.end)
                    try pass(member.start, &state)
                }
            }
        } catch { state.failure = error }
        // After the last member's headers nothing is scanned, so nothing is kept for that.
        let needed = state.isSettled ? end : min(max(state.scanner.unparsed, start), end)
        (state.rest, state.restStart) = (content.slice(Int(needed - start)..<content.count).copied, needed)
        return parts
    }

    /// Whether a member is written.
    ///
    /// - Throws: `archive` if it would have to be, and can't.
    private func selects(_ member: ArchiveMember, _ state: inout State) throws(Failure) -> Bool {
        var isSelected = false
        for (number, pattern) in selection.patterns.enumerated() where pattern.matches(member.path.span.bytes) {
            if state.settled[number] { continue }
            (isSelected, state.matched[number]) = (true, true)
            if pattern.isName(of: member.path), member.kind != .directory, !member.kind.isAboutNext {
                state.settled[number] = true
            }
        }
        guard isSelected else { return false }
        if !state.isArchive { return try selectsOne(member, &state) }
        if member.kind == .hardLink, !state.written.contains(member.link) {
            throw .archive(
                "\(member.path.printable) is a link to \(member.link.printable), which was not selected and has passed")
        }
        state.hasFound = true
        state.written.insert(member.path)
        return true
    }

    /// The same, if the content of one file is what is written.
    private func selectsOne(_ member: ArchiveMember, _ state: inout State) throws(Failure) -> Bool {
        if member.kind.isAboutNext { return false }
        if state.hasFound {
            throw .archive("several members match: of what is read in order, only --as-tar writes them")
        }
        state.hasFound = true
        switch member.kind {
        case .directory:
            state.isArchive = true
            state.written.insert(member.path)
        case .hardLink:
            throw .archive("\(member.path.printable) is a link to \(member.link.printable), which has passed")
        case _ where member.kind.isFile: break
        default: throw .archive("\(member.path.printable) is \(member.noun): only --as-tar writes it")
        }
        return true
    }

    /// - Throws: `archive` if a member is missing, or the archive is cut.
    func finish() throws(Failure) {
        try state.withLock { state throws(Failure) in
            if state.isOver { return }
            if let failure = state.failure { throw failure }
            // The scanner does not see the data of the last member.
            if state.isSettled { throw .cutArchive(at: state.restStart) }
            try state.scanner.finish()
            guard let missing = state.matched.firstIndex(of: false) else { return }
            let name = String(decoding: selection.patterns[missing].text, as: UTF8.self).withoutSecrets.printable
            throw .archive("no member is named \(name)")
        }
    }
}
