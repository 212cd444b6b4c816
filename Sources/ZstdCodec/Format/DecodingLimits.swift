/// What is decoded here, of what the format allows: a frame that asks for more is refused before memory is taken for it.
public struct DecodingLimits: Equatable, Sendable {
    /// The largest window, in bytes.
    public var windowSize: UInt64

    public init(windowSize: UInt64) {
        self.windowSize = windowSize
    }

    /// Looks at a frame as far as it was scanned.
    ///
    /// - Throws: `needsDictionary`, `windowTooLarge`.
    public func check(_ frame: FrameScanner.Frame) throws(CodecFailure) {
        guard let header = frame.header else { return }
        guard header.dictionaryIdentifier == 0 else {
            throw .needsDictionary(identifier: header.dictionaryIdentifier, offset: frame.offset)
        }
        guard header.windowSize <= windowSize else {
            throw .windowTooLarge(bytes: header.windowSize, limit: windowSize, offset: frame.offset)
        }
    }
}
