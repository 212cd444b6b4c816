import SluiceEngine

/// Settles how to compress.
extension Request {
    /// The highest level without `--ultra`.
    private static let highestCommon = 19
    private static let levels = CompressionOptions.levels

    /// Whether matches reach across the whole input, which independent frames would cut: over long distances, or with a
    /// window that spans both files of a patch.
    private var reachesFar: Bool {
        settings.compression.options.longWindowLog != nil || settings.compression.isStrongest
            || settings.references.patchFile != nil
    }

    mutating func settleCompression() throws(Complaint) {
        try checkFormat()
        var compression = settings.compression
        if compression.showsParameters, applies(.data), settings.activity.content == .output {
            throw .usage("--show-default-cparams describes compression, but nothing is compressed")
        }
        compression.options.level = settledLevel(
            isUltra: last(of: .ultra) != nil || reachesFar || applies(.measuring))
        if !applies(.training) { compression.options.frameSize = settledFrameSize() }
        compression.isSingleFrame = applies(.frames) && (compression.isSingleFrame || reachesFar)
        compression.isStrongest = applies(.frames) && compression.isStrongest
        compression.showsParameters = applies(.frames) && compression.showsParameters
        // A single frame is cut into jobs, for libzstd's own workers.
        if compression.isSingleFrame, let size = compression.options.frameSize {
            compression.options.parameters[.jobSize] = size
        }
        settings.compression = compression
    }

    /// As in zstd, the format matters only if something is compressed: otherwise the data shows it.
    private func checkFormat() throws(Complaint) {
        guard let format = last(of: .format)?.text, format != "zstd" else { return }
        if applies(.measuring) { throw .usage("-b measures the zstd format only, not \(format)") }
        if applies(.frames) {
            throw .usage(
                "--format=\(format): sluice reads \(format), but writes only zstd", hint: "use \(format) to write it")
        }
    }

    private mutating func settledLevel(isUltra: Bool) -> Int {
        let level = settings.compression.options.level
        // As in zstd, 0 is the default.
        if level == 0 { return 3 }
        let highest = isUltra ? Self.levels.upperBound : Self.highestCommon
        if level > highest {
            let hint = isUltra ? "" : " (--ultra allows up to \(Self.levels.upperBound))"
            warn("level \(level) is too high: using \(highest)\(hint)")
        }
        return min(max(level, Self.levels.lowerBound), highest)
    }

    /// As in zstd, a size that is too small means the smallest, and one that is too large the largest.
    private mutating func settledFrameSize() -> Int? {
        guard let chosen = settings.compression.options.frameSize, let value = last(of: .frameSize)
        else { return nil }
        let sizes = CompressionOptions.frameSizes
        let size = min(max(chosen, sizes.lowerBound), sizes.upperBound)
        if chosen != size {
            let name = value.isShort ? value.spelling : value.spelling + "="
            let fault = chosen < size ? "small" : "large"
            warn("\(name)\(value.text) is too \(fault): using \(ByteCount.format(size))")
        }
        return size
    }

    /// Settles parameters of libzstd, which depend on other options.
    mutating func settleParameters() throws(Complaint) {
        // As in zstd, invalid bounds are an error for any operation.
        let bounds = try settings.compression.adaptation.take().map { bounds throws(Complaint) in
            try Self.levels(from: bounds.least, to: bounds.most)
        }
        let cutsByContent = settings.compression.options.cutsByContent
        if applies(.frames) {
            if let bounds {
                let level = settings.compression.options.level
                settings.compression.options.adaptiveLevels = bounds
                settings.compression.options.level = min(max(level, bounds.lowerBound), bounds.upperBound)
            }
        } else {
            settings.compression.options.cutsByContent = false
            guard applies(.parameters) else { return }
            if bounds != nil { warn("--adapt is ignored: each level is measured by itself") }
            if cutsByContent { warn("--rsyncable is ignored: frames of equal size are measured") }
        }
        try Self.check(settings.compression.options)
        warnOfParametersInVain()
    }

    /// Settles the largest window to accept where frames are decoded. As in zstd, an option for compression may ask for
    /// one, too.
    mutating func settleWindow() throws(Complaint) {
        let asked = settings.compression.options.parameters[.windowLog].flatMap { $0 > 0 ? $0 : nil }
        // For compression, it is checked with the other parameters. Operations that move no data ignore it.
        if let asked, applies(.data), !applies(.parameters) {
            var window = CompressionOptions()
            window.parameters[.windowLog] = asked
            try Self.check(window)
        }
        let window: UInt64? = (asked ?? settings.compression.options.longWindowLog).map {
            $0 < UInt64.bitWidth ? 1 << UInt64($0) : .max
        }
        settings.decoding.chosenWindowLimit = [settings.limits.memory, window].compactMap(\.self).max()
    }

    private static func check(_ options: CompressionOptions) throws(Complaint) {
        do throws(CodecFailure) {
            try options.check()
        } catch {
            throw .usage("\(error)", hint: "sluice --help says which options set libzstd's parameters")
        }
    }

    private static func levels(from least: Int?, to most: Int?) throws(Complaint) -> ClosedRange<Int> {
        // There is no level 0: as in zstd, the next one is meant.
        let lowest = least.map { $0 == 0 ? 1 : max($0, levels.lowerBound) } ?? ((most ?? 1) < 1 ? levels.lowerBound : 1)
        let standard = lowest > highestCommon ? levels.upperBound : highestCommon
        let highest = most.map { $0 == 0 ? -1 : min($0, levels.upperBound) } ?? standard
        guard lowest <= highest else { throw .usage("--adapt: there is no level from \(lowest) to \(highest)") }
        return lowest...highest
    }

    private mutating func warnOfParametersInVain() {
        let compression = settings.compression
        let isSet = { (parameter: CompressionParameter) in compression.options.parameters[parameter] ?? 0 != 0 }
        if !compression.isSingleFrame, isSet(.overlapLog) {
            warn("overlapLog is ignored: it only works in a single frame, with --single-frame or --long")
        }
        // Only long-distance matching uses them.
        let parameters: [CompressionParameter] = [.ldmHashLog, .ldmMinMatch, .ldmBucketSizeLog, .ldmHashRateLog]
        if !reachesFar, parameters.contains(where: isSet) {
            warn("the parameters of long-distance matching are ignored without --long")
        }
    }
}
