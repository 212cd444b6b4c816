/// Decides when frames are held back: from the start, and again each time the output has run dry, until so many slots
/// are in use that the buffer is full enough.
///
/// A pure value: it is told of slots that are taken and given back, in any order, and waits for nobody.
struct HoldBack: Sendable {
    /// Slots.
    private let level: Int
    private var inUse = 0
    private var hasEnded = false
    private(set) var isHolding: Bool

    /// - Parameter level: how many slots in use are enough; 0 never to hold anything back.
    init(until level: Int) {
        self.level = level
        isHolding = level > 0
    }

    /// So many slots more, or less, are in use.
    mutating func slotsDidChange(by change: Int) {
        inUse += change
        if inUse >= level { isHolding = false }
    }

    /// Everything that came is written.
    ///
    /// If enough slots are in use all the same, nobody might be left to take the one that ends the holding: frames
    /// whose bytes were copied have given theirs back, and chunks that are worked on have taken them.
    mutating func outputDidRunDry() {
        isHolding = !hasEnded && inUse < level
    }

    /// No more will come: the buffer does not get any fuller.
    mutating func end() {
        hasEnded = true
        isHolding = false
    }
}
