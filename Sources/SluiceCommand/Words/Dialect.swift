import Sluice
import SystemPackage

/// zstd's command line, rewritten into the long options that the parser knows: a pure function from words to words.
///
/// Words are bytes. File names never reach the parser, whose strings would mangle those that are not UTF-8: operands
/// are kept aside, and a path that belongs to an option is replaced by its index in `paths`.
struct Dialect: Equatable {
    /// For the parser, each `--name` or `--name=value`.
    private(set) var options: [String] = []
    /// What is not an option, in order.
    private(set) var operands: [FilePath] = []
    /// Paths that belong to options.
    private(set) var paths: [FilePath] = []
    /// What was said in vain.
    private(set) var warnings: [String] = []

    private enum Form {
        case flag(String)
        /// `--name=value`, or the next word.
        case value(String)
        /// The same for a number of bytes, whose unit belongs to it.
        case size(String)
        /// The same for a number that zstd keeps in 32 bits, and this command too: a larger one is a mistake.
        case number(String)
        /// A path, `--name=path` or the next word.
        case path(String)
        /// `--name`, which means the default, or `--name=value`.
        case optionalValue(String, default: String)
        /// A way to make dictionaries, with or without numbers: `--name`, or `--name=numbers`.
        case trainer(String)
        case ignored
        /// Ignored with a warning, for something else would be done by zstd.
        case missing(String)
        /// Ignored with its value.
        case ignoredValue
        /// Ignored with its value, a number of bytes.
        case ignoredSize
    }

    private static let onlyTerminals = "only a real terminal counts as one"

    /// But for those of verbs.
    private static let longForms: [String: Form] = [
        "uncompress": .flag("decompress"), "json": .flag("json"), "train-cover": .trainer("cover"),
        "train-fastcover": .trainer("fastcover"), "train-legacy": .trainer("legacy"),
        "trainer": .value("trainer"), "last-level": .value("last-level"), "seconds": .value("seconds"),
        "separately": .flag("separately"), "compressibility": .value("compressibility"),
        "maxdict": .size("maxdict"), "dictID": .value("dictID"),
        "dictionary": .path("dictionary"), "patch-from": .path("patch-from"), "patch-apply": .path("patch-apply"),
        "ultra": .flag("ultra"), "fast": .optionalValue("level=-", default: "1"),
        "long": .optionalValue("long=", default: "27"),
        "output": .path("output"), "stdout": .flag("stdout"), "force": .flag("force"), "keep": .flag("keep"),
        "pass-through": .flag("pass-through"), "no-pass-through": .flag("no-pass-through"),
        "rm": .flag("rm"),
        "recursive": .flag("recursive"), "filelist": .path("filelist"),
        "exclude-compressed": .flag("exclude-compressed"),
        "output-dir-flat": .path("output-dir-flat"), "output-dir-mirror": .path("output-dir-mirror"),
        "sparse": .flag("sparse"), "no-sparse": .flag("no-sparse"), "sync": .flag("sync"), "no-sync": .flag("no-sync"),
        "stream-size": .size("stream-size"), "size": .size("stream-size"), "size-hint": .ignoredSize,
        "offset": .size("offset"), "length": .size("length"), "tail": .size("tail"), "range": .value("range"),
        "index": .path("index"), "recover": .optionalValue("recover=", default: "zeros"),
        "against": .path("against"), "verify": .optionalValue("verify=", default: "frames"),
        "part": .value("part"), "align": .size("align"), "part-stats": .path("part-stats"),
        "resume": .flag("resume"), "on-full": .value("on-full"),
        "level": .value("level"), "format": .value("format"),
        "threads": .number("threads"), "single-thread": .flag("single-thread"),
        "memory": .size("memory"), "memlimit": .size("memory"), "memlimit-decompress": .size("memory"),
        "frame-size": .size("frame-size"), "jobsize": .size("frame-size"), "split": .size("frame-size"),
        "block-size": .size("frame-size"), "zstd": .value("zstd"), "max": .flag("max"),
        "rsyncable": .flag("rsyncable"), "adapt": .optionalValue("adapt=", default: "free"),
        "show-default-cparams": .flag("show-default-cparams"), "hash": .optionalValue("hash=", default: "sha256"),
        "target-compressed-block-size": .size("target-compressed-block-size"),
        "row-match-finder": .flag("row-match-finder"), "no-row-match-finder": .flag("no-row-match-finder"),
        "compress-literals": .flag("compress-literals"), "no-compress-literals": .flag("no-compress-literals"),
        "single-frame": .flag("single-frame"),
        "no-single-frame": .flag("no-single-frame"),
        "flush-interval": .value("flush-interval"),
        "check": .flag("check"), "no-check": .flag("no-check"), "content-size": .flag("content-size"),
        "no-content-size": .flag("no-content-size"), "no-dictID": .flag("no-dictID"),
        "quiet": .flag("quiet"), "verbose": .flag("verbose"),
        "progress": .optionalValue("progress=", default: "bar"), "no-progress": .flag("progress=none"),
        "stats": .optionalValue("stats=", default: "text"), "stats-file": .path("stats-file"),
        "trace": .path("trace"), "report": .path("report"),
        "interval": .value("interval"), "name": .value("name"),
        "limit-rate": .size("limit-rate"), "read": .value("read"), "buffer": .size("buffer"),
        "single-core-decoding": .flag("single-core-decoding"),
        "buffer-start": .value("buffer-start"), "sandbox": .flag("sandbox"), "no-sandbox": .flag("no-sandbox"),
        "help": .flag("help"), "usage": .flag("usage"), "version": .flag("version"),
        // What the parser answers by itself, for scripts/install.
        "generate-completion-script": .value("generate-completion-script"),
        "experimental-dump-help": .flag("experimental-dump-help"),
        // What zstd knows and does not need here: reading and writing are always asynchronous, names are never stored.
        "asyncio": .ignored, "no-asyncio": .ignored, "auto-threads": .ignoredValue, "no-name": .ignored,
        // Dictionaries are read, whatever the words.
        "mmap-dict": .ignored, "no-mmap-dict": .ignored,
        // Of the benchmark of zstd.
        "priority": .ignoredValue,
        // What zstd has for its own tests.
        "trace-file-stat": .missing("--trace=FILE shows every stage of a run"),
        "fake-stdin-is-console": .missing(onlyTerminals), "fake-stdout-is-console": .missing(onlyTerminals),
        "fake-stderr-is-console": .missing(onlyTerminals),
    ]

