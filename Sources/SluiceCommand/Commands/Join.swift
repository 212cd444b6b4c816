import SluiceEngine

/// Joins the parts of a file without decoding them.
struct Join: Command {
    let activity = Activity("join", noun: "joining", content: .both)
    let optionGroups: OptionGroups = [.statistics, .joining, .verification]

    func run(_ settings: Settings, _ console: Console) throws(Complaint) -> Int32 {
        guard !settings.operands.isEmpty else {
            throw Complaint("--join needs the parts of a file", hint: "--part makes them")
        }
        if settings.output.destination == .standardOutput, !settings.isForced { try Output.refuseTerminal() }
        let context = try RunContext(settings, console)
        return context.run { () throws(Complaint) in try join(context) }
    }

    private func join(_ context: RunContext) throws(Complaint) -> Joined {
        let settings = context.settings
        let queue = OperandQueue(settings, context.console)
        var (parts, files, access) = ([Part](), [FilePath: SourceFile](), CommonAccess())
        while let operand = queue.next() {
            let input = try open(operand, settings)
            let name = input.name
            parts.append(
                try Complaint.about(source: name, Part(of: input.source, named: name)))
            files[name] = input.file
            if let file = input.source.descriptor { access.narrow(to: file) }
        }
        if queue.failures > 0 { throw Complaint("nothing joined: not all parts can be read") }
        let target = settings.output.destination.path
        let name = target ?? "standard output"
        let set = try Complaint.about(source: name, PartSet(parts))
        let output = try Output.chosen(
            for: target.map { OutputPlace($0) }, inputs: parts.map(\.identity), settings, asking: context.asking)
        let written = try write(set, files, to: output, context)
        let isNewFile = output.isNewFile
        try output.commit(metadataOf: nil, within: access, isSynced: settings.output.isSynced)
        if settings.output.isRemovalAsked, isNewFile {
            let names = RemovedNames()
            for part in set.parts { try files[part.name]?.remove(names) }
        }
        return Joined(name: target, size: written)
    }

    private func open(_ operand: Operand, _ settings: Settings) throws(Complaint) -> Input {
        // Opening a FIFO would wait for its writer.
        let identity = try? operand.identity(followingLinks: true)
        if operand.path.isStandardInput || identity.map({ $0.kind != .file && $0.kind != .directory }) == true {
            throw Complaint(Operand.name(of: operand.path), "is not a file")
        }
        return try Input(operand, settings)
    }

    private func write(
        _ set: PartSet, _ files: [FilePath: SourceFile], to output: borrowing Output, _ context: RunContext
    ) throws(Complaint) -> UInt64 {
        guard let sink = output.sink else { return 0 }
        let observation = context.observation
        var writer = try Complaint.about(
            source: output.name,
            JoinWriter(
                set, to: sink, latch: context.latch, monitor: observation.monitor,
                isVerifying: context.settings.verification.verifiesFrames))
        for part in set.parts {
            guard let operand = files[part.name]?.operand else { continue }
            observation.display.begin(part.name)
            let input = try Input(operand, context.settings)
            try Complaint.about(source: part.name, target: output.name, writer.append(part, from: input.source))
            observation.display.endFile()
        }
        try Complaint.about(source: output.name, writer.finish())
        return writer.written
    }
}

/// The result of joining parts.
struct Joined {
    /// Nil for standard output.
    var name: FilePath?
    /// Bytes.
    var size: UInt64 = 0
}

extension RunContext {
    /// Runs `join`, and reports its result.
    ///
    /// - Returns: the exit code. If a signal ended the run, the process dies by it instead.
    func run(_ join: () throws(Complaint) -> Joined) -> Int32 {
        var (joined, complaint) = (Joined(), Complaint?.none)
        signals.start()
        do throws(Complaint) { joined = try join() } catch { complaint = error }
        var total = Summary()
        let size = Int(clamping: joined.size)
        (total.bytesIn, total.bytesOut, total.contentSize) = (size, size, size)
        observation.display.finish(total, files: 1, isDone: complaint == nil)
        let signal = signals.cause(of: complaint?.failure)
        if let complaint, complaint.failure != .cancelled, complaint.failure != .writing(.brokenPipe) {
            console.error(complaint)
        }
        let ending: RunOutcome.Ending = signal != nil ? .interrupted : complaint == nil ? .success : .failure
        let outcome = RunOutcome(
            ending, error: signal.map(Signals.interruption) ?? complaint?.sentence, files: complaint == nil ? 1 : 0,
            failedFiles: complaint == nil ? 0 : 1)
        let code = end(outcome, by: signal)
        if complaint == nil, settings.reporting.quietness == 0, let name = joined.name {
            console.write("\(name.printable): \(ByteCount.format(joined.size)), joined\n")
        }
        return code
    }
}
