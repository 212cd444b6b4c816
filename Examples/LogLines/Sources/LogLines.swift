import Sluice

/// Prints some lines of a compressed log, without decompressing the rest of it.
///
///     LogLines lines 1000 1020 access.log.zst                     the lines 1000 to 1020
///     LogLines from 2026-11-22T10:00 2026-11-22T10:05 log.zst     those of five minutes, of a sorted log
///
/// The first counts lines, and reads all before them. The second bisects: of a log of a terabyte it reads some forty
/// frames.
@main
struct LogLines {
    static func main() throws {
        let words = CommandLine.arguments
        guard words.count == 5 else { fatalError("usage: LogLines lines FIRST LAST FILE, or from START END FILE") }
        var lines = LineReader(try CompressedFile(at: words[4]))
        if words[1] == "lines", let first = Int(words[2]), let last = Int(words[3]) {
            var number = 1
            while number <= last, let line = try lines.next() {
                if number >= first { try FileDescriptor.standardOutput.writeAll(line) }
                number += 1
            }
        } else {
            try lines.seek(toFirstNotBelow: Array(words[2].utf8))
            while let line = try lines.next(), line.lexicographicallyPrecedes(words[3].utf8) {
                try FileDescriptor.standardOutput.writeAll(line)
            }
        }
    }
}

/// Reads a file forward, line by line, from any place.
struct LineReader {
    private let file: CompressedFile
    /// Where the next line begins.
    private var offset = 0
    /// The content that follows, as far as it was read.
    private var block: ArraySlice<UInt8> = []

    init(_ file: CompressedFile) { self.file = file }

    /// The next line, with its line feed; nil behind the last one.
    mutating func next() throws -> ArraySlice<UInt8>? {
        while true {
            if let end = block.firstIndex(of: UInt8(ascii: "\n")) { return take(block[...end]) }
            let known = offset + block.count
            let more = try file.read(known..<known + 64 << 10)
            if more.isEmpty { return block.isEmpty ? nil : take(block) }
            block += more
        }
    }

    private mutating func take(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        block = block[line.endIndex...]
        offset += line.count
        return line
    }

    /// Goes to the first line that is not below a key, in a file whose lines are sorted.
    mutating func seek(toFirstNotBelow key: [UInt8]) throws {
        // The lines that begin before the first one are below, those from the second one on are not.
        var (low, high) = (0, file.contentSize)
        while low < high {
            let middle = low + (high - low) / 2
            try seek(toLineFrom: middle)
            if let line = try next(), line.lexicographicallyPrecedes(key) { low = offset } else { high = middle }
        }
        try seek(toLineFrom: low)
    }

    /// Goes to the first line that begins at a byte of the content or behind it.
    private mutating func seek(toLineFrom byte: Int) throws {
        (offset, block) = (max(0, byte - 1), [])
        if byte > 0 { _ = try next() }
    }
}
