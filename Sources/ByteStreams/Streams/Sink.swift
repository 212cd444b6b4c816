internal import Glibc
package import SystemPackage

/// The descriptor that a run writes to, from its position on.
package struct Sink: Sendable {
    /// How to treat bytes that an interrupted run has left after the descriptor's position. Matching bytes are not
    /// written again.
    package enum Resumption: Sendable {
        /// Bytes that differ are a failure: they come from another source.
        case ofSameSource
        /// Bytes that differ are replaced.
        case ofAnySource
    }

    /// The descriptor to write to. The caller closes it.
    package let descriptor: FileDescriptor
    /// The descriptor's state when the sink was created.
    package let identity: FileIdentity
    /// Whether to sync a file at the end. To leave little work for that, compressed data bypasses the page cache, where
    /// a copy would only displace data that other programs use. Other data is written back during the run, and so is
    /// compressed data if the file system does not support direct writes, or the descriptor is not at the start of a
    /// page.
    package let isSynced: Bool
    /// Whether long runs of zeros become holes of the file.
    package let leavesHoles: Bool
    /// Whether the output of a failed run is discarded. Otherwise it remains as a prefix of the right data.
    package let isTemporary: Bool
    /// The implementation that writes; nil for a channel of Dispatch.
    package var stream: (any ByteSink)?
    /// Where writes to a file wait when the disk is full; nil to fail instead.
    package var fullDisk: FullDisk?
    /// Nil if there is nothing to resume.
    package let resumption: Resumption?

    /// Whether others can read the output before it is complete, and may take it for complete.
    package var isSeen: Bool { !isTemporary && resumption == nil }
    package var isFile: Bool { identity.kind == .file }

    /// - Parameter resumption: only for a file that can also be read and is at its start.
    /// - Throws: `writing` if nothing can be written to it, or `fstat` fails.
    package init(
        _ descriptor: FileDescriptor, isSynced: Bool = false, isTemporary: Bool = false, leavesHoles: Bool = false,
        resumption: Resumption? = nil
    ) throws(Failure) {
        (self.descriptor, self.isSynced, self.isTemporary) = (descriptor, isSynced, isTemporary)
        (self.leavesHoles, self.resumption) = (leavesHoles, resumption)
        identity = try Failure.writing(FileIdentity(descriptor))
        if identity.kind == .directory { throw .writing(.isDirectory) }
        try Failure.writing(descriptor.check(.write, identity.kind))
    }

    /// A sink without a descriptor.
    package init(_ stream: any ByteSink) {
        (descriptor, identity) = (FileDescriptor(rawValue: -1), FileIdentity())
        (isSynced, leavesHoles, isTemporary, resumption) = (false, false, false, nil)
        self.stream = stream
    }

    /// Starts writing. With `hasBlocks`, whole aligned blocks bypass the page cache.
    package func open(hasBlocks: Bool) -> any ByteSink { stream ?? DispatchSink(self, hasBlocks: hasBlocks) }

    /// Whether holes may be left: the file has no data after the position, and the descriptor does not append.
    package var takesHoles: Bool {
        guard leavesHoles, isFile else { return false }
        // The file is new and empty, or cut before anything is written.
        if isTemporary || resumption != nil { return true }
        return position.map { $0 >= identity.size } ?? false
    }

    /// The offset of the next byte in a file; nil for anything else, and if each write appends.
    var position: UInt64? {
        guard isFile, fcntl(descriptor.rawValue, F_GETFL) & O_APPEND == 0 else { return nil }
        return UInt64(exactly: descriptor.position)
    }

    /// Moves the descriptor forward, and lengthens the file if it ends before that.
    package func extend(by count: UInt64) throws(Failure) {
        let end = try Failure.writing(systemCall { lseek(descriptor.rawValue, off_t(count), SEEK_CUR) })
        // Never shorten the file: in a shared one, other parts follow this one.
        guard try Failure.writing(FileIdentity(descriptor)).size < UInt64(end) else { return }
        try Failure.writing(descriptor.lengthen(to: UInt64(end)))
    }

    /// The size in bytes of a block that bypasses the page cache.
    package static let blockSize = 2 << 20
    /// The alignment of a block's memory and size, in bytes. Most disks need less; if one needs more, everything goes
    /// through the cache.
    package static let blockAlignment = 4096

    /// Whether aligned blocks may bypass the page cache.
    package var takesBlocks: Bool {
        // An interrupted output seldom ends at a page boundary.
        guard isSynced, isFile, resumption == nil || identity.size == 0 else { return false }
        let alignment = Self.blockAlignment
        return descriptor.position % off_t(alignment) == 0
            && descriptor.takesDirectWrites(alignment: alignment)
    }
}

extension Sink {
    /// Writes with plain system calls, and leaves holes for long runs of zeros where that is possible.
    ///
    /// - Throws: `writing`.
    package func write(_ content: RawSpan) throws(Failure) {
        var position = 0
        for hole in takesHoles ? ZeroRuns.find(in: content) : [] {
            try Failure.writing(descriptor.writeEverything(content.extracting(position..<hole.lowerBound)))
            try extend(by: UInt64(hole.count))
            position = hole.upperBound
        }
        try Failure.writing(descriptor.writeEverything(content.extracting(position...)))
    }
}
