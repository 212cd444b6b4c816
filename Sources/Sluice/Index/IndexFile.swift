internal import ByteStreams
internal import Glibc
public import SystemPackage
internal import ZstdCodec

/// An index in a file of its own, for a compressed file whose frames can't be found without decoding.
///
/// It is a Zstandard frame, whose checksum tells whether it is whole; docs/format.md describes its content. It belongs
/// to a file of that size in which the frames end in the same bytes.
public struct IndexFile: Sendable {
    /// Bytes of an index that is made, or read: some million entries.
    private static let sizeLimit: UInt64 = 256 << 20

    /// Where it is, or will be.
    public let path: FilePath
    /// Whether the index of another file gives way to that of this one.
    private let isReplacing: Bool

    /// Names it: nothing is opened yet.
    ///
    /// - Parameters:
    ///   - path: its name.
    ///   - isReplacing: whether the index of another file, or an empty file, gives way to that of this one.
    public init(at path: FilePath, isReplacing: Bool) {
        self.path = path
        self.isReplacing = isReplacing
    }

    /// Reads it.
    ///
    /// - Returns: nil if there is none, or one that may be replaced.
    /// - Throws: `wrongIndex`, `noIndex`, `file`.
    func read(for source: Source) throws(Failure) -> FrameIndex? {
        // Nobody waits for the writer of a FIFO, which is no index.
        let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        let descriptor: FileDescriptor
        do throws(Failure) {
            descriptor = FileDescriptor(
                rawValue: try Failure.check("open", path) { path.withPlatformString { open($0, flags) } })
        } catch {
            if error.errno == .noSuchFileOrDirectory { return nil }
            throw error
        }
        defer { try? descriptor.close() }
        // The file itself is never replaced by its index.
        guard let file = try? FileIdentity(descriptor), file.kind == .file, !file.isSameFile(as: source.identity) else {
            throw .noIndex(path)
        }
        if file.size == 0, isReplacing { return nil }
        // Whoever names another file by mistake keeps it.
        guard let content = try? content(of: descriptor), let sealed = SealedIndex(content) else {
            throw .noIndex(path)
        }
        if try sealed.belongs(to: source) { return sealed.index }
        if isReplacing { return nil }
        throw .wrongIndex(path)
    }

    /// Writes it, complete and synced before it has its name.
    ///
    /// - Throws: `file`, `reading`, `sourceShrank`, `tooLargeToHold`.
    func write(_ index: FrameIndex, of source: Source) throws(Failure) {
        let content = try SealedIndex(index, of: source).encoded
        if content.count > Self.sizeLimit { throw .tooLargeToHold(limit: Self.sizeLimit) }
        let frame = try OutputBuffer(capacity: CompressionOptions.bound(content.count))
        let memory = frame.memory
        let size = try codec { () throws(CodecFailure) in
            var compressor = try Compressor(CompressionOptions(level: 3))
            return try content.span.bytes.withUnsafeBytes { content throws(CodecFailure) in
                try compressor.compress(content, into: memory)
            }
        }
        let file = try OutputFile(at: path, isReplacing: isReplacing)
        var rest = UnsafeRawBufferPointer(rebasing: memory[..<size])
        while !rest.isEmpty {
            // No more than a call takes, whose result has 32 bits.
            let count = min(rest.count, 1 << 30)
            let written = try Failure.check("write", path) {
                Int32(Glibc.write(file.descriptor.rawValue, rest.baseAddress, count))
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Int(written)))
        }
        try file.commit(metadataOf: nil, isSynced: true)
    }

    private func content(of descriptor: FileDescriptor) throws(Failure) -> [UInt8] {
        let held = try HeldContent(of: Source(descriptor), limit: Self.sizeLimit)
        let size = try codec { () throws(CodecFailure) in
            var scanner = FrameScanner()
            let ended = try scanner.scan(held.bytes).ended
            // Entries are 20 bytes: what claims more than the frame bears out is damaged.
            guard let ended, let size = ended.header?.contentSize, size <= min(ended.decompressedBound, Self.sizeLimit)
            else { throw .truncated(offset: 0) }
            return size
        }
        let output = try OutputBuffer(capacity: Int(size))
        let memory = output.memory
        let count = try codec { () throws(CodecFailure) in
            var decompressor = try Decompressor()
            return try decompressor.decompress(held.bytes, into: memory, offset: 0)
        }
        return Array(memory[..<count])
    }
}
