/// Checks bytes against what an index says of them: that they are whole frames, which can hold so much content and
/// which are decoded here.
package struct EntryCheck: Sendable {
    private let index: FrameIndex
    private let entry: FrameIndex.Entry
    private let limits: DecodingLimits
    private var scanner: FrameScanner
    /// What the frames decompress to at most, in bytes, and whether that is what all of them do.
    private var bound: (bytes: UInt64, isExact: Bool) = (0, true)
    private var frames = 0
    private var hasChecksums = true

    /// Begins with the first byte of the entry.
    ///
    /// - Parameters:
    ///   - position: the place of the entry in the index.
    ///   - limits: what is decoded.
    package init(_ index: FrameIndex, at position: Int, _ limits: DecodingLimits) {
        self.index = index
        entry = index[position]
        self.limits = limits
        scanner = FrameScanner(offset: entry.input.lowerBound)
    }

    /// Takes the next bytes of the entry.
    ///
    /// - Throws: what makes a frame impossible to decode; `damagedSeekTable`, or `corrupt` of another index, where
    ///   there is none, or with other sizes.
    package mutating func scan(_ bytes: UnsafeRawBufferPointer) throws(CodecFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let (scanned, ended) = try scanned(rest)
            rest = UnsafeRawBufferPointer(rebasing: rest[scanned...])
            if let ended, !ended.isSkippable { note(ended) }
        }
    }

    /// States that the entry ends here.
    ///
    /// - Throws: the same if a frame does not, or the content has another size.
    package func finish() throws(CodecFailure) {
        let size = UInt64(entry.content.count)
        guard scanner.current == nil else { throw contradiction("no frame ends at byte \(entry.input.upperBound)") }
        guard bound.isExact ? bound.bytes == size : bound.bytes >= size else {
            throw contradiction("the frame holds other than \(size) bytes")
        }
    }

    /// The checksum that a seek table has of a frame which has none itself, if it is to be verified.
    package var missingChecksum: UInt32? {
        frames == 1 && !hasChecksums && limits.verifiesChecksums ? entry.checksum : nil
    }

    private mutating func scanned(
        _ bytes: UnsafeRawBufferPointer
    ) throws(CodecFailure) -> (scanned: Int, ended: FrameScanner.Frame?) {
        let result: (scanned: Int, ended: FrameScanner.Frame?)
        do throws(CodecFailure) {
            result = try scanner.scan(bytes)
        } catch {
            switch error {
            case .notZstandard, .trailingBytes: throw contradiction("there is no frame")
            default: throw error
            }
        }
        if let frame = result.ended ?? scanner.current { try limits.check(frame) }
        return result
    }

    private mutating func note(_ frame: FrameScanner.Frame) {
        let (sum, overflow) = bound.bytes.addingReportingOverflow(frame.decompressedBound)
        bound = (overflow ? .max : sum, bound.isExact && frame.header?.contentSize == frame.decompressedBound)
        hasChecksums = hasChecksums && frame.header?.hasChecksum == true
        frames += 1
    }

    private func contradiction(_ what: String) -> CodecFailure {
        index.contradicted(by: what, at: entry.input.lowerBound)
    }
}

extension FrameHeader {
    /// Where in a frame the bit is that announces a checksum at its end (RFC 8878, 3.1.1.1.1): byte and mask.
    package static let checksumFlag: (byte: Int, mask: UInt8) = (4, 0b100)
}
