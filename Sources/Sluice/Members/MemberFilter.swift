/// Hands on members, or the content of one, when their headers prove to be what the index says.
final class MemberFilter: ContentFilter {
    private struct State {
        /// Members whose headers have not come, and the one that is under way.
        var members: ArraySlice<ArchiveMember>
        /// Headers that are not complete.
        var headers = Bytes()
        /// Bytes of the member under way after its headers; nil until these are proved.
        var rest: (data: UInt64, padding: UInt64)?
        /// Makes the content of a sparse file, if content is what is handed on.
        var sparse: SparseContent?
    }

    private let isArchive: Bool
    private let state: Locked<State>

    /// An archive ends with two blocks of zeros.
    var end: [UInt8] { isArchive ? [UInt8](repeating: 0, count: 2 * Int(ArchiveMember.blockSize)) : [] }

    /// - Parameter isArchive: whether headers and padding are handed on.
    init(_ members: [ArchiveMember], isArchive: Bool) {
        self.isArchive = isArchive
        state = Locked(State(members: members[...]))
    }

    func take(_ bytes: Bytes) throws(Failure) -> Bytes {
        try state.withLock { state throws(Failure) in
            var (rest, output) = (bytes, Bytes())
            while !rest.isEmpty {
                guard let member = state.members.first else { throw ArchiveIndex.damage }
                if let left = state.rest {
                    let data = rest.removeFirst(Int(clamping: left.data))
                    let isAtPadding = left.data == UInt64(data.count)
                    let padding = isAtPadding ? rest.removeFirst(Int(clamping: left.padding)) : Bytes()
                    output.append(try state.sparse?.take(data) ?? data)
                    if isArchive { output.append(padding) }
                    state.rest = (left.data - UInt64(data.count), left.padding - UInt64(padding.count))
                } else {
                    let size = Int(member.data - member.start)
                    state.headers.append(rest.removeFirst(size - state.headers.count))
                    if state.headers.count < size { break }
                    let map = try member.prove(state.headers.elements)
                    if let map, !isArchive { state.sparse = try SparseContent(member, map) }
                    if isArchive { output.append(state.headers) }
                    (state.headers, state.rest) = (
                        Bytes(), (member.storedSize, member.end - member.data - member.storedSize)
                    )
                }
                if state.rest?.data == 0 {
                    output.append(try state.sparse?.finish() ?? Bytes())
                    state.sparse = nil
                }
                if let left = state.rest, left == (0, 0) { (state.rest, _) = (nil, state.members.removeFirst()) }
            }
            return output
        }
    }
}
