internal import ByteStreams

/// Bounds the memory that members take: a small index may list very many.
struct MemberRoom {
    /// Bytes that members may take in any case.
    private static let least = 64 << 20

    /// Nil until it matters how many bytes are available.
    private var most: Int?
    /// Bytes.
    private var taken = 0

    init(_ most: Int?) { self.most = most }

    mutating func take(_ member: ArchiveMember) throws(Failure) {
        // Each is known by its name, too, and names are arrays with headers of their own.
        taken += 2 * (MemoryLayout<ArchiveMember>.stride + 64 + member.path.count) + member.link.count
        if taken <= most ?? Self.least { return }
        let most = most ?? max(Self.least, Int(clamping: (AvailableMemory.now()?.bytes ?? .max) / 4))
        self.most = most
        if taken > most { throw .archive("more members match than the memory can hold: name fewer") }
    }
}