    /// But for those of verbs.
    private static let shortFlags: [UInt8: String] = [
        UInt8(ascii: "c"): "stdout", UInt8(ascii: "f"): "force", UInt8(ascii: "k"): "keep", UInt8(ascii: "q"): "quiet",
        UInt8(ascii: "v"): "verbose", UInt8(ascii: "h"): "usage", UInt8(ascii: "H"): "help",
        UInt8(ascii: "V"): "version", UInt8(ascii: "C"): "check", UInt8(ascii: "S"): "separately",
        UInt8(ascii: "r"): "recursive",
    ]

    private static let shortValues: [UInt8: (option: String, kind: String, example: String)] = [
        UInt8(ascii: "T"): ("threads", "a number of threads", "4"),
        UInt8(ascii: "M"): ("memory", "a number of bytes", "512M"),
        UInt8(ascii: "B"): ("frame-size", "a number of bytes", "8M"),
        UInt8(ascii: "e"): ("last-level", "a level", "19"), UInt8(ascii: "i"): ("seconds", "a number of seconds", "3"),
        UInt8(ascii: "P"): ("compressibility", "a number of percent", "50"),
        UInt8(ascii: "s"): ("selectivity", "a selectivity for --train-legacy", "9"),
    ]

    /// Those of `shortValues` that are numbers of bytes: here they bound the run and its frames, beyond zstd's 32 bits.
    private static let sizes: Set = [UInt8(ascii: "M"), UInt8(ascii: "B")]

    /// Those that make an answer of the whole run.
    private static let answered: Set = ["--usage", "--version"]

    /// The options that may be meant by a word that is none.
    static var names: [String] { (longForms.keys + Mode.allCases.map(\.description)).sorted() }

    /// - Parameter words: the words after the command's own name.
    init(_ words: [[UInt8]]) throws(UsageError) {
        var words = words[...]
        var optionsHaveEnded = false
        while let word = words.popFirst() {
            if word.isEmpty { throw UsageError("an empty file name") }
            if optionsHaveEnded || word == [UInt8(ascii: "-")] || word[0] != UInt8(ascii: "-") {
                operands.append(FilePath(word: word))
            } else if word == Array("--".utf8) {
                optionsHaveEnded = true
            } else if word.starts(with: "--".utf8) {
                try rewriteLong(word, &words)
            } else {
                try rewriteShort(word, &words)
            }
            // It is answered without a look at what comes after it.
            if options.last.map(Self.answered.contains) ?? false { break }
        }
        // As with zstd, the last of -c and -o says where the output goes.
        let isOutput = { (option: String) in option == "--stdout" || option.hasPrefix("--output=") }
        let last = options.lastIndex(where: isOutput)
        options = options.indices.filter { !isOutput(options[$0]) || $0 == last }.map { options[$0] }
        rewriteSingleThread()
        rewriteJoin()
    }

