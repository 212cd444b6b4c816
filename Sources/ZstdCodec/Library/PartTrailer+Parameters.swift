internal import CZstd

extension PartTrailer.Parameters {
    /// These options, with the version of the libzstd in use.
    ///
    /// - Parameters:
    ///   - frameSize: the content size of each frame in bytes; nil for that of the options.
    ///   - lineEnd: the last byte of a line if frames consist of whole lines; otherwise nil.
    package init(_ options: CompressionOptions, frameSize: Int? = nil, lineEnd: UInt8? = nil) {
        var digest = NumberDigest()
        for flag in [options.hasContentSize, options.hasDictionaryIdentifier, options.cutsByContent] {
            digest.append(flag ? 1 : 0)
        }
        digest.append(UInt64(options.longWindowLog ?? 0))
        // In the same order in every process, unlike the keys of a `Dictionary`.
        for parameter in CompressionParameter.all {
            digest.append(UInt64(bitPattern: Int64(options.parameters[parameter] ?? 0)))
        }
        if let lineEnd { digest.append(UInt64(lineEnd) + 1) }
        self.init(
            frameSize: UInt32(frameSize ?? options.effectiveFrameSize), level: Int32(clamping: options.level),
            hasChecksums: options.hasChecksum, library: UInt32(ZSTD_versionNumber()), settings: digest.value,
            alignment: UInt32(clamping: options.alignment ?? 0), hasLines: lineEnd != nil)
    }
}
