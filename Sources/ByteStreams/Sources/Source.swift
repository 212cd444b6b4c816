internal import CKernel
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
    package var stream: (any ByteSource)?

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
    package init(_ stream: any ByteSource) {
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
    package func readInPlace(through descriptor: FileDescriptor) throws(Failure) -> Source {
        var source = Source(self, 0..<(size ?? 0), descriptor)
        source.stream = try DescriptorSource(source, movesDescriptor: false)
        return source
    }

    /// Begins to read the bytes in order.
    ///
    /// - Throws: `reading` if there are no descriptors left.
    package func open() throws(Failure) -> any ByteSource {
        if let stream { return stream }
        if size != nil, let file = DispatchFileSource(self) { return file }
        return try DispatchStreamSource(self)
    }

    /// Bytes of the file, from where the descriptor stands; nil if they are not all there.
    package func bytes(at offset: UInt64, count: Int) throws(Failure) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let taken = try Failure.reading { () throws(Errno) in
            try descriptor.fill(&bytes, from: start + offset)
        }
        return taken == count ? bytes : nil
    }
}
