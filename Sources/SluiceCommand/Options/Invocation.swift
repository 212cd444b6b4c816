import CStart
import Glibc

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

    /// The name without its directory.
    private var lastName: String {
        String(decoding: name.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
    }

    /// The name that begins each message: one of zstd's, as zstd does it, or our own.
    var program: String { followsZstd ? lastName : "sluice" }

    /// The options that the name implies; nil if it is not one of zstd's.
    private var implied: [String]? {
        switch lastName {
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
