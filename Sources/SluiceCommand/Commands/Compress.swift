import SluiceEngine

/// Compresses each file into one beside it.
struct Compress: Transfer {
    let activity = Activity("compress", noun: "compression", content: .input)
    let optionGroups: OptionGroups = [
        .statistics, .data, .frames, .parameters, .parts, .resuming, .alignment, .verification, .archives,
        .inputCommand, .records, .parity,
    ]

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console) throws(Failure)
        -> any RunOperation
    {
        var (options, contentSize) = (settings.compression.options, source.size ?? settings.input.streamSize)
        if settings.compression.isStrongest { options.maximize(contentSize: contentSize) }
        if let reference = settings.references.patchContent {
            return try SingleFrame(
                differenceTo: reference, options, contentSize: contentSize,
                isVerified: settings.verification.verifiesFrames, parity: settings.compression.parity)
        }
        var compression = settings.frameCompression(options)
        if settings.compression.isSingleFrame {
            compression.framing = .single(contentSize: contentSize.map { Int(clamping: $0) })
        }
        return compression.operation
    }

    func wholeFileOperation(_ settings: Settings) -> (any WholeFileOperation)? {
        // A small file is one frame either way. libzstd's own workers find other long matches than one thread does.
        settings.compression.flushInterval == nil && settings.compression.options.longWindowLog == nil
            && !settings.input.isDecoded
            && settings.references.patchFile == nil
            && !settings.compression.isStrongest && settings.compression.parity == nil
            && !(settings.compression.isSingleFrame && settings.compression.options.cutsByContent)
            ? settings.frameCompression() : nil
    }
}

extension Settings {
    /// How content is compressed to independent frames.
    ///
    /// - Parameter options: in place of those of the command line.
    func frameCompression(_ options: CompressionOptions? = nil) -> Compression {
        var frames = Compression(
            options ?? compression.options, dictionary: references.compressionDictionary,
            flushInterval: compression.flushInterval)
        if verification.verifiesFrames {
            frames.verification = Verification(dictionary: references.decompressionDictionary)
        }
        frames.parity = compression.parity
        if let lineEnd = compression.lineEnd { frames.framing = .lines(end: lineEnd) }
        // Parts of an object are compared as they are.
        frames.mayResume = output.resumes && output.destination.object == nil
        return frames
    }
}

/// Compresses tar archives with an index of their members.
struct CompressArchive: Transfer {
    let activity = Compress().activity
    let optionGroups = Compress().optionGroups.subtracting([.parts, .resuming])

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console)
        -> any RunOperation
    {
        ArchiveCompression(settings.frameCompression()) { reason, offset in
            console.warn("\(name.printable): no index of the members from byte \(offset) on: \(reason)")
        }
    }
}

/// Compresses files and appends the frames to an existing file.
struct Append: Transfer {
    let activity = Activity("append", noun: "compression", content: .input)
    let optionGroups: OptionGroups = [
        .statistics, .data, .frames, .parameters, .growing, .verification, .inputCommand, .records,
    ]

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console)
        -> any RunOperation
    {
        let frames = settings.frameCompression()
        return settings.output.growing?.adding(frames) ?? frames
    }
}

/// Copies the data unchanged.
struct Copy: Transfer {
    let activity = Activity("copy", noun: "copying", content: .both)
    let optionGroups: OptionGroups = [.statistics, .data, .inputCommand, .parity]

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console) throws(Failure)
        -> any RunOperation
    {
        if let parity = settings.compression.parity { return try ParityAddition(to: source, percent: parity) }
        return Copying()
    }
}
