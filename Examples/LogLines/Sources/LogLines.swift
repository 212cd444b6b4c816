import Sluice

/// Prints some lines of a compressed log, without decompressing the rest of it.
///
///     LogLines lines 1000 1020 access.log.zst                     the lines 1000 to 1020
///     LogLines from 2026-11-22T10:00 2026-11-22T10:05 log.zst     those of five minutes, of a sorted log
///
/// The first counts lines, for which it has to see all before them, frame by frame. The second bisects: of a log of a
/// terabyte it reads some forty frames.
@main
struct LogLines {
    static func main() throws {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count == 4 else { throw Usage() }
        let log = Log(try CompressedFile(at: words[3]))
        var output = Output()
        switch (words[0], Int(words[1]), Int(words[2])) {
        case ("lines", let first?, let last?): try log.print(lines: first, to: last, &output)
        case ("from", _, _): try log.print(from: Array(words[1].utf8), before: Array(words[2].utf8), &output)
        default: throw Usage()
        }
        try output.flush()
    }
}

/// What is wrong with the command line.
struct Usage: Error, CustomStringConvertible {
    let description = "usage: LogLines lines FIRST LAST FILE, or LogLines from START END FILE"
}

/// Lines of a compressed file, each of which ends in a line feed.
struct Log {
    private let file: CompressedFile

    init(_ file: CompressedFile) {
        self.file = file
    }

    /// Prints lines by their numbers, of which the first is 1.
    func print(lines first: Int, to last: Int, _ output: inout Output) throws {
        var lines = LineReader(file, at: 0)
        var number = 1
        while number <= last, let line = try lines.next() {
            if number >= first { try output.write(line) }
            number += 1
        }
    }

    /// Prints the lines from the first one that is not below `start` to the last one below `end`.
    func print(from start: [UInt8], before end: [UInt8], _ output: inout Output) throws {
        var lines = LineReader(file, at: try offset(ofFirstLineNotBelow: start))
        while let line = try lines.next(), line.lexicographicallyPrecedes(end) { try output.write(line) }
    }

    /// Where the first line begins that is not below the key, in a file whose lines are sorted.
    private func offset(ofFirstLineNotBelow key: [UInt8]) throws -> Int {
        // The lines that begin before the first one are below, those from the second one on are not.
        var (low, high) = (0, file.contentSize)
        while low < high {
            let middle = low + (high - low) / 2
            var lines = try self.lines(from: middle)
            if let line = try lines.next(), line.lexicographicallyPrecedes(key) {
                low = lines.offset
            } else {
                high = middle
            }
        }
        return try lines(from: low).offset
    }

    /// The lines from the first one on that begins at the offset or behind it.
    private func lines(from offset: Int) throws -> LineReader {
        guard offset > 0 else { return LineReader(file, at: 0) }
        var lines = LineReader(file, at: offset - 1)
        _ = try lines.next()
        return lines
    }
}

/// Standard output, many lines at a time.
struct Output {
    private var bytes: [UInt8] = []

    mutating func write(_ line: ArraySlice<UInt8>) throws {
        bytes += line
        if bytes.count > 64 << 10 { try flush() }
    }

    mutating func flush() throws {
        try FileDescriptor.standardOutput.writeAll(bytes)
        bytes = []
    }
}

/// Reads a file forward, line by line.
struct LineReader {
    private static let blockSize = 64 << 10

    private let file: CompressedFile
    /// Where the next line begins.
    private(set) var offset: Int
    private var block: ArraySlice<UInt8> = []

    init(_ file: CompressedFile, at offset: Int) {
        self.file = file
        self.offset = offset
    }

    /// The next line, with its end; nil behind the last one.
    mutating func next() throws -> ArraySlice<UInt8>? {
        while true {
            if let end = block.firstIndex(of: UInt8(ascii: "\n")) { return take(block[...end]) }
            let known = offset + block.count
            let more = try file.read(known..<known + Self.blockSize)
            if more.isEmpty { return block.isEmpty ? nil : take(block) }
            block += more
        }
    }

    private mutating func take(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        block = block[line.endIndex...]
        offset += line.count
        return line
    }
}
