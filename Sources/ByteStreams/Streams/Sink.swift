internal import Glibc
package import SystemPackage

/// What a run writes to.
package struct Sink: Sendable {
    /// How to treat bytes that an interrupted run has left after the descriptor's position. Matching bytes are not
    /// written again.
    package enum Resumption: Sendable {
        /// Bytes that differ are a failure: they come from another source.
        case ofSameSource
        /// Bytes that differ are replaced.
        case ofAnySource
    }

    package enum Target: Sendable {
        /// Written from its position on, by a channel of Dispatch. The caller closes it.
        case descriptor(FileDescriptor)
        case stream(any ByteSink)
    }

    package let target: Target
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
    /// Writes in place of the target's own; nil if nothing does.
    private var writer: (any ByteSink)?
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
        (target, self.isSynced, self.isTemporary) = (.descriptor(descriptor), isSynced, isTemporary)
        (self.leavesHoles, self.resumption) = (leavesHoles, resumption)
        identity = try Failure.writing(FileIdentity(descriptor))
        if identity.kind == .directory { throw .writing(.isDirectory) }
        try Failure.writing(descriptor.check(.write, identity.kind))
    }

    /// A sink without a descriptor.
    package init(_ stream: any ByteSink, isTemporary: Bool = false) {
        (target, identity, self.isTemporary) = (.stream(stream), FileIdentity(), isTemporary)
        (isSynced, leavesHoles, resumption) = (false, false, nil)
    }

    /// The descriptor; nil if there is none.
    package var descriptor: FileDescriptor? { if case .descriptor(let descriptor) = target { descriptor } else { nil } }

    /// The descriptor of a sink that only makes sense with one.
    ///
    /// - Throws: EBADF for any other.
    package func requireDescriptor() throws(Failure) -> FileDescriptor {
        guard let descriptor else { throw .writing(.badFileDescriptor) }
        return descriptor
    }

    /// The same sink, whose bytes another writer gets.
    package func written(by writer: any ByteSink) -> Sink {
        var sink = self
        sink.writer = writer
        return sink
    }

    /// Whether somebody takes the bytes, and may keep them for any time.
    package var isTaken: Bool { if case .stream(let stream) = target { !stream.isBounded } else { false } }

    /// Starts writing. With `hasBlocks`, whole aligned blocks bypass the page cache.
    package func open(hasBlocks: Bool) -> any ByteSink {
        if let writer { return writer }
        return switch target {
        case .descriptor(let descriptor): DispatchSink(self, descriptor, hasBlocks: hasBlocks)
        case .stream(let stream): stream
        }
    }

    /// Whether holes may be left: the file has no data after the position, and the descriptor does not append.
    package var takesHoles: Bool {
        guard leavesHoles, isFile else { return false }
        // The file is new and empty, or cut before anything is written.
        if isTemporary || resumption != nil { return true }
        return position.map { $0 >= identity.size } ?? false
    }

    /// The offset of the next byte in a file; nil for anything else, and if each write appends.
    var position: UInt64? {
        guard isFile, let descriptor, fcntl(descriptor.rawValue, F_GETFL) & O_APPEND == 0 else { return nil }
        return UInt64(exactly: descriptor.position)
    }

    /// Removes what the file has.
    package func empty() throws(Failure) {
        let descriptor = try requireDescriptor()
        try Failure.writing(descriptor.truncate(to: 0))
    }

    /// Moves the descriptor forward, and lengthens the file if it ends before that.
    package func extend(by count: UInt64) throws(Failure) {
        let descriptor = try requireDescriptor()
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
        guard isSynced, isFile, let descriptor, resumption == nil || identity.size == 0 else { return false }
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
        let descriptor = try requireDescriptor()
        var position = 0
        for hole in takesHoles ? ZeroRuns.find(in: content) : [] {
            try Failure.writing(descriptor.writeEverything(content.extracting(position..<hole.lowerBound)))
            try extend(by: UInt64(hole.count))
            position = hole.upperBound
        }
        try Failure.writing(descriptor.writeEverything(content.extracting(position...)))
    }
}
