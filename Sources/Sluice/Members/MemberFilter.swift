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

    func take(_ bytes: Bytes, isContinued: Bool = false) throws(Failure) -> Bytes {
        try state.withLock { state throws(Failure) in
            let bytes = Bytes(joining: [state.headers, bytes])
            var (position, content) = (0, Bytes())
            while position < bytes.count {
                guard let member = state.members.first else { throw ArchiveIndex.damage }
                if let left = state.rest {
                    let end = position + Int(min(left.data, UInt64(bytes.count - position)))
                    let data = bytes.slice(position..<end)
                    position = end
                    let padding = min(left.padding, UInt64(bytes.count - position))
                    position += Int(padding)
                    if !isArchive { content.append(try state.sparse?.take(data) ?? data) }
                    state.rest = (left.data - UInt64(data.count), left.padding - padding)
                } else {
                    let end = position + Int(member.data - member.start)
                    guard end <= bytes.count else { break }
                    let map = try member.prove(bytes.slice(position..<end).elements)
                    if let map, !isArchive { state.sparse = try SparseContent(member, map) }
                    state.rest = (member.storedSize, member.end - member.data - member.storedSize)
                    position = end
                }
                if state.rest?.data == 0 {
                    content.append(try state.sparse?.finish() ?? Bytes())
                    state.sparse = nil
                }
                if let left = state.rest, left == (0, 0) { (state.rest, _) = (nil, state.members.removeFirst()) }
            }
            state.headers = bytes.slice(position..<bytes.count)
            // An archive has all bytes that are proved, in one piece: thousands of small ones would be slow to join.
            return isArchive ? bytes.slice(0..<position) : content
        }
    }
}
