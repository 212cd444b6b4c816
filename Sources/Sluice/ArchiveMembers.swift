internal import SluiceEngine

/// The members of the tar archive in a ``CompressedFile``, in their order.
///
/// They come from the index in the file, if it has one (`sluice --members`); otherwise the iteration decodes the frames
/// that hold their headers. Each iteration starts over.
///
/// What an index says is a claim until the member is read.
///
///     let backup = try await CompressedFile.open(at: "backup.tar.zst")
///     for try await member in backup.members where member.kind.isFile {
///         print(String(decoding: member.path, as: UTF8.self), member.size)
///     }
public struct ArchiveMembers: AsyncSequence, Sendable {
    let file: CompressedFile

    /// Prepares an iteration, which begins with the first `next`.
    public func makeAsyncIterator() -> Iterator { Iterator(file: file) }

    /// One iteration.
    ///
    ///     var members = file.members.makeAsyncIterator()
    ///     if let first = try await members.next() { print("\(first.size) bytes") }
    public struct Iterator: AsyncIteratorProtocol {
        let file: CompressedFile
        /// Members that were found and not returned yet.
        fileprivate var found: ArraySlice<ArchiveMember> = []
        fileprivate var walk: MemberWalk?

        /// Waits for the next member, which a new thread looks for.
        ///
        /// - Throws: `archive` if the content is not a tar archive, or a damaged one; as `CompressedFile.read`;
        ///   `cancelled`, `outOfThreads`.
        public mutating func next() async throws(Failure) -> ArchiveMember? {
            while found.isEmpty {
                if walk?.isOver == true { return nil }
                (walk, found) = try await CancellableThread.run { [file, walk] latch throws(Failure) in
                    var next = if let walk { walk } else { try MemberWalk(file) }
                    let members = try next.next(of: file, latch)
                    return (next, members[...])
                }
            }
            return found.popFirst()
        }
    }
}

extension CompressedFile {
    /// The members of the tar archive in the file.
    public var members: ArchiveMembers { ArchiveMembers(file: self) }
}
