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
            let options = settings.compression.options
            // To get a member out, its frame is decoded, up to half of it on average (docs/decisions/members.md).
            if options.frameSize == nil { settings.compression.options.frameSize = options.effectiveFrameSize / 2 }
            return
        }
        guard hasMembers || !settings.decoding.ranges.isEmpty else { return }
        // A part of a file is not what its name stands for.
        if settings.output.destination == .derived { settings.output.destination = .standardOutput }
    }
}
