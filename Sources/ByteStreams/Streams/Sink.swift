internal import Glibc
package import SystemPackage

/// The descriptor that a run writes to, from its position on.
package struct Sink: Sendable {
    /// How to treat bytes that an interrupted run has left after the descriptor's position. The same bytes are not
    /// written again.
    package enum Resumption: Sendable {
        /// Bytes from another source are a failure.
        case ofSameSource
        /// Bytes from another source are replaced.
        case ofAnySource
    }

    /// The descriptor to write to. The caller closes it.
    package let descriptor: FileDescriptor
    /// Its state when the sink was made.
    package let identity: FileIdentity
    /// Whether a file is synced at the end, which has little left to do: compressed data goes past the page cache,
    /// where a copy would only displace data that other programs use, and other data is written back during the run, as
    /// is compressed data if the file system knows no other way, or the descriptor stands within a page.
    package let isSynced: Bool
    /// Whether long runs of zeros become holes of a file.
    package let leavesHoles: Bool
    /// Whether the output of a failed run is discarded. Otherwise it is a prefix of the right data.
    package let isTemporary: Bool
    /// The implementation that writes; nil for a channel of Dispatch.
    package var stream: (any ByteSink)?
    /// Where writes to a file wait when its disk is full; nil if they fail then.
    package var fullDisk: FullDisk?
    /// Nil if there is nothing to resume.
    package let resumption: Resumption?

    /// Whether others read what is written before it is complete, and may take it for complete.
    package var isSeen: Bool { !isTemporary && resumption == nil }
    package var isFile: Bool { identity.kind == .file }

    /// - Parameter resumption: for a file that can also be read, and stands at its start.
    /// - Throws: `writing` if it is a directory, or `fstat` fails.
    package init(
        _ descriptor: FileDescriptor, isSynced: Bool = false, isTemporary: Bool = false, leavesHoles: Bool = false,
        resumption: Resumption? = nil
    ) throws(Failure) {
        (self.descriptor, self.isSynced, self.isTemporary) = (descriptor, isSynced, isTemporary)
        (self.leavesHoles, self.resumption) = (leavesHoles, resumption)
        identity = try Failure.writing(FileIdentity(descriptor))
        if identity.kind == .directory { throw .writing(.isDirectory) }
    }

    /// A sink without a descriptor.
    package init(_ stream: any ByteSink) {
        (descriptor, identity) = (FileDescriptor(rawValue: -1), FileIdentity())
        (isSynced, leavesHoles, isTemporary, resumption) = (false, false, false, nil)
        self.stream = stream
    }

    /// Starts writing: `hasBlocks` tells whether whole aligned blocks go past the page cache.
    package func open(hasBlocks: Bool) -> any ByteSink { stream ?? DispatchSink(self, hasBlocks: hasBlocks) }

    /// Whether holes may be left: the file has no data after the position, and does not append.
    package var takesHoles: Bool {
        guard leavesHoles, isFile else { return false }
        // The file is new and empty, or cut before anything is written.
        if isTemporary || resumption != nil { return true }
        return position.map { $0 >= identity.size } ?? false
    }

    /// Where the next byte of a file goes; nil for what is no file, or if each write goes to its end.
    var position: UInt64? {
        guard isFile, fcntl(descriptor.rawValue, F_GETFL) & O_APPEND == 0 else { return nil }
        return UInt64(exactly: lseek(descriptor.rawValue, 0, SEEK_CUR))
    }

    /// Moves the descriptor on, and makes the file as long as that if it is shorter.
    package func extend(by count: UInt64) throws(Failure) {
        let end = try Failure.writing(systemCall { lseek(descriptor.rawValue, off_t(count), SEEK_CUR) })
        // Other parts of a shared file follow this one.
        guard try Failure.writing(FileIdentity(descriptor)).size < UInt64(end) else { return }
        try Failure.writing(descriptor.lengthen(to: UInt64(end)))
    }

    /// Bytes of a block that goes past the page cache.
    package static let blockSize = 2 << 20
    /// The alignment of a block's memory and size, in bytes. Most disks need less; for one that needs more, everything
    /// goes through the cache.
    package static let blockAlignment = 4096

    /// Whether aligned blocks may go past the page cache.
    package var takesBlocks: Bool {
        // An interrupted output seldom ends at the end of a page.
        guard isSynced, isFile, resumption == nil || identity.size == 0 else { return false }
        let alignment = Self.blockAlignment
        return lseek(descriptor.rawValue, 0, SEEK_CUR) % off_t(alignment) == 0
            && descriptor.takesDirectWrites(alignment: alignment)
    }
}

extension Sink {
    /// Writes with plain calls, and leaves out long runs of zeros where holes may be.
    ///
    /// - Throws: `writing`.
    package func write(_ content: UnsafeRawBufferPointer) throws(Failure) {
        var position = 0
        for hole in takesHoles ? Holes.find(in: content) : [] {
            try Failure.writing(descriptor.writeEverything(content[position..<hole.lowerBound]))
            try extend(by: UInt64(hole.count))
            position = hole.upperBound
        }
        try Failure.writing(descriptor.writeEverything(content[position...]))
    }
}
