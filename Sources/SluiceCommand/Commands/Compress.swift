import Sluice

/// Compresses each file into one beside it.
struct Compress: Transfer {
    let activity = Statistics.Activity("compress", noun: "compression", content: .input)
    let heeds: HeededOptions = [.data, .frames, .parameters, .shares, .resuming, .alignment, .verification, .archives]

    func outputName(of path: FilePath) -> FilePath? { FileName.compressed(path) }

    func action(for source: Source, _ settings: Settings, _ console: Console) throws(Failure) -> Action {
        var (options, contentSize) = (settings.compression.options, source.size ?? settings.input.streamSize)
        if settings.compression.isStrongest { options.maximize(contentSize: contentSize) }
        if let reference = settings.references.patchSource {
            return try .compressDifference(
                to: reference, options, contentSize: contentSize, isVerified: settings.verification.verifiesFrames)
        }
        let (dictionary, verification) = (settings.references.compression, settings.frameVerification)
        return settings.compression.isSingleFrame
            ? .compressToSingleFrame(
                options, dictionary: dictionary, contentSize: contentSize, verification: verification)
            : .compress(
                options, dictionary: dictionary, flushInterval: settings.compression.flushInterval,
                verification: verification,
                mayResume: settings.output.resumes)
    }

    func wholeFileAction(_ settings: Settings) -> Action? {
        // A small file is one frame either way. libzstd's own workers find other long matches than one thread does.
        settings.compression.flushInterval == nil && settings.compression.options.longWindowLog == nil
            && settings.references.patchFile == nil
            && !settings.compression.isStrongest
            && !(settings.compression.isSingleFrame && settings.compression.options.cutsByContent)
            ? .compress(
                settings.compression.options, dictionary: settings.references.compression,
                verification: settings.frameVerification)
            : nil
    }
}

extension Settings {
    /// How frames are verified; nil if they are not.
    var frameVerification: Verification? {
        verification.verifiesFrames ? Verification(dictionary: references.decompression) : nil
    }
}
