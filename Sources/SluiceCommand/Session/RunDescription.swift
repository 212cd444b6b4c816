import SluiceEngine

/// The options, inputs, outputs, place and time of a run, as docs/statistics.schema.json describes them. Options that
/// do not apply, or were not given, have no entry.
struct RunDescription: JSONValue, Sendable {
    /// Further names are only counted.
    private static let mostNames = 100

    let settings: Settings
    /// When the run began: ISO 8601, with the offset from UTC.
    let date: String
    /// The largest window that the last file's run accepted, in bytes; nil if nothing was decompressed.
    let windowLimit: UInt64?

    func write(to json: inout JSON) {
        let (limits, output, references) = (settings.limits, settings.output, settings.references)
        let activity = settings.activity
        let compression = activity.content == .input ? settings.compression : nil
        let options = compression.map(Self.options)
        let isFramed = compression.map { !$0.isSingleFrame } ?? false
        let namesOutput = activity.hasOutput && output.destination != .standardOutput && !settings.goesToStandardOutput
        json.object { json in
            json.entry("adaptMax", options?.adaptiveLevels?.upperBound)
            json.entry("adaptMin", options?.adaptiveLevels?.lowerBound)
            json.entry("bufferBytes", limits.buffer > 0 ? limits.buffer : nil)
            json.entry("bufferStart", limits.fillBeforeWriting > 0 ? limits.fillBeforeWriting : nil)
            json.entry("checksum", options?.hasChecksum)
            json.entry("date", date)
            json.entry("dictionary", references.dictionaryFile, base64: "dictionaryBase64")
            json.entry("flushIntervalSeconds", compression?.flushInterval?.seconds)
            json.entry("frameSizeBytes", isFramed ? options?.effectiveFrameSize : nil)
            json.entry("inputCount", settings.operands.count)
            json.entry("inputs", inputs, stream: Operand.standardInputName.string, base64: "inputsBase64")
            json.entry("level", options?.level)
            json.entry("libzstdVersion", libraryVersion)
            json.entry("lineEnd", compression?.lineEnd.map(Int.init))
            json.entry("longWindowBytes", options?.longWindowLog.map { 1 << UInt64($0) })
            json.entry("machine", Machine())
            json.entry("operation", activity)
            json.entry("outputs", outputs, stream: "standard output", base64: "outputsBase64")
            json.entry("part", settings.command.part)
            json.entry("patchSource", references.patchFile, base64: "patchSourceBase64")
            json.entry("rateLimitBytesPerSecond", limits.rate?.fixed)
            json.entry("reading", isFramed && limits.rate == nil ? settings.input.reading.rawValue : nil)
            json.entry("removesSources", output.isRemovalAsked ? true : nil)
            json.entry("rsyncable", options.flatMap { $0.cutsByContent ? true : nil })
            json.entry("singleFrame", compression?.isSingleFrame)
            json.entry("sluiceVersion", Version.number)
            json.entry("sync", namesOutput && output.destination.object == nil ? output.isSynced : nil)
            json.entry("threads", activity.content == .both ? 1 : limits.threads)
            json.entry("windowLimitBytes", windowLimit)
        }
    }

    private static func options(_ compression: CompressionSettings) -> CompressionOptions {
        var options = compression.options
        if compression.isStrongest { options.maximize(contentSize: nil) }
        return options
    }

    /// Nil stands for standard input.
    private var inputs: [FilePath?] {
        settings.operands.prefix(Self.mostNames).map { $0.isStandardInput ? nil : $0 }
    }

    /// The outputs of the inputs, in the same order, or the one output that they share. Nil stands for standard output.
    private var outputs: [FilePath?] {
        if !settings.activity.hasOutput { return [] }
        switch settings.output.destination {
        case .path(let path), .object(let path): return [path]
        case .standardOutput: return [nil]
        case .derived:
            if settings.goesToStandardOutput { return [nil] }
            let named = settings.operands.prefix(Self.mostNames)
            return named.filter { $0.isStandardInput || settings.derivedName(of: $0) != nil }.map(
                settings.derivedName)
        }
    }
}

extension JSON {
    /// Writes the names of files; if one is not UTF-8, the bytes of such names too, and null for each of the others.
    fileprivate mutating func entry(
        _ name: StaticString, _ paths: [FilePath?], stream: String, base64 other: StaticString
    ) {
        entry(name, paths.map { $0?.spelled ?? stream })
        let bytes = paths.map { $0.flatMap { JSON.base64($0.bytes) } }
        if bytes.contains(where: { $0 != nil }) { entry(other, bytes) }
    }
}
