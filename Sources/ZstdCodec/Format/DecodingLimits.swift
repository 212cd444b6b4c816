/// What may be decoded: a frame that asks for more is refused before memory is allocated for it.
package struct DecodingLimits: Sendable {
    /// The largest window that libzstd decodes, in bytes (`ZSTD_WINDOWLOG_MAX`).
    package static let largestWindow: UInt64 = 1 << 31

    /// The largest window, in bytes.
    package var windowSize: UInt64
    /// The same for a frame that is decoded when no other of that kind is; only counts if it is larger.
    package var singleWindowSize: UInt64 = 0
    /// Decides about larger windows of such a frame, as long as the limits are in use; nil to refuse them.
    package var allowsLarger: (@Sendable (_ window: UInt64) -> Bool)?
    /// The identifier of the dictionary at hand, 0 if it has none; nil without a dictionary.
    package var dictionaryIdentifier: UInt32?
    /// Whether the checksums at the ends of frames are verified.
    package var verifiesChecksums = true

    package init(windowSize: UInt64, dictionaryIdentifier: UInt32? = nil) {
        self.windowSize = windowSize
        self.dictionaryIdentifier = dictionaryIdentifier
    }

    /// Checks a frame as far as it was scanned.
    ///
    /// - Throws: `needsDictionary`, `windowTooLarge`.
    package func check(_ frame: FrameScanner.Frame) throws(CodecFailure) {
        guard let header = frame.header else { return }
        guard header.dictionaryIdentifier == 0 || header.dictionaryIdentifier == dictionaryIdentifier else {
            throw .needsDictionary(
                identifier: header.dictionaryIdentifier, offset: frame.offset, given: dictionaryIdentifier)
        }
        let limit = max(windowSize, singleWindowSize)
        guard header.windowSize <= limit || allowsLarger?(header.windowSize) == true else {
            throw .windowTooLarge(bytes: header.windowSize, limit: limit, offset: frame.offset)
        }
    }
}
