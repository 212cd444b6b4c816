/// The result of a run.
public struct Summary: Equatable, Sendable {
    /// Bytes that were read.
    public package(set) var bytesIn = 0
    /// Bytes that were written; 0 for the output `.nothing`.
    public package(set) var bytesOut = 0
    /// Decompressed bytes, read or written.
    public package(set) var contentSize = 0
    /// The time from the start to the last byte written.
    public package(set) var duration = Duration.zero
    /// The hash of the content in hexadecimal digits; nil without `RunOptions.hash`.
    public package(set) var contentHash: String?
    /// Where zeros begin that follow the data of gzip, and were ignored; nil if there were none.
    package var ignoredZeros: UInt64?
    /// What could not be recovered of a damaged file; nil for other runs, which fail instead.
    package var lost: LostContent?

    /// The summary of a run that did nothing.
    package init() {}
}
