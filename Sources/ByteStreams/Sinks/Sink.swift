internal import CKernel
internal import Glibc
package import SystemPackage

/// The descriptor that a run writes, from where it stands.
package struct Sink: Sendable {
    /// What the page cache has to do with the data of a file.
    package enum Caching: Sendable {
        /// The data stays there, and the kernel writes it when it likes.
        case cached
        /// The data stays there, and is written to the disk meanwhile: a sync at the end has little left to do.
        case writtenBack
        /// What is compressed goes to the disk alone, if the file system says that it can do that and the descriptor
        /// stands at the beginning of a page; else `writtenBack`.
        case bypassed
    }

    /// What becomes of bytes that are in a file already, from where its descriptor stands on: those of an earlier run
    /// that did not come to its end.
    package enum Resumption: Sendable {
        /// What proves to be the same stays, and is not written again. What was made from something else is a failure.
        case ofSameSource
        /// The same, but what was made from something else is replaced.
        case ofAnySource
    }

    /// What is written; whoever opened it closes it.
    package let descriptor: FileDescriptor
    /// What it was when the sink was made.
    package let identity: FileIdentity
    /// How its data goes to the disk, if it is a file.
    package let caching: Caching
    /// Whether long runs of zeros are left out of a file, as holes.
    package let leavesHoles: Bool
    /// Whether a run that fails has its output thrown away. Otherwise what was written is a prefix of the right data.
    package let isTemporary: Bool
    /// What writes it; nil for a channel of Dispatch.
    package var target: (any ByteSink)?
    /// What becomes of what is there already; nil if nothing is that matters.
    package let resumption: Resumption?

    /// Whether it is a regular file.
    package var isFile: Bool { identity.kind == .file }

    /// - Parameters:
    ///   - isTemporary: whether nobody sees the output of a run that fails.
    ///   - leavesHoles: whether long runs of zeros are left out, where nothing is that they would have to replace.
    ///   - resumption: what becomes of what is there already, in a file that can be read, too, and stands at its start.
    /// - Throws: `writing` if the descriptor can't be looked at, or is a directory.
    package init(
        _ descriptor: FileDescriptor, caching: Caching = .cached, isTemporary: Bool = false, leavesHoles: Bool = false,
        resumption: Resumption? = nil
    ) throws(Failure) {
        self.descriptor = descriptor
        self.leavesHoles = leavesHoles
        self.caching = caching
        self.isTemporary = isTemporary
        self.resumption = resumption
        do { identity = try FileIdentity(descriptor) } catch { throw .writing(error) }
        if identity.kind == .directory { throw .writing(.isDirectory) }
    }

    /// What goes to no descriptor.
    package init(_ target: any ByteSink) {
        (descriptor, identity) = (FileDescriptor(rawValue: -1), FileIdentity())
        (caching, leavesHoles, isTemporary, resumption) = (.cached, false, false, nil)
        self.target = target
    }

    /// Begins to write bytes in order.
    ///
    /// - Parameters:
    ///   - hasBlocks: whether whole aligned blocks go past the page cache.
    ///   - fullDisk: where writes wait when a disk is full; nil if they fail then.
    package func open(hasBlocks: Bool, fullDisk: FullDisk?) -> any ByteSink {
        target ?? DispatchSink(self, hasBlocks: hasBlocks, fullDisk: fullDisk)
    }

    /// Whether holes may be left where the descriptor stands: nothing is behind it, and what is written stays there.
    package var takesHoles: Bool {
        guard leavesHoles, isFile else { return false }
        // It is new and empty, or cut before anything is written.
        if isTemporary || resumption != nil { return true }
        guard fcntl(descriptor.rawValue, F_GETFL) & O_APPEND == 0 else { return false }
        let position = lseek(descriptor.rawValue, 0, SEEK_CUR)
        return position >= 0 && UInt64(position) >= identity.size
    }

    /// Moves the descriptor so many bytes on, and makes the file as long as that, if it is shorter.
    package func extend(by count: UInt64) throws(Failure) {
        try Failure.writing { () throws(Errno) in
            let end = try systemCall { lseek(descriptor.rawValue, off_t(count), SEEK_CUR) }
            // Behind a part of a file there are others.
            guard try FileIdentity(descriptor).size < UInt64(end) else { return }
            try systemCall { ftruncate(descriptor.rawValue, end) }
        }
    }

    /// Whether blocks of a `BlockBuffer` may go past the page cache.
    package var takesBlocks: Bool {
        // Where what is there already ends, seldom a page does.
        guard caching == .bypassed, isFile, resumption == nil || identity.size == 0 else { return false }
        let alignment = BlockBuffer.alignment
        return lseek(descriptor.rawValue, 0, SEEK_CUR) % off_t(alignment) == 0
            && sluice_takes_direct_writes(descriptor.rawValue, UInt32(alignment))
    }
}
