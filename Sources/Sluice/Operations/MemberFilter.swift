/// Hands on members, or the content of one, when their headers prove to be what the index says.
final class MemberFilter: ContentFilter {
    private struct State {
        /// Members whose headers have not come, and the one that is under way.
        var members: ArraySlice<ArchiveMember>
        /// Headers that are not complete.
        var headers = Bytes()
        /// Bytes of the member under way behind its headers; nil until these are proved.
        var rest: (data: UInt64, padding: UInt64)?
    }

    private let isArchive: Bool
    private let state: Locked<State>

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
                    let padding = rest.removeFirst(
                        Int(clamping: left.padding * (left.data == UInt64(data.count) ? 1 : 0)))
                    output.append(data)
                    if isArchive { output.append(padding) }
                    state.rest = (left.data - UInt64(data.count), left.padding - UInt64(padding.count))
                } else {
                    let size = Int(member.data - member.start)
                    state.headers.append(rest.removeFirst(size - state.headers.count))
                    if state.headers.count < size { break }
                    try Self.prove(state.headers.elements, of: member)
                    if isArchive { output.append(state.headers) }
                    (state.headers, state.rest) = (
                        Bytes(), (member.storedSize, member.end - member.data - member.storedSize)
                    )
                }
                if let left = state.rest, left == (0, 0) { (state.rest, _) = (nil, state.members.removeFirst()) }
            }
            return output
        }
    }

    /// - Throws: `archive` if the headers are not those of the member.
    private static func prove(_ headers: [UInt8], of member: ArchiveMember) throws(Failure) {
        var (scanner, found) = (TarScanner(at: member.start), ArchiveMember?.none)
        try headers.span.bytes.withUnsafeBytes { headers throws(Failure) in
            var rest = headers
            while !rest.isEmpty, found == nil {
                let (count, member) = try scanner.scan(rest)
                (rest, found) = (UnsafeRawBufferPointer(rebasing: rest.dropFirst(count)), member)
            }
        }
        guard found == member else {
            throw .damagedArchive("its index describes another member there", at: member.start)
        }
    }
}
