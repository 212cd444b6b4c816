/// What decides how much memory a run takes, beside what its operation is.
struct RunSize {
    let workers: Int
    /// Threads that the run may use, beside those that wait.
    let threads: Int
    let slots: Int
    /// Bytes of the input, if they are known.
    let inputSize: UInt64?
    /// Whether the windows of frames that are decompressed count; otherwise they come on top, as somebody chose them.
    let countsWindows: Bool
}

/// The ways in which a run takes less memory, in their order: those last that cost most, or change the output.
enum Saving: CaseIterable {
    /// What is larger than a slot is taken in parts, one at a time.
    case largeFrames
    case buffer, spareSlots
    /// A slot stands for less, as far as most frames still fit it.
    case slots
    case workers
    /// Frames are smaller, or the largest that are held as wholes.
    case frames
    /// Frames with large windows are refused.
    case windows
}
