/// Finds out whether frames that the seek table lists are missing between two that follow one another.
extension FrameHunt {
    /// Whether frames are missing between the last frame and this one, as the table says: not if it contradicts the
    /// next frame, nor if all listed frames are there in another order.
    ///
    /// - Parameter before: the guide before it placed the frame; it passes over the entry if none is missing.
    mutating func isMissing(behind walk: FrameWalk, _ before: TableGuide?) throws(Failure) -> Bool {
        let following = try FrameWalk(from: walk.end, in: walking)
        // Before damage it may be damaged itself: then it tells nothing.
        let isFollowed = try Self.isStart(following.end, in: walking, limits)
        let isConfirmed =
            if following.isSeekTable { guide?.remaining == 0 } else if !following.isWhole || !isFollowed { true } else {
                try guide?.expects(found(following)) == true
            }
        let found = try found(walk)
        if isConfirmed, try isSure(of: found, walk), try listsMore(behind: walk, before?.remaining) { return true }
        guide = before
        guide?.passOver(found)
        return false
    }

    /// Whether a frame that was placed is certainly that of its entry, by itself or by those that follow.
    private mutating func isSure(of found: TableGuide.Found, _ walk: FrameWalk) throws(Failure) -> Bool {
        guard let guide, patience > 0 else { return false }
        if guide.isSure(of: found) { return true }
        let (bearing, end) = try self.bearing(from: walk)
        spend(Self.walkWork * (end - walk.frame.offset))
        return bearing?.isSure == true && bearing?.shift == guide.shift
    }

    /// Whether there are fewer frames than listed ones, from a frame on.
    private mutating func listsMore(behind walk: FrameWalk, _ listed: Int?) throws(Failure) -> Bool {
        if let listsMore { return listsMore }
        var (walk, count) = (walk, 0)
        while walk.isWhole, walk.end < file.size, !walk.isSeekTable {
            count += 1
            walk = try FrameWalk(from: walk.end, in: walking)
        }
        let result = !isTable(walk) || count < listed ?? 0
        listsMore = result
        return result
    }
}
