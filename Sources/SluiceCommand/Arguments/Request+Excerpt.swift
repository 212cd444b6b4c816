import Sluice

/// Settles which ranges or members of the content are wanted.
extension Request {
    /// The operation on members, if that is what is asked for.
    var memberOperation: (any Command)? {
        if !settings.members.selection.patterns.isEmpty, heeds(.members) { return ExtractMembers() }
        guard settings.members.areOn, heeds(.archives) else { return nil }
        return heeds(.frames) ? CompressArchive() : ListMembers()
    }

    /// Settles how ranges and members are found, and where they go.
    mutating func settleExcerpt() {
        let hasMembers = memberOperation != nil
        if hasMembers, heeds(.frames) {
            if settings.compression.options.frameSize == nil { settings.compression.options.divideFrames() }
            return
        }
        guard hasMembers || !settings.decoding.ranges.isEmpty else { return }
        // A part of a file is not what its name stands for.
        if settings.output.destination == .derived { settings.output.destination = .standardOutput }
    }
}

extension CompressionOptions {
    /// The most bytes of a window that is made larger than the level's.
    private static let mostWindow = 8 << 20

    /// Makes frames of half the size: to get a member out, a whole one is decoded (docs/decisions/members.md).
    ///
    /// Such a frame is decoded in one go if its window has all of it, and smaller by more than that costs.
    fileprivate mutating func divideFrames() {
        let size = effectiveFrameSize / 2
        frameSize = size
        let window = windowSize(contentSize: UInt64(size))
        guard parameters[.windowLog] == nil, window < size, size <= min(2 * window, Self.mostWindow) else { return }
        parameters[.windowLog] = Self.windowLog(for: UInt64(size))
    }
}
