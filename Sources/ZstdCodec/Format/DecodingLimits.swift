/// Limits on what is decoded: a frame that exceeds them is rejected before memory is allocated for it.
package struct DecodingLimits: Sendable {
    /// The largest window that libzstd decodes, in bytes (`ZSTD_WINDOWLOG_MAX`).
    package static let largestWindow: UInt64 = 1 << 31

    /// The largest window, in bytes.
    package var windowSize: UInt64
    /// The limit for a frame that is decoded while no other such frame is; used only if it is larger than `windowSize`.
    package var singleWindowSize: UInt64 = 0
    /// Decides whether to allow a larger window for such a frame; it is called while the limits are in use. Nil rejects
    /// them.
    package var allowsLarger: (@Sendable (_ window: UInt64) -> Bool)?
    /// The identifier of the dictionary in use, 0 if it has none; nil without a dictionary.
    package var dictionaryIdentifier: UInt32?
    /// Whether to verify the checksums at the ends of frames.
    package var verifiesChecksums = true

    package init(windowSize: UInt64, dictionaryIdentifier: UInt32? = nil) {
        self.windowSize = windowSize
        self.dictionaryIdentifier = dictionaryIdentifier
    }

    /// Checks a frame, as far as it has been scanned.
    ///
    /// - Throws: `needsDictionary`, `windowTooLarge`.
    package func check(_ frame: FrameScanner.Frame) throws(CodecFailure) {
        if let header = frame.header { try check(header, at: frame.offset) }
    }

    /// - Throws: `needsDictionary`, `windowTooLarge`.
    package func check(_ header: FrameHeader, at offset: UInt64) throws(CodecFailure) {
        guard header.dictionaryIdentifier == 0 || header.dictionaryIdentifier == dictionaryIdentifier else {
            throw .needsDictionary(
                identifier: header.dictionaryIdentifier, offset: offset, given: dictionaryIdentifier)
        }
        let limit = max(windowSize, singleWindowSize)
        guard header.windowSize <= limit || allowsLarger?(header.windowSize) == true else {
            throw .windowTooLarge(bytes: header.windowSize, limit: limit, offset: offset)
        }
    }
}
