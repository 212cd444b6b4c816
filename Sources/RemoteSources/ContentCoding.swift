/// What `Content-Encoding` says of a stored file, if it is a coding at all.
///
/// Requests ask for no coding. Nevertheless many servers label the files that they keep: Apache's `AddEncoding` a
/// `.tar.gz` as `x-gzip`, uploads to object stores as `aws-chunked`. So a coding that the stored bytes have anyway is
/// about the file, which is read as it comes, as curl and wget do. Any other one would give other bytes than those of
/// the file.
struct ContentCoding: Equatable, Sendable {
    /// In a word that can be shown.
    let word: String
    private let format: Format?

    /// What bytes in a coding begin with, and which suffixes the names of such files have.
    private struct Format: Equatable, Sendable {
        let names: [String]
        let starts: [[UInt8]]
        let suffixes: [String]
    }

    /// How many bytes of a file show which coding they have.
    static let startSize = 6

    private static let formats = [
        Format(names: ["gzip", "x-gzip"], starts: [[0x1F, 0x8B]], suffixes: ["gz", "tgz", "taz"]),
        Format(
            names: ["zstd", "x-zstd"],
            starts: [[0x28, 0xB5, 0x2F, 0xFD]] + (0x50...0x5F).map { [$0, 0x2A, 0x4D, 0x18] },
            suffixes: ["zst", "tzst"]),
        Format(names: ["xz", "x-xz"], starts: [[0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]], suffixes: ["xz", "txz"]),
        Format(names: ["bzip2", "x-bzip2"], starts: [Array("BZh".utf8)], suffixes: ["bz2", "tbz2", "tbz"]),
        Format(names: ["lz4"], starts: [[0x04, 0x22, 0x4D, 0x18]], suffixes: ["lz4"]),
        Format(names: ["lzma", "x-lzma"], starts: [[0x5D, 0x00, 0x00]], suffixes: ["lzma", "tlz"]),
        Format(names: ["compress", "x-compress"], starts: [[0x1F, 0x9D]], suffixes: ["z"]),
        Format(names: ["br"], starts: [], suffixes: ["br"]),
    ]

    /// Words that name no coding. `aws-chunked` was that of an upload.
    private static let noCodings: Set<String> = ["", "identity", "none", "binary", "8bit", "7bit", "aws-chunked"]
    /// How the names of character sets begin, which some servers send here.
    private static let characterSets = [
        "utf", "us-ascii", "ascii", "iso-", "iso8859", "latin", "windows-", "cp125", "koi8", "gb2312", "gbk", "gb18030",
        "big5", "shift_jis", "shift-jis", "sjis", "euc-",
    ]

    /// Nil if the value of the header names no coding.
    ///
    /// - Parameter show: the value as a word that can be shown; nil if it can't be.
    init?(_ value: String, show: (String) -> String?) {
        let names = value.lowercased().split(separator: ",").map { name in
            name.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
        }
        let codings = names.filter { name in
            !Self.noCodings.contains(name) && !Self.characterSets.contains { name.hasPrefix($0) }
        }
        // The last one was applied last.
        guard let last = codings.last else { return nil }
        word = show(last) ?? "something else"
        format = Self.formats.first { $0.names.contains(last) }
    }

    /// Whether the name of a file says that its bytes are in this coding.
    func isOfFile(named path: String) -> Bool {
        guard let format else { return false }
        let name = path.lowercased()
        return format.suffixes.contains { name.hasSuffix(".\($0)") }
    }

    /// Whether a file with these first bytes is in this coding.
    func isOfFile(startingWith bytes: some Collection<UInt8>) -> Bool {
        format?.starts.contains { bytes.starts(with: $0) } ?? false
    }
}
