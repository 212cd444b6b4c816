/// Four lines of text that tell a `SharedFile` from all others.
struct SharedFileLabel: Equatable {
    /// A label, and a mark that begins with one, is smaller, in bytes.
    static let largest = 1 << 10
    private static let version = "sluice parts 1"

    /// The source of the content, in one line.
    let source: String
    /// The number of parts.
    let count: Int
    /// Random, so that marks of an earlier file of the same parts don't count.
    private let run: String

    /// Labels a new file.
    ///
    /// - Throws: an error if the kernel has no random bits.
    init(source: String, count: Int) throws(Errno) {
        do throws(Errno) { run = String(try randomBits(), radix: 16) } catch { throw .ioError }
        (self.source, self.count) = (source, count)
    }

    /// Nil for text that is no label, or truncated.
    init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 5, lines[0] == Self.version, lines[4].isEmpty, let count = Int(lines[2]), count > 0,
            count <= ContentShare.mostParts
        else { return nil }
        (source, self.count, run) = (lines[1], count, lines[3])
    }

    var text: String { "\(Self.version)\n\(source)\n\(count)\n\(run)\n" }
}
