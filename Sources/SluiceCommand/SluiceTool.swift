import ArgumentParser
import CAllocator
import Glibc
import Sluice
import SystemPackage

/// The command: words in, exit code out.
@main
enum SluiceTool {
    static func main() {
        // Before anything is opened.
        StandardDescriptors.prepare()
        setlocale(LC_CTYPE, "")
        exit(flush(run(Words.ofProcess())))
    }

    /// The exit code, if what was printed could be written.
    private static func flush(_ code: Int32) -> Int32 {
        if fflush(nil) == 0 { return code }
        Console(quietness: 0).error("standard output: can't write: \(Errno(rawValue: errno).sentence)")
        return 1
    }

    private static func run(_ words: Words) -> Int32 {
        var quietness = 0
        do {
            let dialect = try Dialect(words.rewritten)
            // What scripts ask most often does not pay for the parser, which is half of the start-up.
            if let version = dialect.options.firstIndex(of: "--version") {
                print(words.followsZstd ? Version.asZstd(after: dialect.options[..<version]) : Version.line)
                return 0
            }
            if dialect.options.contains("--usage") {
                print(Usage.text)
                return 0
            }
            let (options, special) = try AllOptions.parsing(dialect.options)
            var settings = try Settings(
                options, special: special, paths: dialect.paths,
                operands: dialect.operands.isEmpty ? [Operand.standardInput] : dialect.operands,
                followsZstd: words.followsZstd
            ) {
                getenv($0).map { String(cString: $0) }
            }
            quietness = settings.quietness
            let console = Console(quietness: quietness)
            let operands = try settings.operands(dialect.operands)
            // Before the process confines itself to its operands.
            settings.references = try References(for: operands, settings)
            try settings.loadHash()
            for warning in settings.warnings(for: operands) { console.warn(warning) }
            if settings.showsParameters { ParameterTable.show(operands, settings, console) }
            if Sandbox.suits(operands, settings) { confine(to: operands, settings, console) }
            return run(operands, settings, console)
        } catch let error as UsageError {
            Console(quietness: 0).error(error.description, hint: error.hint)
            return 1
        } catch let error as Complaint {
            Console(quietness: quietness).error(error.sentence, hint: error.hint)
            return 1
        } catch {
            return explain(error)
        }
    }

    /// Nobody is told where the kernel can't do it, but who asks for more.
    private static func confine(to operands: [FilePath], _ settings: Settings, _ console: Console) {
        do throws(Errno) {
            try Sandbox(for: operands, settings).enter()
        } catch {
            if settings.verbosity > 0 { console.write("not confined by Landlock: \(error.sentence)\n") }
        }
    }

    private static func run(_ operands: [FilePath], _ settings: Settings, _ console: Console) -> Int32 {
        do throws(Complaint) {
            return try settings.verb.run(operands, settings, console)
        } catch {
            console.error(error.sentence, hint: error.hint)
            return 1
        }
    }

    /// What the parser throws: a mistake, or a request for help or the version.
    private static func explain(_ error: any Error) -> Int32 {
        let isRequest = AllOptions.exitCode(for: error).isSuccess
        if isRequest {
            print(AllOptions.fullMessage(for: error))
            return 0
        }
        // Of many values that are known, each has a line.
        var sentence = AllOptions.message(for: error).replacing(":\n  - ", with: ": ").replacing("\n  - ", with: ", ")
        sentence = sentence.prefix(1).lowercased() + sentence.dropFirst()
        Console(quietness: 0).error(sentence, hint: "sluice --help lists the options")
        return 1
    }
}
