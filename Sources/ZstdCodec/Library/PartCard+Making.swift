internal import CZstd

extension PartCard.Making {
    /// These options, with the version of the libzstd that runs.
    package init(_ options: CompressionOptions) {
        var digest = NumberDigest()
        for flag in [options.hasContentSize, options.hasDictionaryIdentifier, options.cutsByContent] {
            digest.append(flag ? 1 : 0)
        }
        digest.append(UInt64(options.longWindowLog ?? 0))
        // They have the same order in every process.
        for parameter in CompressionParameter.all {
            digest.append(UInt64(bitPattern: Int64(options.parameters[parameter] ?? 0)))
        }
        self.init(
            frameSize: UInt32(options.effectiveFrameSize), level: Int32(clamping: options.level),
            hasChecksums: options.hasChecksum, library: UInt32(ZSTD_versionNumber()), settings: digest.value,
            alignment: UInt32(clamping: options.alignment ?? 0))
    }
}
