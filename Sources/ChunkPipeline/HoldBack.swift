/// Decides when frames are held back: at the start, and whenever everything is written, until enough slots are in use.
///
/// Slots may be reported as taken and given back in any order.
package struct HoldBack: Sendable {
    private let level: Int
    private var inUse = 0
    private var hasEnded = false
    package private(set) var isHolding: Bool

    /// - Parameter level: how many slots in use are enough; 0 never holds anything back.
    package init(until level: Int) {
        self.level = level
        isHolding = level > 0
    }

    /// Reports that more slots are in use, or fewer.
    package mutating func slotsDidChange(by change: Int) {
        inUse += change
        if inUse >= level { isHolding = false }
    }

    /// Reports that everything so far is written.
    ///
    /// If enough slots are in use nevertheless, no slot might ever be taken again to end the holding: copied frames
    /// have given theirs back to chunks that are being worked on.
    package mutating func outputDidRunDry() {
        isHolding = !hasEnded && inUse < level
    }

    /// Reports that no more frames will arrive, so the buffer won't get any fuller.
    package mutating func end() {
        hasEnded = true
        isHolding = false
    }
}
