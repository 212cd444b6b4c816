import Sluice

extension Settings {
    /// Further names are only counted.
    private static let namedFiles = 100

    func run() -> Statistics.Run {
        var run = Statistics.Run(
            activity, threads: activity.content == .both ? 1 : limits.threads, date: LocalTime.now.iso,
            sluiceVersion: Version.number, libzstdVersion: libraryVersion)
        (run.inputs, run.inputsBase64) = Self.names(
            operands.prefix(Self.namedFiles).map { $0 == Operand.standardInput ? nil : $0 }, or: "standard input")
        run.inputCount = operands.count
        (run.outputs, run.outputsBase64) = Self.names(outputs, or: "standard output")
        run.rateLimitBytesPerSecond = limits.rate?.fixed
        if limits.buffer > 0 { run.bufferBytes = limits.buffer }
        if limits.fillBeforeWriting > 0 { run.bufferStart = limits.fillBeforeWriting }
        run.part = command.share
        if output.removesSource { run.removesSources = true }
        if activity.hasOutput, output.destination != .standardOutput, !isFilter { run.sync = output.isSynced }
        run.dictionary = references.dictionaryFile?.string
        run.dictionaryBase64 = references.dictionaryFile.flatMap(JSON.base64)
        run.patchSource = references.patchFile?.string
        run.patchSourceBase64 = references.patchFile.flatMap(JSON.base64)
        (command as? any Transfer)?.describe(&run, self)
        return run
    }

    /// Nil stands for standard output.
    private var outputs: [FilePath?] {
        if !activity.hasOutput { return [] }
        switch output.destination {
        case .path(let path): return [path]
        case .standardOutput: return [nil]
        case .derived:
            if isFilter { return [nil] }
            let named = operands.prefix(Self.namedFiles)
            return named.filter { $0 == Operand.standardInput || derivedName(of: $0) != nil }.map(
                derivedName)
        }
    }

    private static func names(_ paths: [FilePath?], or stream: String) -> ([String], [String?]?) {
        let bytes = paths.map { $0.flatMap(JSON.base64) }
        return (paths.map { $0?.string ?? stream }, bytes.contains { $0 != nil } ? bytes : nil)
    }
}
