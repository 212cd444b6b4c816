/// The result of a run.
public struct Summary: Equatable, Sendable {
    /// Bytes that were read.
    public var bytesIn = 0
    /// Bytes that were written; 0 when a run only tests.
    public var bytesOut = 0
    /// Decompressed bytes, read or written.
    public var contentSize = 0
    /// From the start to the last byte written.
    public var duration: Duration = .zero
    /// The hash of the content in hexadecimal digits, if one was asked for.
    public var contentHash: String?
    /// The most bytes of memory that the run could hold: 24 MiB for the process, then slots and workers.
    public var memoryBound = 0
    /// What could not be recovered of a damaged file; nil for other runs, which fail instead.
    package var lost: LostContent?

    /// The summary of a run that did nothing.
    public init() {}
}
