internal import Glibc
package import SystemPackage

/// The descriptor that a run reads, from its position on.
package struct Source: Sendable {
    /// The descriptor to read. The caller closes it.
    package let descriptor: FileDescriptor
    /// Its state when the source was created.
    package let identity: FileIdentity
    /// The descriptor's initial position in a file, in bytes; otherwise 0.
    package let start: UInt64
    /// The bytes from there to the end of the file, at that time; nil if unknown.
    package let size: UInt64?
    /// The implementation that reads; nil for a channel of Dispatch.
    package var stream: (any ByteSource)?
    /// Whether zeros may follow the data, whatever its format.
    package var ignoresZeros = false

    package var isFile: Bool { identity.kind == .file }

    /// - Parameter isFresh: whether the file was just opened, and is at its start.
    /// - Throws: `reading` if it is a directory, or `fstat` fails.
    package init(_ descriptor: FileDescriptor, isFresh: Bool = false) throws(Failure) {
        self.descriptor = descriptor
        // Attributes that FUSE has cached may be older than a newly created file: it would seem to change later.
        identity = try Failure.reading(FileIdentity(descriptor, isFresh: true))
        // Dispatch refuses directories too, but remembers that until its cleanup handler has run: it would also refuse
        // the next file that gets this descriptor number.
        if identity.kind == .directory { throw .reading(.isDirectory) }
        start = identity.kind == .file && !isFresh ? UInt64(max(0, lseek(descriptor.rawValue, 0, SEEK_CUR))) : 0
        // A size of 0 means nothing: files in /proc and /sys report it.
        size = identity.kind == .file && identity.size > 0 ? identity.size - min(identity.size, start) : nil
    }

    /// A source without a descriptor.
    package init(_ stream: any ByteSource) {
        (descriptor, identity, start, size) = (FileDescriptor(rawValue: -1), FileIdentity(), 0, nil)
        self.stream = stream
    }

    private init(_ source: Source, _ range: Range<UInt64>, _ descriptor: FileDescriptor? = nil) {
        (self.descriptor, identity) = (descriptor ?? source.descriptor, source.identity)
        (start, size) = (source.start + range.lowerBound, range.upperBound - range.lowerBound)
        ignoresZeros = source.ignoresZeros
    }

    /// A range of the file as a separate source, counted from where this one starts.
    package func subrange(_ range: Range<UInt64>) -> Source { Source(self, range) }

    /// The same file, read with plain system calls through another descriptor, which does not move.
    package func readInPlace(through descriptor: FileDescriptor) throws(Failure) -> Source {
        var source = Source(self, 0..<(size ?? 0), descriptor)
        source.stream = try DescriptorSource(source, movesDescriptor: false)
        return source
    }

    /// Starts reading the bytes in order.
    ///
    /// - Throws: `reading` if no descriptors are left.
    package func open() throws(Failure) -> any ByteSource {
        if let stream { return stream }
        return try ChannelSource(self)
    }

    /// Bytes of the file, counted from where the source starts; nil if some are missing.
    package func bytes(at offset: UInt64, count: Int) throws(Failure) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let taken = try Failure.reading(descriptor.fill(&bytes, from: start + offset))
        return taken == count ? bytes : nil
    }

    /// Whether both ends of a range are in the page cache, and so most likely the whole range.
    package func isCached(_ range: Range<UInt64>) -> Bool {
        descriptor.isCached(at: start + range.lowerBound) && descriptor.isCached(at: start + range.upperBound - 1)
    }

    /// Reads a whole range, counted from where the source starts.
    ///
    /// - Throws: `reading`, `sourceShrank`.
    package func read(_ range: Range<UInt64>, into memory: UnsafeMutableRawBufferPointer) throws(Failure) {
        let filled = try Failure.reading(
            descriptor.fill(
                UnsafeMutableRawBufferPointer(rebasing: memory[..<range.count]), from: start + range.lowerBound))
        if filled < range.count { throw .sourceShrank(expected: size ?? 0, read: range.lowerBound + UInt64(filled)) }
    }
}

extension Source {
    /// The size of an input that can be read to its end without waiting; nil if unknown.
    package var sizeAtHand: UInt64? {
        if let size { return size }
        if stream != nil { return nil }
        if isFile {
            // Files in /proc and /sys report a size of 0 too.
            var byte: [UInt8] = [0]
            return (try? descriptor.fill(&byte, from: start)) == 0 ? 0 : nil
        }
        guard identity.kind == .fifo else { return nil }
        var entry = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        var count: Int32 = 0
        // More bytes may come unless all writers of the pipe have closed it.
        guard poll(&entry, 1, 0) == 1, entry.revents & Int16(POLLHUP) != 0,
            ioctl(descriptor.rawValue, UInt(FIONREAD), &count) == 0
        else { return nil }
        return UInt64(count)
    }
}
