internal import Glibc
internal import SystemPackage

/// What an earlier run has left of an output: what is the same is passed over, and not written again.
///
/// It is compared in the order of the output, up to the first byte that differs or is missing: there the file is cut,
/// and written from then on.
package struct ResumableContent: Sendable {
    /// What is read at once, in bytes.
    private static let pieceSize = 256 << 10

    private let descriptor: FileDescriptor
    private let replacesOthers: Bool
    private var position: UInt64 = 0
    private var piece: [UInt8] = []
    /// Whether nothing is left to be compared.
    package private(set) var isOver = false

    /// - Parameter replacesOthers: whether bytes that are others are no error, but replaced. Those that are zeros where
    ///   others should be always are: they were not on the disk when the power went.
    init(_ descriptor: FileDescriptor, replacesOthers: Bool) {
        self.descriptor = descriptor
        self.replacesOthers = replacesOthers
    }

    /// Compares the bytes that come next.
    ///
    /// - Returns: how many of them are there already.
    /// - Throws: `otherSource`, and `writing` if the file can't be read or cut.
    package mutating func match(_ bytes: Bytes) throws(Failure) -> Int {
        let start = position
        try bytes.forEachRegion { region throws(Failure) in
            var rest = region
            while !rest.isEmpty, !isOver {
                try match(UnsafeRawBufferPointer(rebasing: rest.prefix(Self.pieceSize)))
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Self.pieceSize))
            }
        }
        return Int(position - start)
    }

    /// Cuts the file where it stands, for nothing more comes that could be there.
    package mutating func end() throws(Failure) {
        isOver = true
        piece = []
        try Failure.writing { () throws(Errno) in
            _ = try systemCall { ftruncate(descriptor.rawValue, off_t(clamping: position)) }
        }
    }

    private mutating func match(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        if piece.isEmpty { piece = [UInt8](repeating: 0, count: Self.pieceSize) }
        let read: Int
        do throws(Errno) {
            read = try descriptor.fill(&piece, atLeast: bytes.count, from: position)
        } catch {
            throw .writing(error)
        }
        let same = piece.withUnsafeBytes { bytes.sameBytes(as: UnsafeRawBufferPointer(rebasing: $0[..<read])) }
        position += UInt64(same)
        guard same < bytes.count else { return }
        if same < read, piece[same] != 0, !replacesOthers { throw .otherSource(offset: position) }
        try end()
    }
}

extension Sink {
    /// What an earlier run has left there; nil if nothing is kept.
    package func kept(replacesOthers: Bool) -> ResumableContent? {
        guard let resumption, isFile, identity.size > 0 else { return nil }
        return ResumableContent(descriptor, replacesOthers: replacesOthers || resumption == .ofAnySource)
    }
}
