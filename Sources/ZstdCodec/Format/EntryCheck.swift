/// Checks bytes against an index entry: they must be whole frames within the limits that can hold the entry's content.
package struct EntryCheck: Sendable {
    private let index: FrameIndex
    private let entry: FrameIndex.Entry
    private let limits: DecodingLimits
    private var scanner: FrameScanner
    /// The most bytes that the frames decompress to, and whether all their headers confirm that size.
    private var bound: (bytes: UInt64, isExact: Bool) = (0, true)

    package init(_ index: FrameIndex, at position: Int, _ limits: DecodingLimits) {
        (self.index, entry, self.limits) = (index, index[position], limits)
        scanner = FrameScanner(offset: entry.input.lowerBound)
    }

    /// Scans the next bytes of the entry.
    ///
    /// - Throws: the reason why a frame can't be decoded; if there is no frame, `damagedSeekTable`, or `corrupt` if the
    ///   index does not come from a table.
    package mutating func scan(_ bytes: RawSpan) throws(CodecFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let (scanned, ended): (Int, FrameScanner.Frame?)
            do throws(CodecFailure) { (scanned, ended) = try scanner.scan(rest) } catch {
                switch error {
                case .notZstandard, .trailingBytes: throw contradiction("there is no frame")
                default: throw error
                }
            }
            if let frame = ended ?? scanner.current { try limits.check(frame) }
            rest = rest.extracting(scanned...)
            if let ended, !ended.isSkippable { note(ended) }
        }
    }

    /// Ends the check at the end of the entry.
    ///
    /// - Throws: the same if a frame does not end there, or the content has another size.
    package func finish() throws(CodecFailure) {
        let size = UInt64(entry.content.count)
        guard scanner.current == nil else { throw contradiction("no frame ends at byte \(entry.input.upperBound)") }
        guard bound.isExact ? bound.bytes == size : bound.bytes >= size else {
            throw contradiction("the frame does not hold \(size) bytes")
        }
    }

    private mutating func note(_ frame: FrameScanner.Frame) {
        let (sum, overflow) = bound.bytes.addingReportingOverflow(frame.decompressedBound)
        bound = (overflow ? .max : sum, bound.isExact && frame.header?.contentSize == frame.decompressedBound)
    }

    private func contradiction(_ words: String) -> CodecFailure {
        index.contradicted(by: words, at: entry.input.lowerBound)
    }
}
