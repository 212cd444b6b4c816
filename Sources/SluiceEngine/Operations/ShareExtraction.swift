/// Decompresses one of several shares of a file's content, which it looks for first.
package struct ShareExtraction: DecodingOperation {
    private let share: PartNumber
    private let headerLines: Int
    private let didFind: @Sendable (ContentShares) -> Void
    package var decompression: Decompression

    /// - Parameters:
    ///   - headerLines: how many of the first lines precede every share.
    ///   - didFind: receives the shares, before anything is written.
    package init(
        _ share: PartNumber, headerLines: Int = 0, _ decompression: Decompression,
        didFind: @escaping @Sendable (ContentShares) -> Void
    ) {
        (self.share, self.headerLines, self.decompression) = (share, headerLines, decompression)
        self.didFind = didFind
    }

    package func run(on engine: Engine) throws(Failure) {
        let source = engine.reader.source
        let content = try ContentShares(
            of: source, verifiesChecksums: decompression.limits.verifiesChecksums)
        didFind(content)
        var header: UInt64 = 0
        if headerLines > 0 {
            header = try LineSearch(of: content.index, in: source, decompression, engine.latch)
                .sizeOfFirst(headerLines)
        }
        try Extraction(share, of: content, after: header, decompression).run(on: engine)
    }
}
