import Sluice
import Synchronization

extension Session {
    /// Runs several operands into one output: a file is complete only if all of them succeed, standard output gets the
    /// ones that do.
    func concatenate(_ queue: OperandQueue) {
        if settings.output.removesSource {
            context.console.warn("--rm is ignored: several sources share one output")
        }
        do throws(Complaint) { try write(queue) } catch {
            context.report(error)
            context.tally.withLock { tally in
                tally.failed = max(1, queue.count - queue.failures)
                tally.done = 0
            }
        }
    }

    private func write(_ queue: OperandQueue) throws(Complaint) {
        let display = context.instruments.display
        let target = try sharedTarget()
        let inputs = settings.operands.compactMap(Operand.identity)
        let output = try Output(to: target, inputs: inputs, settings, asking: context.asking)
        if let growing = settings.references.growing, let sink = output.sink {
            try Complaint.about(source: output.name, growing.begin(on: sink, latch: context.latch))
        }
        while !context.isOver, let operand = queue.next() {
            display.begin(operand.path)
            do throws(Complaint) {
                try context.add(try fileRun.run(operand, into: output), of: operand)
            } catch {
                if target != nil, !error.isSkipped, !error.isOwn { throw error }
                context.add(error, isOnly: false)
            }
            display.endFile()
        }
        // Between two operands a signal ends the loop without an error, as the end of a live stream does: the file
        // would be incomplete.
        let failure = context.latch.failure
        let isCut = context.inputEnd.isAsked && context.tally.withLock { $0.done } < queue.count
        if target != nil, failure != nil || isCut {
            throw Complaint(failure ?? .cancelled, source: "", target: "")
        }
        if target != nil, queue.failures > 0 { throw Complaint("nothing written: not all files can be read") }
        try fileRun.finish(output)
    }

    /// What keeps the files of a directory apart, which most people want who compress one into a file.
    private var packing: String? {
        guard settings.walks, settings.activity.content == .input, settings.operands.count == 1 else { return nil }
        let command = Input.packing(settings.operands[0]) ?? "tar -I sluice -cf DIR.tar.zst DIR"
        return command + " packs the directory"
    }

    /// The output file; nil for standard output.
    ///
    /// - Throws: why the operands must not be concatenated.
    private func sharedTarget() throws(Complaint) -> FilePath? {
        guard let target = settings.output.destination.path else { return nil }
        try context.made.refuseSource(target)
        if settings.references.growing != nil { return target }
        let many = settings.operands.count > 1 ? "\(settings.operands.count) files" : "the files"
        let sentence = "\(many) will be concatenated into one output and can't be separated again"
        if settings.isForced || settings.activity.content == .both {
            if settings.activity.content == .input { context.console.warn(sentence) }
            return target
        }
        guard let console = context.asking, console.confirms("\(sentence); continue (y/n)?") else {
            throw Complaint(sentence + ": not done", hint: packing ?? "-f concatenates them")
        }
        return target
    }
}
