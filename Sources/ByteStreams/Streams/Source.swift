internal import Glibc
package import SystemPackage

/// What a run reads.
package struct Source: Sendable {
    package enum Origin: Sendable {
        /// Read from its position on, by a channel of Dispatch. The caller closes it.
        case descriptor(FileDescriptor)
        /// Any range can be read.
        case ranges(any RangeSource)
        /// Can only be read in order.
        case stream(any ByteSource)
    }

    package private(set) var origin: Origin
    /// The descriptor's state when the source was created.
    package let identity: FileIdentity
    /// The descriptor's initial position in a file, in bytes; otherwise 0.
    package let start: UInt64
    /// The bytes from there to the end of the file, at that time; nil if unknown.
    package let size: UInt64?
    /// Reads in order in place of the origin; nil if nothing does.
    private var reader: (any ByteSource)?
    /// Whether zeros may follow the data, whatever its format.
    package var ignoresZeros = false

    package var isFile: Bool { identity.kind == .file }

    /// The descriptor; nil for another origin.
    package var descriptor: FileDescriptor? { if case .descriptor(let descriptor) = origin { descriptor } else { nil } }
    /// What is read in order only; nil for another origin.
    package var stream: (any ByteSource)? { if case .stream(let stream) = origin { stream } else { nil } }
    /// What is read by ranges; nil for another origin.
    package var ranges: (any RangeSource)? { if case .ranges(let ranges) = origin { ranges } else { nil } }

    /// Whether any range can be read at any time: the source is a file, or has `ranges`.
    package var isRandomAccess: Bool { isFile || ranges != nil }

    /// - Parameter isFresh: whether the file was just opened, and is at its start.
    /// - Throws: `reading` if nothing can be read from it, or `fstat` fails.
    package init(_ descriptor: FileDescriptor, isFresh: Bool = false) throws(Failure) {
        origin = .descriptor(descriptor)
        // Attributes that FUSE has cached may be older than a newly created file: it would seem to change later.
        identity = try Failure.reading(FileIdentity(descriptor, bypassingCache: true))
        // Dispatch refuses directories too, but remembers that until its cleanup handler has run: it would also refuse
        // the next file that gets this descriptor number.
        if identity.kind == .directory { throw .reading(.isDirectory) }
        if !isFresh { try Failure.reading(descriptor.check(.read, identity.kind)) }
        start = identity.kind == .file && !isFresh ? UInt64(max(0, lseek(descriptor.rawValue, 0, SEEK_CUR))) : 0
        // A size of 0 means nothing: files in /proc and /sys report it.
        size = identity.kind == .file && identity.size > 0 ? identity.size - min(identity.size, start) : nil
    }

    /// A source without a descriptor, which can only be read in order.
    ///
    /// - Parameters:
    ///   - size: its bytes; nil if unknown.
    ///   - identity: tells it from other sources.
    package init(_ stream: any ByteSource, size: UInt64? = nil, identity: FileIdentity? = nil) {
        origin = .stream(stream)
        self.identity = identity ?? FileIdentity()
        start = 0
        self.size = size
    }

    /// A source without a descriptor, any range of which can be read.
    ///
    /// - Parameter identity: tells it from other sources.
    package init(_ ranges: any RangeSource, identity: FileIdentity? = nil) {
        origin = .ranges(ranges)
        self.identity = identity ?? FileIdentity()
        start = 0
        size = UInt64(max(0, ranges.size))
    }

    /// - Parameter range: nil for bytes whose number is not known.
    private init(_ source: Source, _ range: Range<UInt64>?, _ origin: Origin? = nil) {
        self.origin = origin ?? source.origin
        identity = source.identity
        start = source.start + (range?.lowerBound ?? 0)
        size = range.map { $0.upperBound - $0.lowerBound }
        ignoresZeros = source.ignoresZeros
    }

    /// The same source, which reads an origin in whole pieces and ahead; a file is read as before.
    package var readAhead: Source {
        var source = self
        if let ranges { source.origin = .ranges(ReadAheadSource(ranges)) }
        return source
    }

    /// A range of the file as a separate source, counted from where this one starts.
    package func subrange(_ range: Range<UInt64>) -> Source { Source(self, range) }

    /// A source for the same file that reads with plain system calls through another descriptor, which does not move.
    /// For an origin with ranges, one whose `cancel` leaves the origin to its other readers.
    package func readInPlace(through descriptor: FileDescriptor?) throws(Failure) -> Source {
        let whole = 0..<(size ?? 0)
        if let ranges {
            let shared = RangeStream(ranges, start..<start + whole.upperBound, isShared: true)
            return Source(self, whole).read(by: shared)
        }
        let source = Source(self, whole, descriptor.map { .descriptor($0) })
        return source.read(by: try DescriptorSource(source, movesDescriptor: false))
    }

    /// The content of this file or stream, which a reader gives in its order, and whose size is not known.
    package func content(from reader: any ByteSource) -> Source {
        var content = Source(self, nil)
        content.reader = reader
        return content
    }

    /// The same source, whose bytes another reader gives in their order.
    package func read(by reader: any ByteSource) -> Source {
        var source = self
        source.reader = reader
        return source
    }

    /// Starts reading the bytes in order.
    ///
    /// - Throws: `reading` if no descriptors are left.
    package func open() throws(Failure) -> any ByteSource {
        if let reader { return reader }
        return switch origin {
        case .descriptor: try ChannelSource(self)
        case .ranges(let ranges): RangeStream(ranges, start..<start + (size ?? 0))
        case .stream(let stream): stream
        }
    }

    /// The descriptor of a source that only makes sense with one.
    ///
    /// - Throws: EBADF for another origin.
    package func requireDescriptor() throws(Failure) -> FileDescriptor {
        guard let descriptor else { throw .reading(.badFileDescriptor) }
        return descriptor
    }

    /// The state of the file now; nil for another origin, or if it can't be looked at.
    package var currentIdentity: FileIdentity? { descriptor.flatMap { try? FileIdentity($0) } }

    /// Reads bytes, counted from where the source starts, until the memory is full.
    ///
    /// - Returns: how many bytes were read; less than the memory holds only at the end of the data.
    package func fill(_ memory: UnsafeMutableRawBufferPointer, from offset: UInt64) throws(Failure) -> Int {
        guard let ranges else {
            let descriptor = try requireDescriptor()
            return try Failure.reading(descriptor.fill(memory, from: start + offset))
        }
        let count = Int(min(UInt64(memory.count), (size ?? 0) - min(size ?? 0, offset)))
        try ranges.fill(memory.extracting(..<count), from: start + offset)
        return count
    }

    /// Bytes of the file, counted from where the source starts; nil if some are missing.
    package func bytes(at offset: UInt64, count: Int) throws(Failure) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var memory = bytes.mutableSpan
        let taken = try memory.withUnsafeMutableBytes { memory throws(Failure) in
            try fill(memory, from: offset)
        }
        return taken == count ? bytes : nil
    }

    /// Whether both ends of a range are in the page cache, and so most likely the whole range.
    package func isCached(_ range: Range<UInt64>) -> Bool {
        guard let descriptor else { return false }
        return descriptor.isCached(at: start + range.lowerBound)
            && descriptor.isCached(at: start + range.upperBound - 1)
    }

    /// Reads a whole range, counted from where the source starts.
    ///
    /// - Throws: `reading`, `sourceShrank`.
    package func read(_ range: Range<UInt64>, into memory: UnsafeMutableRawBufferPointer) throws(Failure) {
        let filled = try fill(memory.extracting(..<range.count), from: range.lowerBound)
        if filled < range.count { throw .sourceShrank(expected: size ?? 0, read: range.lowerBound + UInt64(filled)) }
    }
}

extension Source {
    /// The size of an input that can be read to its end without waiting; nil if unknown.
    package var sizeAtHand: UInt64? {
        // Another origin may be far away.
        guard let descriptor else { return nil }
        if let size { return size }
        if reader != nil { return nil }
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
