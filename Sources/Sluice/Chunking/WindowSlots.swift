/// For the windows of streamed frames that are larger than most: of others there may be as many as workers.
struct WindowSlots {
    let slots: Slots
    /// The size of the others, in bytes.
    let above: UInt64

    /// What a frame takes for its window; nil if that is not so large.
    func slots(for window: UInt64) -> Slots? { window > above ? slots : nil }
}
