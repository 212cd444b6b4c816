/// The numbers that a run's memory depends on, besides its operation.
package struct RunSize {
    let workers: Int
    /// Threads that the run may use, besides those that wait.
    let threads: Int
    let slots: Int
    /// Bytes of the input, if they are known.
    let inputSize: UInt64?
    /// Whether the windows of decompressed frames count; otherwise the user chose them, and they come on top.
    let countsWindows: Bool
}

/// The ways in which a run takes less memory, in their order: the last ones cost most, or change the output.
package enum Saving: CaseIterable {
    /// Chunks larger than a slot come in segments, one at a time.
    case largeFrames
    case buffer, spareSlots
    /// A slot stands for less, as long as most frames still fit it.
    case slots
    case workers
    /// Frames are smaller, or the largest that are held as wholes.
    case frames
    /// Frames with large windows are refused.
    case windows
}
