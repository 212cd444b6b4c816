import Glibc
import SluiceEngine

/// Benchmarks levels in memory, and prints the results like zstd.
struct Measure: Command {
    let activity = Activity("benchmark", noun: "measuring", content: .output, hasOutput: false)
    let optionGroups: OptionGroups = [.measuring, .parameters]
    /// Bytes of synthetic data.
    private static let syntheticSize = 10_000_000

    func run(_ settings: Settings, _ console: Console) throws(Complaint) -> Int32 {
        var subjects = try subjects(settings, console)
        if subjects.count > 1, !settings.measuring.isSeparate {
            subjects = [Subject(name: " \(subjects.count) files", contents: subjects.flatMap(\.contents))]
        }
        let size = subjects.reduce(0) { $0 + $1.size }
        if settings.reporting.quietness == 1 {
            let frame = (settings.compression.options.frameSize ?? 0) >> 10
            let seconds = settings.measuring.time.components.seconds
            print("bench \(libraryVersion) : input \(size) bytes, \(seconds) seconds, \(frame) KB blocks")
        }
        for subject in subjects {
            let levels = settings.measuredLevels
            for level in settings.measuring.onlyDecompresses ? levels.prefix(1) : levels[...] {
                try measure(subject, level: level, settings)
            }
        }
        return 0
    }

    /// Reads the files into memory, all of them at once.
    private func subjects(_ settings: Settings, _ console: Console) throws(Complaint) -> [Subject] {
        guard !settings.operands.isEmpty else {
            let percent = Int(clamping: (settings.measuring.compressibility * 100).rounded())
            let content = try Complaint.about(
                source: "synthetic data", target: "",
                HeapMemory(syntheticBytes: Self.syntheticSize, repetition: settings.measuring.compressibility))
            return [Subject(name: "Synthetic \(percent)%", contents: [content])]
        }
        // With their outputs they need more than twice their size.
        var room = (Machine.memory ?? .max) / 3
        var subjects: [Subject] = []
        let queue = OperandQueue(settings, console)
        while let operand = queue.next() {
            let input = try Input(operand, settings)
            let (name, source) = (input.name, input.source)
            let content = try Complaint.about(source: name, HeapMemory(contentOf: source, limit: room))
            guard !content.bytes.isEmpty else { throw Complaint(name, "is empty: there is nothing to measure") }
            room -= UInt64(content.bytes.count)
            subjects.append(Subject(name: name.lastComponent?.string ?? name.string, contents: [content]))
        }
        if queue.failures > 0 { throw Complaint("nothing measured: not all files can be read") }
        return subjects
    }

    private func measure(_ subject: Subject, level: Int, _ settings: Settings) throws(Complaint) {
        let benchmark = Benchmark(subject.contents, threads: settings.limits.threads, time: settings.measuring.time)
        var options = settings.compression.options
        options.level = level
        // Like zstd: only the codec is measured.
        options.hasChecksum = false
        let name = FilePath(subject.name)
        let (references, onlyDecompresses) = (settings.references, settings.measuring.onlyDecompresses)
        let measurement = try Complaint.about(
            source: name,
            onlyDecompresses
                ? benchmark.measureDecompression(references.decompressionDictionary)
                : benchmark.measure(
                    options, dictionary: references.compressionDictionary(for: options),
                    decompressing: references.decompressionDictionary))
        try show(measurement, subject, level: level, quietness: settings.reporting.quietness)
    }

    /// Prints a line of zstd's output, which programs parse, as soon as the result is known.
    private func show(
        _ measurement: Benchmark.Measurement, _ subject: Subject, level: Int, quietness: Int
    ) throws(Complaint) {
        let ratio = Double(measurement.contentSize) / Double(max(1, measurement.compressedSize))
        let rates = [measurement.compression, measurement.decompression].map { time in
            time.map { Double(measurement.contentSize) / max($0.seconds, 1e-9) / 1e6 } ?? 0
        }
        let (before, after) = ("\(measurement.contentSize)", "\(measurement.compressedSize)")
        switch quietness {
        case 0:
            let digits = 1 + (ratio < 100 ? 1 : 0) + (ratio < 10 ? 1 : 0)
            print(
                "\("\(level)".padded(2))#\(subject.shortName) :\(before.padded(10)) ->\(after.padded(10))",
                "(x\(ByteCount.fixed(ratio, digits: digits).padded(5))),",
                "\(ByteCount.fixed(rates[0], digits: rates[0] < 10 ? 2 : 1).padded(6)) MB/s,",
                "\(ByteCount.fixed(rates[1], digits: 1).padded(6)) MB/s")
        case 1:
            print(
                "\("-\(level)".padded(-4))\(after.padded(11)) (\(ByteCount.fixed(ratio, digits: 3).padded(5)))",
                "\(ByteCount.fixed(rates[0], digits: 2).padded(6)) MB/s",
                "\(ByteCount.fixed(rates[1], digits: 1).padded(6)) MB/s  \(subject.shortName)")
        default: break
        }
        try Complaint.aboutPrinting(systemCall { fflush(nil) })
    }
}

extension Settings {
    /// The levels to measure.
    var measuredLevels: ClosedRange<Int> {
        let level = compression.options.level
        return level...max(level, min(measuring.lastLevel ?? level, CompressionOptions.levels.upperBound))
    }
}

/// Contents that are measured together.
private struct Subject {
    let name: String
    let contents: [HeapMemory]

    var size: Int { contents.reduce(0) { $0 + $1.bytes.count } }
    /// The last 17 characters, padded to that width.
    var shortName: String { String(FilePath(name).printable.suffix(17)).padded(-17) }
}
