import SluiceEngine

/// The command line while it is parsed: the options that were given, and the settings that a single option decides.
struct Request {
    /// The value of a variable of the environment, nil if it is not set.
    typealias Environment = (String) -> String?

    let environment: Environment
    var settings: Settings
    private(set) var given: [FlagValue] = []
    /// The words after `--from-command` and before `--`, as they were typed.
    let wordsOfCommand: [[UInt8]]
    /// The operations that were chosen, in their order.
    private(set) var chosen: [any Command] = []

    /// - Parameters:
    ///   - typed: the words after the command's own name.
    ///   - followsZstd: whether that is one of zstd's.
    init(
        _ typed: [[UInt8]], followsZstd: Bool = false, environment: @escaping Environment = { _ in nil }
    ) throws(Complaint) {
        self.environment = environment
        let command = typed.firstIndex(of: Array("--from-command".utf8)).map { typed[($0 + 1)...] } ?? []
        wordsOfCommand = Array(command.prefix { $0 != Array("--".utf8) })
        settings = Settings(command: Compress(), followsZstd: followsZstd)
        hearEnvironment()
        var lexer = Lexer(typed)
        while settings.answer == nil, let value = try lexer.next() { try hear(value) }
        // What follows -V may ask for more about it, and as in zstd may be anything else.
        if case .version? = settings.answer, !followsZstd {
            while let value = try? lexer.next() { try? hear(value) }
            settings.answer = .version
            return
        }
        var words = lexer.operands
        let rest = lexer.rest ?? []
        if last(of: .fromCommand) != nil {
            settings.input.commandWords = rest
        } else {
            if rest.contains([]) { throw .usage("an empty file name") }
            words += rest
        }
        settings.operands = try words.map { word throws(Complaint) in try settings.input.remote.path(of: word) }
    }

    private mutating func choose(_ operation: any Command, _ value: FlagValue) {
        // As in zstd, -d doesn't end a benchmark, but limits it to decompression.
        let isBenchmark = chosen.contains { $0.optionGroups.contains(.measuring) }
        if isBenchmark, value.isShort, operation.optionGroups.contains(.recovery) {
            settings.measuring.onlyDecompresses = true
        } else {
            chosen.append(operation)
        }
    }

    /// Applies an option.
    mutating func hear(_ value: FlagValue) throws(Complaint) {
        given.removeAll { $0.flag.key == value.flag.overridden }
        given.append(value)
        if let operation = value.flag.operation { choose(operation, value) }
        do { try value.flag.apply(&settings, value) } catch { throw error as? Complaint ?? .usage("\(error)") }
    }

    mutating func warn(_ sentence: String) { settings.warnings.append(sentence) }

    /// Whether the operation accepts all of these.
    func applies(_ options: OptionGroups) -> Bool { settings.command.optionGroups.isSuperset(of: options) }

    /// An option that was typed, and not turned off or on again.
    ///
    /// - Parameter isOn: false for one that was turned off.
    func last(of name: Flag.Name, isOn: Bool = true) -> FlagValue? {
        given.last { $0.flag.key == name }.flatMap { $0.isOn == isOn ? $0 : nil }
    }
}
