import Sluice
import SystemPackage
import ZstdCodec

/// Each file becomes a compressed one beside it.
struct Compress: Transfer {
    let activity = Statistics.Activity("compress", noun: "compression", content: .input)
    let letter: Character? = "z"
    let help = "Compress (default)."
    let heeds: HeededOptions = [.frames, .parameters, .shares, .resuming]

    func outputName(of path: FilePath) -> FilePath? { FileName.compressed(path) }

    func action(for source: Source, _ settings: Settings) throws(Failure) -> Action {
        var (options, contentSize) = (settings.compression, source.size ?? settings.streamSize)
        if settings.isStrongest { options.maximize(contentSize: contentSize) }
        if let reference = settings.references.patchSource {
            return try .compressDifference(
                to: reference, options, contentSize: contentSize, isVerified: settings.verifiesFrames)
        }
        let (dictionary, verification) = (settings.references.compression, settings.verification)
        return settings.isSingleFrame
            ? .compressToSingleFrame(
                options, dictionary: dictionary, contentSize: contentSize, verification: verification)
            : .compress(
                options, dictionary: dictionary, flushInterval: settings.flushInterval, verification: verification,
                mayResume: settings.resumes)
    }

    func wholeFileAction(_ settings: Settings) -> Action? {
        // A small file is one frame either way. libzstd's own workers find other matches far away than one alone does.
        settings.flushInterval == nil && settings.compression.longWindowLog == nil && settings.patchSource == nil
            && !settings.isStrongest && !(settings.isSingleFrame && settings.compression.cutsByContent)
            ? .compress(
                settings.compression, dictionary: settings.references.compression, verification: settings.verification)
            : nil
    }

    func describe(_ run: inout Statistics.Run, _ settings: Settings) {
        run.level = settings.compression.level
        run.checksum = settings.compression.hasChecksum
        run.singleFrame = settings.isSingleFrame
        if settings.compression.cutsByContent { run.rsyncable = true }
        run.adaptMin = settings.compression.adaptiveLevels?.lowerBound
        run.adaptMax = settings.compression.adaptiveLevels?.upperBound
        run.longWindowBytes = settings.compression.longWindowLog.map { 1 << UInt64($0) }
        run.flushIntervalSeconds = settings.flushInterval?.seconds
        guard !settings.isSingleFrame else { return }
        run.frameSizeBytes = settings.compression.frameSize
        if settings.rateLimit == nil { run.reading = settings.reading.rawValue }
    }
}

extension Settings {
    /// How frames are proved; nil if none is.
    var verification: Verification? {
        verifiesFrames ? Verification(dictionary: references.decompression) : nil
    }
}
