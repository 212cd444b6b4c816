import SluiceEngine

/// Settles what all options mean together.
extension Request {
    /// - Parameter memory: of the machine, in bytes.
    /// - Throws: what is invalid.
    consuming func settled(memory: UInt64 = Machine.memory ?? .max) throws(Complaint) -> Settings {
        try settleOperation()
        if applies(.frames) { try implySingleFrame() }
        try check()
        try settleInputCommand()
        try settleCompression()
        let refers = settings.references.dictionaryFile != nil || settings.references.patchFile != nil
        if refers, settings.activity.content == .both {
            warn("-D and --patch-from are ignored: nothing is compressed")
        }
        try settleParameters()
        try settleWindow()
        try settleOutput()
        try settleReference()
        try checkShare()
        settleExcerpt()
        try checkAlignment()
        try checkTarget()
        settleTraining()
        warnOfConflicts(memory: memory)
        return settings
    }

    /// Settles the operation: the last one that was chosen, or the variant of it that another option asks for.
    private mutating func settleOperation() throws(Complaint) {
        settings.command = chosen.last ?? Compress()
        settings.input.isByDefault = chosen.isEmpty && !settings.input.isDecoded
        if chosen.contains(where: { $0 is Join }), chosen.contains(where: { $0 is Decompress }) {
            throw .usage("--join joins compressed parts: cat joins decompressed ones")
        }
        // The last one would win: the file would stay as it is, or get the compressed input, compressed once more.
        if chosen.contains(where: { $0 is Append }), !chosen.allSatisfy({ $0 is Append || $0 is Compress }) {
            throw .usage("--append compresses: it can't be combined with another operation")
        }
        let part = last(of: .part)?.text
        if let operation = memberOperation, part == nil {
            settings.command = operation
        } else if let part, applies(.parts) {
            settings.command = try operation(on: part)
        } else if last(of: .recover) != nil, applies(.recovery) {
            settings.command = Recover()
        } else if settings.decoding.following != nil, applies(.following) {
            settings.command = Follow()
        } else if settings.decoding.isExcerpt, applies(.ranges) {
            settings.command = settings.decoding.tailLines == nil ? Extract() : ExtractLines()
        }
    }

    /// Programs that call zstd may hand its output to a reader of one frame, such as a kernel that boots.
    private mutating func implySingleFrame() throws(Complaint) {
        let ours: [Flag.Name] = [.frameSize, .flushInterval, .singleFrame, .members, .lines]
        let isOurs = given.contains { ours.contains($0.flag.key) }
        if settings.followsZstd, !isOurs, let flag = Flag.called(.singleFrame) {
            try hear(FlagValue(flag: flag, spelling: "--single-frame (the default under zstd's names)"))
        }
    }

    private mutating func settleInputCommand() throws(Complaint) {
        guard let words = settings.input.commandWords else { return }
        guard let word = words.first, !word.isEmpty else {
            let typed = wordsOfCommand.map { FilePath(word: $0).quoted }
            let command = typed.isEmpty ? "pg_dump db" : typed.joined(separator: " ")
            throw .usage("--from-command needs a command after --", hint: "such as --from-command -- \(command)")
        }
        if let operand = settings.operands.first {
            let reason = "the command's output is the input"
            throw .usage("--from-command and \(operand.printable) can't be combined: \(reason)")
        }
    }

    private mutating func settleOutput() throws(Complaint) {
        if settings.output.resumes, settings.output.destination == .standardOutput {
            throw .usage("--resume needs an output that is a file", hint: "name it with -o FILE")
        }
        if settings.output.uploadPart != nil, settings.output.destination.object == nil {
            throw .usage("--upload-part is for an object of a store", hint: "such as -o s3://bucket/backup.zst")
        }
        if settings.activity.content != .input { settings.input.excludesCompressed = false }
        if settings.input.isRecursive, !settings.followsZstd, settings.output.destination == .derived,
            settings.output.folder == nil, applies(.data)
        {
            switch settings.activity.content {
            case .input: settings.input.leftOut = settings.input.isDecoded ? .anew : .compressed
            case .output where settings.activity.hasOutput: settings.input.leftOut = .others
            case .output, .both: break
            }
        }
        let passes = given.last { $0.flag.key == .passThrough }?.isOn
        settings.decoding.passesForeign =
            applies(.passing) && (passes ?? (settings.isForced && settings.goesToStandardOutput))
        if !applies(.data) { settings.verification.hashName = nil }
        guard settings.verification.readsBack else { return }
        if applies(.joining) { throw .usage("--verify=file only works with compression") }
        if !settings.output.isSynced {
            throw .usage("--verify=file and --no-sync can't be combined: the file is read back from the disk")
        }
        if !settings.compression.options.hasChecksum {
            throw .usage("--verify=file and --no-check can't be combined: the checksums are what is verified")
        }
    }

