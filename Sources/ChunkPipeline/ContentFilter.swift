package import ByteStreams

/// Sees the content of a run in its order, one call at a time, and decides which bytes of it are written.
package protocol ContentFilter: Sendable {
    /// - Parameter isContinued: whether more of the same frame follows.
    /// - Returns: what is written of the next bytes.
    /// - Throws: why the run must end before them.
    func take(_ bytes: Bytes, isContinued: Bool) throws(Failure) -> Bytes
    /// What is written after all of them.
    var end: [UInt8] { get }
    /// Whether it needs no more: failures no longer count.
    var isComplete: Bool { get }
}

extension ContentFilter {
    package var end: [UInt8] { [] }
    package var isComplete: Bool { false }
}
