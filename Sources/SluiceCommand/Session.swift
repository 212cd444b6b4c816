import Dispatch
import Glibc
import Sluice
import SystemPackage

/// One call of the command: its operands one after another, and what is said about them.
struct Session {
    let settings: Settings
    let console: Console
    private let latch = FailureLatch()
    private let signals: Signals
    private let display: ProgressDisplay
    private let clock = ContinuousClock.now

    init(_ settings: Settings, _ console: Console) {
        self.settings = settings
        self.console = console
        signals = Signals(latch: latch)
        display = ProgressDisplay(
            Progress(isTesting: settings.mode == .test), console: console, isDecompressing: settings.mode != .compress,
            isDrawing: settings.showsBar)
        watchTerminal()
    }

    /// Does all the operands.
    ///
    /// - Returns: the exit code. A signal that ended the run ends the process instead.
    func run(_ operands: [FilePath]) -> Int32 {
        if settings.mode == .list { return Lister(console: console).run(operands) }
        display.begin(files: operands.count, total: totalSize(operands))
        let sharesOutput = operands.count > 1 && settings.output != .derived && settings.mode != .test
        let (total, failures) = sharesOutput ? runTogether(operands) : runEach(operands)
        display.finish()
        if let number = signals.cause(of: latch.failure) {
            // The run has been wound up: its temporary file is gone.
            Signals.die(by: number)
        }
        // An output that several share is there only if all went well.
        if failures == 0 || operands.count > 1 && !sharesOutput { summarize(total, operands, failures) }
        StandardDescriptors.restore()
        return failures == 0 ? 0 : 1
    }

    private func runEach(_ operands: [FilePath]) -> (Summary, failures: Int) {
        var total = Summary()
        var failures = 0
        for operand in operands where latch.failure == nil {
            display.begin(operand == Input.standardInput ? "" : operand.printable)
            let run = fileRun(isOnly: operands.count == 1, latch: FailureLatch())
            latch.onFailure { run.latch.fail(.cancelled) }
            do throws(Complaint) {
                total += try run.run(operand)
            } catch {
                failures += 1
                report(error)
            }
            display.endFile()
        }
        return (total, failures)
    }

    /// Several operands, one output: it is complete only if all of them are.
    private func runTogether(_ operands: [FilePath]) -> (Summary, failures: Int) {
        var total = Summary()
        let run = fileRun(isOnly: false, latch: latch)
        do throws(Complaint) {
            let target: FilePath? = if case .path(let path) = settings.output { path } else { nil }
            let inputs = operands.compactMap { try? FileIdentity(at: $0) }
            let output = try run.openOutput(target, inputs: inputs, canAsk: !operands.contains(Input.standardInput))
            for operand in operands {
                display.begin(operand.printable)
                total += try run.run(operand, into: output)
                display.endFile()
            }
            let name = output.name
            do throws(Failure) {
                try output.commit(metadataOf: nil, isSynced: settings.isSynced)
            } catch {
                throw Complaint(error, source: name, target: name)
            }
            return (total, 0)
        } catch {
            report(error)
            return (total, 1)
        }
    }

    private func fileRun(isOnly: Bool, latch: FailureLatch) -> FileRun {
        FileRun(
            settings: settings, console: console, latch: latch, observer: { [display] in display.progress.observe($0) },
            isOnly: isOnly)
    }

    private func report(_ complaint: Complaint) {
        if let failure = complaint.failure, signals.cause(of: failure) != nil {
            // No file after this one would fare better.
            latch.fail(failure)
            if failure != .writing(.fileTooLarge) { return }
        }
        console.error(complaint.sentence, hint: complaint.hint)
    }

    /// Bytes of all the operands, if all are files.
    private func totalSize(_ operands: [FilePath]) -> UInt64? {
        var total: UInt64 = 0
        for operand in operands {
            if operand == Input.standardInput {
                let source = try? Source(.standardInput)
                guard let size = source?.size ?? settings.streamSize else { return nil }
                total += size
            } else if let identity = try? FileIdentity(at: operand), identity.kind == .file {
                total += identity.size
            } else {
                return nil
            }
        }
        return total
    }

    /// Redraws when the terminal changes its size or the process goes on, and erases the bar before it stops.
    private func watchTerminal() {
        guard settings.showsBar else { return }
        let display = display
        signals.watch(SIGWINCH) { display.draw() }
        signals.watch(SIGCONT) {
            display.didContinue()
            display.draw()
        }
        signals.watch(SIGTSTP) {
            display.erase()
            StandardDescriptors.restore()
            kill(getpid(), SIGSTOP)
        }
    }

    private func summarize(_ total: Summary, _ operands: [FilePath], _ failures: Int) {
        guard settings.showsSummary(for: operands) else { return }
        let name = operands.count == 1 ? (operands[0] == Input.standardInput ? "standard input" : operands[0].printable) : Self.files(operands.count - failures)
        console.write(total.line(name: name, settings.mode, elapsed: .now - clock) + "\n")
    }

    private static func files(_ count: Int) -> String { "\(count) file\(count == 1 ? "" : "s")" }
}
