internal import Parity

/// Why a recovery does not use some of the parity of a file.
package enum UnusedParity: Equatable, Sendable {
    /// It would take so many bytes of memory, which is more than there is for it.
    case memory(Int)
    /// There are more streams than are looked at, or more has rotted than is remembered.
    case bounds
}

extension RepairedSource {
    /// A damaged file as its parity repairs it, for recovery.
    ///
    /// Parity changes nothing in a frame that a checksum proves, and nothing at all in a file that is sound as it is
    /// and from which nothing is missing. Of a frame that decodes without a checksum it changes all that has rotted, or
    /// nothing. So recovery never gets less than without it.
    ///
    /// - Parameter didLeaveOut: receives what is not used of the parity.
    /// - Returns: nil if nothing changes, and nothing is known to be wrong; and then what can't be read of the file, so
    ///   that it is not tried again.
    static func repairing(
        _ source: Source, _ decompression: Decompression, _ room: inout ChunkCapacity,
        mostMemory: Int?, _ latch: FailureLatch, didLeaveOut: (UnusedParity) -> Void = { _ in }
    ) throws(Failure) -> (repaired: RepairedSource?, unreadable: RangeSet<UInt64>) {
        guard let size = source.size else { throw .codec(.empty) }
        let file = DamagedFile(source, size: size, latch: latch)
        let limits = decompression.ownLimits
        let checked = try CheckedParity(file, source, latch, limits, mostMemory: mostMemory)
        guard let checked else { return (nil, file.unreadable) }
        if let needed = checked.needed { didLeaveOut(.memory(needed)) }
        if checked.isCut { didLeaveOut(.bounds) }
        let list = try FileElements(checked)
        if list.areUntouched { return (nil, file.unreadable) }
        let frames = try ProvedFrames(list, of: checked, source, decompression, &room)
        // What decodes, and what is not changed, is all that a test of the file looks at. But it does not know what is
        // missing.
        if checked.isSound, !frames.areDamaged, list.areInPlace { return (nil, file.unreadable) }
        let kept = try list.keeping(frames.proved).keeping(frames.hidden, leavesOut: true)
        if kept.areUntouched, !frames.areDamaged { return (nil, file.unreadable) }
        return (RepairedSource(kept, latch), RangeSet())
    }
}
