internal import Glibc

/// An index in a file of its own, for a compressed file whose frames can't be found without decoding.
///
/// It is a Zstandard frame with a checksum (docs/format.md, "Index file"). It belongs to a file of the same size
/// whose frames end in the same bytes.
public struct IndexFile: Sendable {
    /// The most bytes of an index: some million entries.
    private static let sizeLimit: UInt64 = 256 << 20

    /// The path of the index.
    public let path: FilePath
    private let isReplacing: Bool

    /// Names an index; no file is opened yet.
    ///
    /// - Parameters:
    ///   - path: the path of the index.
    ///   - isReplacing: whether the index of another file, or an empty file, is replaced; otherwise the run throws
    ///     `wrongIndex` or `notAnIndex`.
    public init(at path: FilePath, isReplacing: Bool = false) {
        self.path = path
        self.isReplacing = isReplacing
    }

    /// Names an index by a path in a string.
    public init(at path: String, isReplacing: Bool = false) { self.init(at: FilePath(path), isReplacing: isReplacing) }

    /// Reads it.
    ///
    /// - Returns: where frames are, and members of an archive if it lists these; nil if there is none, or one to be
    ///   replaced.
    /// - Throws: `wrongIndex`, `noIndex`, `file`.
    func read(for source: Source) throws(Failure) -> (frames: FrameIndex, members: ArchiveIndex?)? {
        // A FIFO, which is no index, is not waited for.
        let descriptor: FileDescriptor
        do throws(Errno) {
            descriptor = try FileDescriptor(opening: path, O_RDONLY | O_NOCTTY | O_NONBLOCK)
        } catch .noSuchFileOrDirectory {
            return nil
        } catch {
            throw .file(action: "open", path: path, error)
        }
        defer { try? descriptor.close() }
        // The index never replaces the compressed file itself.
        guard let file = try? FileIdentity(descriptor), file.kind == .file, !file.isSameFile(as: source.identity) else {
            throw .noIndex(path)
        }
        if file.size == 0, isReplacing { return nil }
        // A file of another kind is never replaced.
        guard let (content, rest) = try? content(of: descriptor), let sealed = SealedIndex(content) else {
            throw .noIndex(path)
        }
        let members = ArchiveIndex(rest)
        if members == nil, !rest.isEmpty { throw .noIndex(path) }
        if try sealed.belongs(to: source) { return (sealed.index, members) }
        if isReplacing { return nil }
        throw .wrongIndex(path)
    }

    /// Writes it. It gets its name when it is complete and synced.
    ///
    /// - Parameter members: the index of an archive's members, or nothing.
    /// - Throws: `file`, `reading`, `sourceShrank`, `tooLargeToHold`.
    func write(_ index: FrameIndex, of source: Source, members: [UInt8] = []) throws(Failure) {
        let content = try SealedIndex(index, of: source).encoded
        if content.count + members.count > Self.sizeLimit { throw .tooLargeToHold(limit: Self.sizeLimit) }
        let frame = try content.compressed(level: 3)
        let file = try OutputFile(at: path, isReplacing: isReplacing)
        for bytes in [frame, members] { try Failure.file("write", path, file.descriptor.writeEverything(bytes[...])) }
        try file.commit(metadataOf: nil, isSynced: true)
    }

    /// The content of the first frame, and what follows it.
    private func content(of descriptor: FileDescriptor) throws(Failure) -> ([UInt8], rest: [UInt8]) {
        let held = try HeapMemory(contentOf: Source(descriptor), limit: Self.sizeLimit)
        var walk = FrameWalk(over: FramesInMemory(held.bytes))
        // A header that claims more content than its blocks can have is damaged.
        guard let step = walk.next(), step.flaw == nil, let contentSize = step.frame.header?.contentSize,
            contentSize <= min(step.frame.decompressedBound, Self.sizeLimit)
        else { throw .codec(.truncated(offset: 0)) }
        let size = Int(step.frame.compressedSize)
        let output = try OutputBuffer(capacity: Int(contentSize))
        let memory = output.memory
        let frame = UnsafeRawBufferPointer(rebasing: held.bytes[..<size])
        var decompressor = try codec(Decompressor())
        let count = try codec(decompressor.decompress(frame, into: memory, offset: 0))
        return (Array(memory[..<count]), Array(held.bytes[size...]))
    }
}
