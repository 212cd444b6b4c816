import Sluice
import SystemPackage

/// Which part of the content is decompressed.
extension Settings {
    mutating func take(
        _ options: RangeOptions, _ paths: [FilePath], _ operands: [FilePath]
    ) throws(UsageError) {
        guard options.areGiven else { return }
        let name = options.firstName
        if verb is DecompressPart { throw UsageError("--part and \(name) say which part in two ways") }
        guard verb.heeds.contains(.parts) else {
            throw UsageError("\(name) is for a part of what is decompressed", hint: "it goes with -d")
        }
        ranges = try options.ranges()
        if ranges.isEmpty { throw UsageError("--index goes with --offset, --length, --tail or --range") }
        if hashName != nil {
            throw UsageError(
                "\(name) and --hash: the line would name the file, and not its part", hint: "a pipe: | sha256sum")
        }
        if removesSource {
            throw UsageError("\(name) and --rm: the source holds more than the output", hint: "leave --rm out")
        }
        if outputFolder != nil {
            throw UsageError("\(name): a part is no file to be named after its source", hint: "-o FILE takes it")
        }
        if isRecursive || operands.count > 1 {
            throw UsageError("\(name) takes one file", hint: "a loop does it with each")
        }
        indexFile = options.index.map { paths[$0] }
        if indexFile != nil, operands == [Operand.standardInput] {
            throw UsageError("--index takes a file that is named, and not standard input")
        }
        // A part of a file is not what its name stands for.
        if self.output == .derived { self.output = .standardOutput }
    }
}

extension RangeOptions {
    /// The first that was given, for a sentence.
    fileprivate var firstName: String {
        offset != nil
            ? "--offset" : length != nil ? "--length" : tail != nil ? "--tail" : range.isEmpty ? "--index" : "--range"
    }

    /// - Throws: what is no range, or said in two ways.
    fileprivate func ranges() throws(UsageError) -> [ContentRange] {
        let ways = [
            (offset != nil || length != nil, offset != nil ? "--offset" : "--length"), (tail != nil, "--tail"),
            (!range.isEmpty, "--range"),
        ].filter(\.0).map(\.1)
        if ways.count > 1 {
            throw UsageError(
                "\(ways[0]) and \(ways[1]) say which part in two ways", hint: "--range takes several parts")
        }
        if let tail { return [.last(try Self.bytes(tail, "--tail"))] }
        if offset != nil || length != nil {
            let count = try length.map { length throws(UsageError) in try Self.bytes(length, "--length") }
            return [ContentRange(try start(), count: count)]
        }
        var ranges: [ContentRange] = []
        for word in range.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
            ranges.append(try Self.range(String(word)))
        }
        return ranges
    }

    private func start() throws(UsageError) -> ContentRange.Start {
        guard let offset else { return .offset(0) }
        return offset.first == "-"
            ? .beforeEnd(try Self.bytes(String(offset.dropFirst()), "--offset"))
            : .offset(try Self.bytes(offset, "--offset"))
    }

    /// Numbers of bytes, whose end is included: `A-B`, `A-` and `-N`.
    private static func range(_ word: String) throws(UsageError) -> ContentRange {
        let ends = word.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard ends.count == 2, ends != ["", ""] else {
            throw mistake("--range", "bytes such as 0-99, 100- or -100", word)
        }
        if ends[0].isEmpty { return .last(try bytes(ends[1], "--range")) }
        let first = try bytes(ends[0], "--range")
        if ends[1].isEmpty { return ContentRange(.offset(first)) }
        let last = try bytes(ends[1], "--range")
        guard first <= last, last < .max else { throw UsageError("--range \(word) ends before it begins") }
        return ContentRange(.offset(first), count: last - first + 1)
    }

    private static func bytes(_ word: String, _ option: String) throws(UsageError) -> UInt64 {
        guard let bytes = ByteCount.parse(word) else { throw mistake(option, "a number of bytes, such as 8M", word) }
        return bytes
    }

    private static func mistake(_ option: String, _ wanted: String, _ word: String) -> UsageError {
        UsageError("\(option) takes \(wanted), not \(FilePath(word).printable)")
    }
}