    /// A file that is tested has its share of parity.
    private func checkShare() throws(Complaint) {
        guard let value = last(of: .parity), value.bytes != nil, settings.command is Check else { return }
        throw .usage("-t --parity takes no share: the file has its own")
    }

    /// Notes URLs among the files that are read beside the operands.
    private mutating func settleReference() throws(Complaint) {
        guard let value = last(of: .against), let bytes = value.bytes else { return }
        settings.verification.reference = try settings.input.remote.path(of: bytes)
    }

    private mutating func settleTraining() {
        guard applies(.training) else { return }
        if settings.output.destination == .derived { settings.output.destination = .path("dictionary") }
        if settings.output.isRemovalAsked {
            settings.output.isRemovalAsked = false
            warn("--rm is ignored: samples are kept")
        }
    }

    /// Warns of options that ask for too much, or have no effect.
    private mutating func warnOfConflicts(memory: UInt64) {
        let limits = settings.limits
        if settings.output.isRemovalAsked, !settings.removesSources {
            warn("the source is kept: --rm needs an output file")
        }
        if limits.chosenThreads > LimitSettings.mostThreads {
            warn("\(limits.chosenThreads) threads are too many: using \(LimitSettings.mostThreads)")
        }
        if limits.buffer > memory {
            warn("--buffer is larger than the memory of this machine, \(ByteCount.format(memory))")
        }
        if limits.fillBeforeWriting > 0, limits.buffer == 0 {
            warn("--buffer-start without --buffer only waits for the workers' buffers to fill")
        }
        if settings.input.reading != .auto,
            !applies(.frames) || settings.compression.isSingleFrame || limits.rate != nil
        {
            warn("--read is ignored: it only works if files are cut into frames, without a rate limit")
        }
    }
}

/// Settles which ranges or members of the content are wanted.
extension Request {
    /// The operation on members, if that is what is asked for.
    var memberOperation: (any Command)? {
        if !settings.members.selection.patterns.isEmpty, applies(.members) { return ExtractMembers() }
        guard settings.members.isAsked, applies(.archives) else { return nil }
        return applies(.frames) ? CompressArchive() : ListMembers()
    }

    /// Settles how ranges and members are found, and where they go.
    mutating func settleExcerpt() {
        let hasMembers = memberOperation != nil
        if hasMembers, applies(.frames) {
            let options = settings.compression.options
            // To get a member out, its frame is decoded, up to half of it on average (docs/decisions/members.md).
            if options.frameSize == nil { settings.compression.options.frameSize = options.effectiveFrameSize / 2 }
            return
        }
        guard hasMembers || settings.decoding.isExcerpt || settings.command is Follow else { return }
        // Part of a file must not get the name that stands for all of it.
        if settings.output.destination == .derived { settings.output.destination = .standardOutput }
    }
}

extension Settings {
    /// The warnings, with those that depend on the operands.
    var allWarnings: [String] {
        let writesFile =
            switch output.destination {
            case .standardOutput: false
            case .derived: !readsOnlyStream
            // Pipes and devices are written as they are.
            case .object: true
            case .path(let path): (try? FileIdentity(at: path))?.kind ?? .file == .file
            }
        var warnings = warnings
        if compression.flushInterval != nil, command.optionGroups.contains(.frames), writesFile {
            warnings.append("--flush-interval is for standard output: a file gets its name only at the end")
        }
        return warnings + [references.warning].compactMap(\.self)
    }
}