    /// What is decompressed is joined otherwise than what is compressed.
    private mutating func rewriteJoin() {
        guard options.contains("--join"), options.contains("--decompress") else { return }
        options = options.filter { $0 != "--decompress" }.map { $0 == "--join" ? "--join-content" : $0 }
    }

    /// It is one thread, but where zstd refuses it, for there are no workers then: `-T1` has one.
    private mutating func rewriteSingleThread() {
        let last = options.last { $0 == "--single-thread" || $0.hasPrefix("--threads=") }
        options = options.map { $0 == "--single-thread" ? "--threads=1" : $0 }
        let needsWorkers = options.contains { $0 == "--rsyncable" || $0.hasPrefix("--adapt=") }
        if last == "--single-thread", needsWorkers { options.append("--single-thread") }
    }

    private mutating func rewriteLong(_ word: [UInt8], _ words: inout ArraySlice<[UInt8]>) throws(UsageError) {
        let parts = word.dropFirst(2).split(
            separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(decoding: parts[0], as: UTF8.self)
        let value = parts.count > 1 ? Array(parts[1]) : nil
        switch Self.longForms[name] ?? Mode.named(name).map({ .flag($0.description) }) {
        case .flag(let option):
            if value != nil { throw UsageError("--\(name) takes no value") }
            options.append("--" + option)
        case .value(let option):
            options.append("--\(option)=" + Self.text(try Self.value(value, of: name, &words)))
        case .size(let option):
            let number = Self.text(try Self.value(value, of: name, &words))
            try Self.refuseUnit(apartFrom: number, of: "--" + name, words)
            options.append("--\(option)=" + number)
        case .number(let option):
            let number = Self.text(try Self.value(value, of: name, &words))
            options.append("--\(option)=" + (try Self.number(number, of: "--" + name)))
        case .path(let option):
            try append(path: Self.value(value, of: name, &words), for: option)
        case .optionalValue(let option, let standard) where name == "fast":
            let number = try Self.number(value.map(Self.text) ?? standard, of: "--fast")
            guard let number = UInt32(number), number > 0 else { throw UsageError("--fast takes a number from 1 on") }
            options.append("--\(option)\(number)")
        case .optionalValue(let option, let standard) where name == "long" && value.map(Self.text) == "0":
            options.append("--\(option)" + standard)
        case .optionalValue where name == "adapt" && value?.contains(UInt8(ascii: "=")) == false:
            throw UsageError(Settings.adaptSentence)
        case .optionalValue(let option, let standard):
            if value == nil { try Self.refuseValue(apartFrom: name, words) }
            options.append("--\(option)" + (value.map(Self.text) ?? standard))
        case .trainer(let name):
            // The last one holds, of -s and the number of the trainer that has it.
            if name == "legacy", value != nil { options.removeAll { $0.hasPrefix("--selectivity=") } }
            options += ["--train", "--trainer=" + name + (value.map { "=" + Self.text($0) } ?? "")]
        case .ignored:
            if value != nil { throw UsageError("--\(name) takes no value") }
        case .missing(let reason):
            if value != nil { throw UsageError("--\(name) takes no value") }
            warnings.append("--\(name) is ignored: \(reason)")
        case .ignoredValue:
            let value = try Self.value(value, of: name, &words)
            if name == "priority", value != Array("rt".utf8) { throw UsageError("--priority takes rt only") }
        case .ignoredSize:
            _ = try Settings.bytes(Self.text(try Self.value(value, of: name, &words)), for: "--" + name)
        case nil:
            throw Self.unknown("--" + name)
        }
    }

    /// Letters may stand together; digits are a level, and what follows T, M or B is a number.
    private mutating func rewriteShort(_ word: [UInt8], _ words: inout ArraySlice<[UInt8]>) throws(UsageError) {
        var letters = word.dropFirst()
        while let letter = letters.first {
            if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(letter) {
                // Digits only: in -19T0 the T is an option.
                let level = Self.text(Self.takeDigits(&letters))
                options.append("--level=" + (try Self.number(level, of: "-" + level)))
                continue
            }
            letters.removeFirst()
            if let flag = Self.shortFlags[letter] ?? Mode.lettered(letter)?.description {
                // As with zstd, -d leaves the benchmark what it is, but for compression.
                let isBenchmark = flag == "decompress" && options.contains("--benchmark")
                options.append(isBenchmark ? "--only-decompression" : "--" + flag)
                if Self.answered.contains("--" + flag) { return }
            } else if let (option, kind, example) = Self.shortValues[letter] {
                let name = "-" + Self.text([letter])
                let number = Self.takeNumber(&letters)
                if number.isEmpty {
                    let fault = letters.isEmpty ? "without a space" : "not \(FilePath(word: Array(letters)).printable)"
                    throw UsageError("\(name) takes \(kind), such as \(name)\(example), \(fault)")
                }
                if letters.isEmpty, letter != UInt8(ascii: "T") {
                    try Self.refuseUnit(apartFrom: number, of: name, words)
                }
                options.append(
                    "--\(option)=" + (Self.sizes.contains(letter) ? number : try Self.number(number, of: name)))
            } else if letter == UInt8(ascii: "o") {
                try append(path: Self.next(after: "-o", &words), for: "output")
            } else if letter == UInt8(ascii: "D") {
                try append(path: Self.next(after: "-D", &words), for: "dictionary")
            } else if letter != UInt8(ascii: "n") {
                throw Self.unknown("-" + Self.text([letter]))
            }
        }
    }

    /// Values that stand alone where an option means something without one, and would be taken for files.
    private static func refuseValue(apartFrom name: String, _ words: ArraySlice<[UInt8]>) throws(UsageError) {
        let values =
            switch name {
            case "stats": StatisticsStyle.allCases.map(\.rawValue)
            case "progress": ProgressStyle.allCases.map(\.rawValue)
            case "hash": HashFunction.names
            case "recover": LossFilling.allCases.map(\.rawValue)
            case "verify": Verified.allCases.map(\.rawValue)
            default: [String]()
            }
        guard let next = words.first.map(text), values.contains(next) else { return }
        throw UsageError(
            "--\(name) and its value are one word, --\(name)=\(next)", hint: "./\(next) is a file of that name")
    }

    private mutating func append(path: [UInt8], for option: String) throws(UsageError) {
        if path.isEmpty { throw UsageError("an empty file name") }
        options.append("--\(option)=\(paths.count)")
        paths.append(FilePath(word: path))
    }

    private static func value(
        _ value: [UInt8]?, of name: String, _ words: inout ArraySlice<[UInt8]>
    ) throws(UsageError) -> [UInt8] {
        if let value { return value }
        return try next(after: "--" + name, &words)
    }

    private static func next(
        after option: String, _ words: inout ArraySlice<[UInt8]>
    ) throws(UsageError) -> [UInt8] {
        guard let word = words.popFirst() else { throw UsageError("\(option) needs a value") }
        return word
    }

    /// In `--limit-rate 10 M` the M would be a file, and the rate ten bytes a second.
    private static func refuseUnit(
        apartFrom number: String, of option: String, _ words: ArraySlice<[UInt8]>
    ) throws(UsageError) {
        guard UInt64(number) != nil, let unit = words.first.map(text), ByteCount.isUnit(unit) else { return }
        throw UsageError(
            "\(option) \(number) \(unit): a number and its unit are one word, \(number)\(unit)",
            hint: "./\(unit) is a file of that name")
    }

    /// A number that fits 32 bits, without its suffix: the parser knows no suffixes. What is no number is left to
    /// whoever gives it a meaning.
    private static func number(_ word: String, of name: String) throws(UsageError) -> String {
        let isDigits = !word.isEmpty && word.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let number = ByteCount.parse(word) ?? (isDigits ? .max : nil) else { return word }
        guard number <= UInt32.max else { throw UsageError("\(name): the number is over 32 bits") }
        return String(number)
    }

    /// Digits and the letters of a suffix, such as `8MiB`.
    private static func takeNumber(_ letters: inout ArraySlice<UInt8>) -> String {
        var number = takeDigits(&letters)
        for suffix in ["KiB", "MiB", "GiB", "TiB", "KB", "MB", "GB", "TB", "Ki", "Mi", "Gi", "Ti", "K", "M", "G", "T"]
        where letters.starts(with: suffix.utf8) {
            number += letters.prefix(suffix.utf8.count)
            letters = letters.dropFirst(suffix.utf8.count)
            break
        }
        return text(number)
    }

    private static func takeDigits(_ letters: inout ArraySlice<UInt8>) -> [UInt8] {
        let digits = letters.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        letters = letters.dropFirst(digits.count)
        return Array(digits)
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
