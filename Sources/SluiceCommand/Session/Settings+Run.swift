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

extension Settings {
    /// Bytes needed to decode, beside the window: the process, and the buffered input and output of a frame.
    private static let besideWindow = UInt64(Job.baseMemory + 48 << 20)

    /// A hint for data that may need a dictionary or the reference of a patch, though it does not say so; nil if one
    /// was given.
    var referenceHint: String? {
        guard command.heeds.contains(.patches), references.decompression == nil else { return nil }
        return "if it needs a dictionary, name it with -D FILE; "
            + "if it is a patch, name the old version with --patch-from=FILE"
    }

    /// A command that succeeds where this one failed: one that allows the window and the memory it needs, or recovers
    /// the intact content of a damaged file; nil if there is none.
    func remedy(for failure: Failure, of source: FilePath?) -> String? {
        if case .damagedSeekTable? = failure.codecFailure, !decoding.ranges.isEmpty, let source,
            source != "standard input"
        {
            return "cat \(source.quoted) | sluice -d, with the same range, needs no seek table"
        }
        let mayRecover = command.heeds.contains(.recovery) && !command.heeds.contains(.json)
        if mayRecover, failure.isOfDamage, let source, source != "standard input" {
            let reference = failure == .codec(.patchWithoutReference) ? referenceHint : nil
            return (reference.map { $0 + "; if neither, " } ?? "")
                + "sluice -d --recover \(source.quoted) recovers what is intact"
        }
        if failure == .codec(.patchWithoutReference) { return referenceHint }
        guard case .windowTooLarge(let bytes, _, _)? = failure.codecFailure, let source,
            let log = CompressionOptions.windowLog(for: bytes)
        else { return nil }
        var words = [FilePath("sluice"), FilePath(activity.hasOutput ? "-d" : "-t"), FilePath("--long=\(log)")]
        if isForced { words.append("-f") }
        switch output.destination {
        case .standardOutput: words.append("-c")
        case .path(let path): words += ["-o", path]
        case .derived: break
        }
        let operand: [FilePath] = source == "standard input" ? ["-"] : [source]
        let command = (words + operand).map(\.quoted).joined(separator: " ")
        return "\(command) decodes it, with up to \(ByteCount.format(bytes + Self.besideWindow)) of memory"
    }
}

extension FilePath {
    /// The path, quoted for a shell if it has to be.
    fileprivate var quoted: String {
        let isPlain = string.utf8.allSatisfy { byte in
            "/._-+=,:@%".utf8.contains(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
        }
        return isPlain ? string : "'\(printable.exchanging("'", for: "'\\''"))'"
    }
}
