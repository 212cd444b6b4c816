import Sluice

/// Completes a file into which several processes have decompressed parts (`-d --join`).
struct JoinContent: Command {
    let activity = Statistics.Activity("join-content", noun: "joining", content: .output)
    let heeds: HeededOptions = [.statistics, .joining, .marks]

    func run(_ settings: Settings, _ console: Console) throws(Complaint) -> Int32 {
        guard settings.operands.count == 1, !settings.readsOnlyStream else {
            throw Complaint("-d --join takes the file whose parts were decompressed", hint: "name that file")
        }
        let context = try RunContext(settings, console)
        return context.run { () throws(Complaint) in try join(Operand(settings.operands[0]), context) }
    }

    private func join(_ operand: Operand, _ context: RunContext) throws(Complaint) -> Joined {
        let settings = context.settings
        let input = try Input(operand, settings)
        guard let target = try settings.outputName(for: input.path, source: input.source) else {
            throw Complaint("-d --join needs an output file, not standard output", hint: "name it with -o FILE")
        }
        try Output.refuse(target, inputs: [input.source.identity], isReplacing: settings.isForced)
        let source = input.source
        let file = try Complaint.about(
            source: input.name, target: target, SharedFile(for: target, of: source, parts: nil))
        let statistics = try settings.reporting.partStatistics.map { folder throws(Complaint) in
            try PartRecord.parts(in: folder, count: file.count) { UInt64(file.content.place(of: $0).count) }
        }
        let losses = try Complaint.about(
            source: input.name, target: target,
            file.whole(isReplacing: settings.isForced)
                .commit(metadataOf: source.descriptor, isSynced: settings.output.isSynced))
        losses.warn(about: target, on: context.console)
        file.removeMarks()
        if settings.output.removesSource { try input.file.remove() }
        return Joined(name: target, size: file.content.size, parts: statistics)
    }
}
