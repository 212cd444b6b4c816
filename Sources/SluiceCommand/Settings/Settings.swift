import Sluice

/// The meaning of the command line, one value for each subject.
struct Settings: Sendable {
    var command: any Command
    /// Printed instead of a run; once it is set, the words that follow are ignored.
    var answer: Answer?
    /// Whether the command was called by one of zstd's names.
    let followsZstd: Bool

    /// The files to process: those that were typed, until `completeOperands` adds the others.
    var operands: [FilePath] = []
    /// Whether there are directories to walk; known when the operands are complete.
    var walks = false

    var input = InputSettings()
    var compression = CompressionSettings()
    var decoding = DecodingSettings()
    var members = MemberSettings()
    var output = OutputSettings()
    var limits = LimitSettings()
    var reporting = ReportingSettings()
    var verification = VerificationSettings()
    var trainer = DictionaryTrainer()
    var measuring = Measuring()
    var references = References()

    /// Warnings about options that are adjusted or ignored.
    var warnings: [String] = []

    /// Whether files are replaced, and terminals, devices and links written to.
    var isForced: Bool { input.isForced }

    /// Whether writes wait for space: the default on a terminal, where someone can free some.
    var waitsWhenFull: Bool {
        output.waitsWhenFull ?? (reporting.quietness == 0 && StandardDescriptors.isTerminal(.standardError))
    }

    /// Statistics, traces and reports to write, in this order.
    ///
    /// - Parameter start: when the run began, in nanoseconds (`Span.now`).
    func exports(since start: UInt64 = Span.now()) -> [Export] {
        let reporting = reporting
        let exports: [Export?] = [
            reporting.traceFile.map { .trace($0) },
            reporting.statistics == .text ? .table : nil,
            reporting.statistics == .json ? .statistics(nil) : nil,
            reporting.statisticsFile.map { statisticsExport($0) },
            reporting.reportFile.map { .report($0, since: start) },
        ]
        return exports.compactMap(\.self)
    }

    /// In a directory each part has a file of its own.
    private func statisticsExport(_ path: FilePath) -> Export {
        guard let share = command.share, (try? FileIdentity(at: path))?.kind == .directory,
            let name = PartRecord.name(of: share)
        else { return .statistics(path) }
        return .partStatistics(path.appending(name))
    }

    /// The console, if it may ask: standard input carries no data, and is a terminal. With zstd's names answers come
    /// from anywhere, as they do for zstd.
    func asking(_ console: Console) -> Console? {
        let hasAnswers =
            !operands.contains(Operand.standardInput)
            && (followsZstd || StandardDescriptors.isTerminal(.standardInput))
        return hasAnswers && reporting.quietness == 0 ? console : nil
    }
}

/// How content is compressed.
struct CompressionSettings: Sendable {
    var options = CompressionOptions()
    /// The lowest and the highest level of `--adapt`, as far as they were given; nil without the option.
    var adaptation: (least: Int?, most: Int?)?
    var isSingleFrame = false
    /// The last byte of a line, if frames have whole lines.
    var lineEnd: UInt8?
    /// The age of a frame's first byte at which the frame ends.
    var flushInterval: Duration?
    /// Whether to use the strongest settings, which depend on the size of each file.
    var isStrongest = false
    /// Whether the parameters of the level are shown first.
    var showsParameters = false
}

/// What is done with the members of a tar archive.
struct MemberSettings: Sendable {
    /// Whether an index of them is written, or they are listed.
    var areOn = false
    /// Those to extract.
    var selection = MemberSelection()
}

/// Settings of benchmarks.
struct Measuring: Sendable {
    /// The last level to measure; nil for only one.
    var lastLevel: Int?
    var time = Duration.seconds(3)
    /// Whether each file is measured on its own.
    var isSeparate = false
    /// The share of synthetic data that repeats earlier data, 0 to 1.
    var compressibility = 0.5
    var onlyDecompresses = false
}
