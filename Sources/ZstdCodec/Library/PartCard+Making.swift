internal import CZstd

extension PartCard.Making {
    /// How frames are made with these options, by the libzstd that runs.
    package init(_ options: CompressionOptions) {
        var digest = NumberDigest()
        let flags = [options.hasContentSize, options.hasDictionaryIdentifier, options.cutsByContent]
        for flag in flags { digest.append(flag ? 1 : 0) }
        digest.append(UInt64(options.longWindowLog ?? 0))
        // In an order that is the same in every process.
        for parameter in CompressionParameter.allCases {
            digest.append(UInt64(bitPattern: Int64(options.parameters[parameter] ?? 0)))
        }
        self.init(
            frameSize: UInt32(options.frameSize), level: Int32(clamping: options.level),
            hasChecksums: options.hasChecksum, library: UInt32(ZSTD_versionNumber()), settings: digest.value,
            alignment: UInt32(clamping: options.alignment ?? 0))
    }
}

/// The low 32 bits of XXH64 of some bytes, as libzstd writes them behind a frame's content.
///
/// - Throws: `outOfMemory`.
package func contentChecksum(_ content: [UInt8]) throws(CodecFailure) -> UInt32 {
    var checksum = try ContentChecksum()
    content.span.bytes.withUnsafeBytes { checksum.append($0) }
    return checksum.value
}
