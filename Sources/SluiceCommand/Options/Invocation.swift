import CStart
import Glibc
import Sluice

/// What was typed: the words of a command line, as bytes, and the name by which the command was called.
struct Invocation {
    let name: [UInt8]
    let words: [[UInt8]]

    /// The words that this process was given.
    ///
    /// `CommandLine.arguments` would mangle what is not UTF-8, and is empty where there is no /proc to read it from.
    static func ofProcess() -> Invocation {
        var words: [[UInt8]] = []
        for index in 0..<sluice_word_count() {
            guard let word = sluice_word(index) else { break }
            words.append(Array(UnsafeRawBufferPointer(start: word, count: strlen(word))))
        }
        return Invocation(name: words.first ?? [], words: Array(words.dropFirst()))
    }

    /// The options that the name implies; nil if it is not one of zstd's.
    private var implied: [String]? {
        switch String(decoding: name.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self) {
        case "zstd": []
        case "unzstd": ["-d"]
        case "zstdcat", "zcat", "gzcat": ["-dcf"]
        case "zstdmt": ["-T0"]
        default: nil
        }
    }

    /// Whether the name is one of zstd's.
    var followsZstd: Bool { implied != nil }

    /// The words, after the options that zstd's other names imply.
    var rewritten: [[UInt8]] { (implied ?? []).map { Array($0.utf8) } + words }
}

/// Parses words.
extension Request {
    /// - Parameters:
    ///   - words: those after the command's own name.
    ///   - followsZstd: whether that is one of zstd's.
    init(
        _ words: [[UInt8]], followsZstd: Bool = false, environment: @escaping Environment = { _ in nil }
    ) throws(Complaint) {
        self.environment = environment
        settings = Settings(command: Compress(), followsZstd: followsZstd)
        // As in zstd, a bad value is reported even if the command line sets another.
        settings.compression.options.level = number("ZSTD_CLEVEL", "a level", isSigned: true) ?? 0
        settings.limits.chosenThreads = number("ZSTD_NBTHREADS", "a number of threads", isSigned: false) ?? 0
        var lexer = Lexer(words)
        while settings.answer == nil, let value = try lexer.next() { try hear(value) }
        settings.operands = lexer.operands
        let rest = lexer.rest ?? []
        if last(named: "from-command") != nil {
            settings.input.commandWords = rest
            return
        }
        if rest.contains([]) { throw .usage("an empty file name") }
        settings.operands += rest.map { FilePath(word: $0) }
    }

    /// The number in an environment variable; nil if it is not set, or is not a number of 32 bits, as zstd's are.
    private mutating func number(_ name: String, _ kind: String, isSigned: Bool) -> Int? {
        guard let word = environment(name) else { return nil }
        if let number = Int(word), number.magnitude <= UInt32.max, isSigned || word.first?.isNumber == true {
            return number
        }
        warn("ignoring \(name)=\(word.printable): not \(kind)")
        return nil
    }
}
