internal import CKernel
package import ForeignCodec
internal import Glibc
package import SystemPackage

/// The descriptor that a run reads, from where it stands.
package struct Source: Sendable {
    /// What is read; whoever opened it closes it.
    package let descriptor: FileDescriptor
    /// What it was when it was looked at.
    package let identity: FileIdentity
    /// Where it stands, in bytes: 0 for what is no file.
    package let start: UInt64
    /// Bytes from where it stands to its end, as they were when it was looked at; nil if that can't be told.
    package let size: UInt64?
    /// What reads it; nil for a channel of Dispatch.
    var stream: (any ByteSource)?

    /// Whether it is a regular file.
    package var isFile: Bool { identity.kind == .file }

    /// - Parameter isFresh: whether it was opened by its name just now, and stands at its start.
    /// - Throws: `reading` if the descriptor can't be looked at, or is a directory.
    package init(_ descriptor: FileDescriptor, isFresh: Bool = false) throws(Failure) {
        self.descriptor = descriptor
        do { identity = try FileIdentity(descriptor) } catch { throw .reading(error) }
        // Dispatch would refuse it too, but forget the refusal only after its cleanup handler has run: the next file
        // under this number would be refused with it.
        if identity.kind == .directory { throw .reading(.isDirectory) }
        start = identity.kind == .file && !isFresh ? UInt64(max(0, lseek(descriptor.rawValue, 0, SEEK_CUR))) : 0
        guard identity.kind == .file, identity.size > 0 else {
            // A size of 0 says nothing: the files in /proc have it.
            size = nil
            return
        }
        size = identity.size - min(identity.size, start)
    }

    /// What comes from no descriptor.
    init(_ stream: any ByteSource) {
        (descriptor, identity, start, size) = (FileDescriptor(rawValue: -1), FileIdentity(), 0, nil)
        self.stream = stream
    }

    private init(_ source: Source, _ stretch: Range<UInt64>, _ descriptor: FileDescriptor? = nil) {
        (self.descriptor, identity) = (descriptor ?? source.descriptor, source.identity)
        (start, size) = (source.start + stretch.lowerBound, stretch.upperBound - stretch.lowerBound)
    }

    /// A stretch of a file as a source of its own.
    ///
    /// - Parameter stretch: bytes, counted from where the descriptor stood.
    package func part(_ stretch: Range<UInt64>) -> Source { Source(self, stretch) }

    /// The same file, read with plain calls through another descriptor of it, and without moving that.
    func readInPlace(through descriptor: FileDescriptor) throws(Failure) -> Source {
        var source = Source(self, 0..<(size ?? 0), descriptor)
        source.stream = try DescriptorSource(source, movesDescriptor: false)
        return source
    }

    /// Begins to read the bytes in order.
    ///
    /// - Throws: `reading` if there are no descriptors left.
    func open() throws(Failure) -> any ByteSource {
        if let stream { return stream }
        if size != nil, let file = DispatchFileSource(self) { return file }
        return try DispatchStreamSource(self)
    }

    /// The format other than Zstandard in which a file is, as its first bytes tell; nil if they tell none.
    package var foreignFormat: ForeignFormat? {
        var magic = [UInt8](repeating: 0, count: ForeignFormat.magicSize)
        guard isFile, pread(descriptor.rawValue, &magic, magic.count, off_t(clamping: start)) == magic.count else {
            return nil
        }
        return ForeignFormat(magic: magic)
    }
}

extension FileDescriptor {
    /// Makes a pipe hold 1 MiB, the most that Linux allows everybody: processes at its ends take turns less often.
    ///
    /// - Returns: whether it is a pipe that holds that.
    @discardableResult func widenPipe() -> Bool { sluice_widen_pipe(rawValue, 1 << 20) >= 1 << 20 }
}
