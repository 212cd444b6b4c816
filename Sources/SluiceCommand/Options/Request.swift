import Sluice

/// The command line while it is parsed: settings that one option decides, and values that several decide together.
struct Request {
    /// A text that is printed instead of a run.
    enum Answer {
        case usage, help, version
        case generate(Generated)
    }

    /// The value of a variable of the environment, nil if it is not set.
    typealias Environment = (String) -> String?

    let environment: Environment
    var settings: Settings
    /// Once it is set, the words that follow are ignored.
    var answer: Answer?
    private(set) var given: [FlagValue] = []
    /// The operations that were chosen, in their order.
    private(set) var chosen: [any Command] = []

    var allowsUltra = false
    // Nil: not given.
    /// The lowest and the highest level of `--adapt`.
    var adaptation: (least: Int?, most: Int?)?
    var format: String?
    var passThrough: Bool?
    var offset: ContentRange.Start?
    var length: UInt64?
    var part: String?

    mutating func choose(_ operation: any Command, _ value: FlagValue) {
        // As with zstd, -d leaves a benchmark what it is, but for compression.
        let isBenchmark = chosen.contains { $0.heeds.contains(.measuring) }
        if isBenchmark, value.isShort, operation.heeds.contains(.recovery) {
            settings.measuring.onlyDecompresses = true
        } else {
            chosen.append(operation)
        }
    }

    /// Applies an option.
    mutating func hear(_ value: FlagValue) throws(Complaint) {
        given.removeAll { $0.flag.name == value.flag.overridden }
        given.append(value)
        do { try value.flag.apply(&self, value) } catch { throw error as? Complaint ?? .usage("\(error)") }
    }

    mutating func warn(_ sentence: String) { settings.warnings.append(sentence) }

    /// Whether the operation heeds all of these.
    func heeds(_ options: HeededOptions) -> Bool { settings.command.heeds.isSuperset(of: options) }

    /// An option that was typed, and not turned off or on again.
    func last(named name: String) -> FlagValue? {
        guard let last = given.last(where: { $0.isNamed(name) }) else { return nil }
        let lastOfFlag = given.last { $0.flag.name == last.flag.name }
        return lastOfFlag?.isOn == last.isOn ? last : nil
    }
}

/// The files that are made from the declarations.
enum Generated: String, CaseIterable {
    case man
    case bash = "complete-bash"
    case zsh = "complete-zsh"
    case fish = "complete-fish"
    case zstdOptions = "zstd-options"
}
