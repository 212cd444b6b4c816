internal import CIsal

/// ISA-L, the library that decodes gzip where it is installed. It is loaded when it is asked for.
package enum IsalLibrary {
    /// Whether it is there, and does with a little data what it should. Part of that is handing over to zlib in the
    /// middle, for which the state of its decoder is read, whose layout another version may change.
    package static let isUsable = sluice_isal_load() && isTrustworthy()

    /// The version, such as `2.0.30` of ISA-L 2.30; nil if there is no library that can be used.
    package static var version: String? { isUsable ? String(cString: sluice_isal_version()) : nil }

    /// A block with codes of its own, and the CRC-32 of its content.
    private static let trial: [UInt8] = [
        0x7D, 0x8B, 0xB7, 0x0D, 0x00, 0x30, 0x00, 0xC2, 0x6E, 0xA5, 0xFC, 0x7F, 0x43, 0xAC, 0x90, 0x39, 0x2C, 0x58,
        0x14, 0xC9,
        0x6A, 0xA2, 0x38, 0xD0, 0x64, 0x14, 0x8C, 0xF0, 0x25, 0x90, 0xBB, 0xAE, 0xBA, 0x3B, 0x2E, 0x1A, 0xFD, 0xFE,
        0x07,
    ]
    private static let trialChecksum: UInt32 = 0xD606_EEE4

    private static func isTrustworthy() -> Bool {
        var content = [UInt8](repeating: 0, count: 200)
        return content.withUnsafeMutableBytes { content in
            (try? decodes(into: content)) == true && (try? handsOver(into: content)) == true
        }
    }

    private static func decodes(into content: UnsafeMutableRawBufferPointer) throws(GzipDamage) -> Bool {
        let decoder = try IsalInflater()
        let bytes = trial + [UInt8](repeating: 0, count: 8)
        var (segment, room) = (bytes.span.bytes, content)
        guard case .ended(let given) = decoder.inflate(&segment, into: &room) else { return false }
        return given == 0 && segment.byteCount == 8 && decoder.checksum == trialChecksum
    }

    private static func handsOver(into content: UnsafeMutableRawBufferPointer) throws(GzipDamage) -> Bool {
        let decoder = try IsalInflater()
        var (segment, room) = (trial.span.bytes.extracting(first: trial.count / 2), content)
        guard case .goesOn = decoder.inflate(&segment, into: &room), segment.isEmpty else { return false }
        let (rest, held) = try decoder.handOver(before: false)
        let bytes = held + trial[(trial.count / 2)...]
        segment = bytes.span.bytes
        return try rest.inflate(&segment, into: &room) && rest.checksum == trialChecksum
    }
}

/// What decodes gzip.
package enum GzipLibrary: CaseIterable {
    case isal, zlib

    /// - Throws: `outOfMemory`.
    package func makeDecoder() throws(ForeignFailure) -> any ForeignDecoder {
        switch self {
        case .isal: try IsalGzipDecoder()
        case .zlib: try GzipDecoder()
        }
    }
}
