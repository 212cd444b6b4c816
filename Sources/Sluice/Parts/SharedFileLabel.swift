internal import CKernel
internal import SystemPackage
internal import ZstdCodec

/// What a `SharedFile` is made of, and which of all files that were made so: four lines of text.
struct SharedFileLabel: Equatable {
    /// A label, or a mark that begins with one, has less, in bytes.
    static let largest = 1 << 10
    private static let version = "sluice parts 1"

    /// What the content is made from, in one line.
    let source: String
    /// How many parts there are.
    let count: Int
    /// By chance: a file that is begun anew has another one, so that no mark of the one before counts.
    private let run: String

    /// Of a file that is begun.
    ///
    /// - Throws: that there is no chance to be had.
    init(source: String, count: Int) throws(Errno) {
        var random: UInt64 = 0
        guard sluice_random(&random, MemoryLayout.size(ofValue: random)) else { throw .ioError }
        (self.source, self.count, run) = (source, count, String(random, radix: 16))
    }

    /// Nil for what is none, or not whole.
    init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 5, lines[0] == Self.version, lines[4].isEmpty, let count = Int(lines[2]), count > 0,
            count <= ContentShare.mostParts
        else { return nil }
        (source, self.count, run) = (lines[1], count, lines[3])
    }

    var text: String { "\(Self.version)\n\(source)\n\(count)\n\(run)\n" }
}
