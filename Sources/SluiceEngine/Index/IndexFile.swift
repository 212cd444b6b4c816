internal import Glibc

/// A separate index file for a compressed file whose frames can't be found without decoding.
///
/// It is a Zstandard frame with a checksum (docs/format.md, "Index file"). It belongs to a file of the same size
/// whose frames end in the same bytes.
///
///     var options = CompressedFile.Options()
///     options.indexFile = IndexFile(at: "old.gz.index")
///     let file = try CompressedFile(at: "old.gz", options: options)
///
/// It is not an error if the file does not exist: the index is made and written then.
public struct IndexFile: Sendable {
    /// The most bytes of an index: some million entries.
    private static let sizeLimit: UInt64 = 256 << 20

    /// The path of the index.
    public let path: FilePath
    private let isReplacing: Bool
    /// Why it can't be a file.
    private var flaw: Failure?

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
    public init(at path: String, isReplacing: Bool = false) {
        self.init(at: FilePath(path), isReplacing: isReplacing)
        do throws(Failure) { _ = try FilePath(whole: path) } catch { flaw = error }
    }

    /// Reads the index.
    ///
    /// - Returns: the frames, and the members of an archive if the index lists them; nil if there is no index, or it is
    ///   to be replaced.
    /// - Throws: `wrongIndex`, `noIndex`, `file`.
    func read(for source: Source) throws(Failure) -> (frames: FrameIndex, members: ArchiveIndex?)? {
        if let flaw { throw flaw }
        // O_NONBLOCK: a FIFO can't be an index, so don't wait for a writer.
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

    /// Writes the index. It gets its name when it is complete and synced. If an index of the same file has got that
    /// name meanwhile, from another thread or process, it stays.
    ///
    /// - Parameters:
    ///   - marks: the last four bytes before ends of frames, as far as they are known.
    ///   - members: the index of an archive's members, or nothing.
    /// - Throws: `file`, `reading`, `sourceShrank`, `tooLargeToHold`.
    func write(
        _ index: FrameIndex, of source: Source, marks: [UInt64: UInt32] = [:], members: [UInt8] = []
    ) throws(Failure) {
        let content = try SealedIndex(index, of: source, marks: marks).encoded
        if content.count + members.count > Self.sizeLimit { throw .tooLargeToHold(limit: Self.sizeLimit) }
        let frame = try content.compressed(level: 3)
        do throws(Failure) { try commit([frame, members]) } catch {
            guard error.code == .fileExists, try read(for: source) != nil else { throw error }
        }
    }

    private func commit(_ parts: [[UInt8]]) throws(Failure) {
        let file = try OutputFile(at: path, isReplacing: isReplacing)
        for bytes in parts { try Failure.file("write", path, file.descriptor.writeEverything(bytes[...])) }
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
        let frame = held.bytes.bytes.extracting(..<size)
        var decompressor = try codec(Decompressor())
        let count = try codec(decompressor.decompress(frame, into: memory, offset: 0))
        return (Array(memory[..<count]), Array(held.bytes[size...]))
    }
}

/// An index, with marks that identify the file it belongs to.
///
/// Layout, little-endian: `"SLUICEIX" | version u32 = 1 | N u32 | N x { end in the file u64, end in the content u64,
/// mark u32 }`; a mark is the last four bytes of the file before an end: for most frames, their checksum.
struct SealedIndex {
    private static let name = Array("SLUICEIX".utf8)
    private static let version: UInt32 = 1
    private static let headerSize = 16
    private static let entrySize = 20
    private static let mostRemoteMarks = 16

    let index: FrameIndex
    /// The bytes of the index, with the marks.
    let encoded: [UInt8]

    /// - Parameter marks: those that are known, by the ends of entries.
    /// - Throws: `reading`, `sourceShrank`.
    init(_ index: FrameIndex, of source: Source, marks: [UInt64: UInt32] = [:]) throws(Failure) {
        self.index = index
        var bytes = Self.name
        bytes.reserveCapacity(Self.headerSize + index.count * Self.entrySize)
        bytes.appendLittleEndian(Self.version)
        bytes.appendLittleEndian(UInt32(clamping: index.count))
        for position in 0..<index.count {
            let entry = index[position]
            bytes.appendLittleEndian(entry.input.upperBound)
            bytes.appendLittleEndian(entry.content.upperBound)
            let known = entry.input.count < 4 ? nil : marks[entry.input.upperBound]
            let mark = if let known { known } else { try Self.mark(entry, of: source) }
            bytes.appendLittleEndian(mark)
        }
        encoded = bytes
    }

    /// Nil if the bytes are not an index.
    init?(_ bytes: [UInt8]) {
        let size = bytes.count - Self.headerSize
        guard size > 0, bytes.starts(with: Self.name), UInt32(littleEndianBytes: bytes[8..<12]) == Self.version,
            size % Self.entrySize == 0, UInt64(littleEndianBytes: bytes[12..<16]) == UInt64(size / Self.entrySize)
        else { return nil }
        var index = FrameIndex()
        for offset in stride(from: Self.headerSize, to: bytes.count, by: Self.entrySize) {
            let input = UInt64(littleEndianBytes: bytes[offset..<offset + 8])
            let content = UInt64(littleEndianBytes: bytes[offset + 8..<offset + 16])
            guard input > index.inputSize, content >= index.contentSize,
                index.append(inputSize: input - index.inputSize, contentSize: content - index.contentSize)
            else { return nil }
        }
        (self.index, encoded) = (index, bytes)
    }

    /// Whether the file has the size of the index, and its frames end in the same marks.
    func belongs(to source: Source) throws(Failure) -> Bool {
        guard source.size == index.inputSize else { return false }
        // Each mark of a remote file is a request; a frame that is read must match the index anyway.
        let step = source.ranges == nil ? 1 : max(1, index.count / Self.mostRemoteMarks)
        for position in stride(from: index.count - 1, through: 0, by: -step) {
            let end = Self.headerSize + (position + 1) * Self.entrySize
            let mark = UInt32(littleEndianBytes: encoded[end - 4..<end])
            if try Self.mark(index[position], of: source) != mark { return false }
        }
        return true
    }

    private static func mark(_ entry: FrameIndex.Entry, of source: Source) throws(Failure) -> UInt32 {
        let count = min(4, entry.input.count)
        guard let bytes = try source.bytes(at: entry.input.upperBound - UInt64(count), count: count) else {
            throw .sourceShrank(expected: source.size ?? 0, read: entry.input.lowerBound)
        }
        return UInt32(littleEndianBytes: bytes)
    }
}
