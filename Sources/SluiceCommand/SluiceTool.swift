import CAllocator
import Glibc
import SluiceEngine

/// The command: words in, exit code out.
@main
enum SluiceTool {
    static func main() {
        // Before anything is opened.
        StandardDescriptors.prepare()
        let invocation = Invocation.ofProcess()
        let code = flush(run(invocation), program: invocation.program)
        // Without what else `exit` calls: it would free what threads of libcurl and OpenSSL may still use.
        _exit(code)
    }

    /// The exit code, if what was printed could be written.
    private static func flush(_ code: Int32, program: String) -> Int32 {
        do throws(Complaint) {
            try Complaint.aboutPrinting(systemCall { fflush(nil) })
            return code
        } catch {
            Console(quietness: 0, program: program).error(error)
            return 1
        }
    }

    /// - Parameter environment: the value of a variable, nil if it is not set.
    static func run(
        _ invocation: Invocation,
        environment: @escaping Request.Environment = { getenv($0).map { String(cString: $0) } }
    ) -> Int32 {
        var known: Console?
        var (command, servers): (InputCommand?, RemoteInputs?)
        defer { servers?.dismissHelper() }
        // Does nothing if the run has told how it ended.
        defer { command?.dismiss(hasSucceeded: false) }
        do throws(Complaint) {
            let request = try Request(
                invocation.rewritten, followsZstd: invocation.followsZstd, environment: environment)
            if let answer = request.settings.answer {
                print(text(of: answer, request.settings))
                return 0
            }
            var settings = try request.settled()
            let console = Console(quietness: settings.reporting.quietness, program: invocation.program)
            known = console
            ResourceShortage.prepare(quietness: settings.reporting.quietness, program: invocation.program)
            try settings.completeOperands()
            try settings.checkRemoteInputs()
            defer { servers = settings.input.remote }
            try settings.input.remote.prepare(
                console, settings.reporting, writing: settings.output.destination.object)
            // Before the process confines itself to its operands.
            try settings.openGrowingFile()
            settings.references = try ReferenceFile(for: settings)
            try settings.verification.loadHash()
            for warning in settings.allWarnings { console.warn(warning) }
            if settings.compression.showsParameters { DefaultParameters.show(settings, console) }
            // For the widths of characters, and those that are shown; a confined process could not read the locale.
            let hasNames = settings.members.isAsked || !settings.members.selection.patterns.isEmpty
            if hasNames || settings.progressStyle == .bar { setlocale(LC_CTYPE, "") }
            // A confined process could not signal it.
            if let words = settings.input.commandWords {
                command = try InputCommand(words, accepting: settings.input.acceptedStatuses)
            }
            settings.input.command = command
            confine(settings, console)
            return try settings.command.run(settings, console)
        } catch {
            (known ?? Console(quietness: 0, program: invocation.program)).error(error)
            return error.exitCode
        }
    }

    private static func text(of answer: Answer, _ settings: Settings) -> String {
        switch answer {
        case .version:
            settings.followsZstd
                ? Version.asZstd(
                    quietness: settings.reporting.quietness, verbosity: settings.reporting.verbosity)
                : Version.text(verbosity: settings.reporting.verbosity)
        case .usage: ShortHelp.text
        case .help: HelpText.text
        case .generate(.man): ManualOptions.text
        case .generate(.bash): BashCompletion.text
        case .generate(.zsh): ZshCompletion.text
        case .generate(.fish): FishCompletion.text
        case .generate(.zstdOptions): ZstdTable.text
        }
    }

    /// Confines the process. Reports with -v what is confined and what is not, where the kernel can't confine
    /// everything, and why nothing is.
    private static func confine(_ settings: Settings, _ console: Console) {
        let verbosity = settings.reporting.verbosity
        if let reason = settings.reasonWithoutSandbox {
            if verbosity > 0 { console.write("not confined by Landlock: \(reason)\n") }
            return
        }
        // Later it could not be loaded.
        if settings.computesParity { Job.loadParityLibrary() }
        do throws(Errno) {
            let (closed, open) = try settings.sandbox.enter()
            guard verbosity > (open.isEmpty ? 1 : 0) else { return }
            console.write("confined by Landlock: \(closed.joined(separator: ", "))\n")
            if !open.isEmpty { console.write("not confined by Landlock: \(open.joined(separator: ", "))\n") }
        } catch {
            if verbosity > 0 { console.write("not confined by Landlock: \(error.sentence)\n") }
        }
    }
}
