package import Archives
package import ByteStreams
import StreamTestSupport

/// Tar archives, a header and a member at a time.
package struct TarSample {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package static let posix = "ustar\u{0}00"
    package static let gnu = "ustar  \u{0}"

    /// Adds a header, with the checksum that it should have.
    package mutating func header(
        _ name: String, flag: Character = "0", size: Int = 0, magic: String = TarSample.posix, link: String = "",
        _ change: (inout [UInt8]) -> Void = { _ in }
    ) {
        var block = [UInt8](repeating: 0, count: 512)
        func put(_ text: some Collection<UInt8>, at place: Int) {
            block.replaceSubrange(place..<place + text.count, with: text)
        }
        put(name.utf8, at: 0)
        put("0000644".utf8, at: 100)
        put("0001750".utf8, at: 108)
        put("0000144".utf8, at: 116)
        put(Self.octal(size).utf8, at: 124)
        put("14371573002".utf8, at: 136)
        put([flag.asciiValue ?? 0], at: 156)
        put(link.utf8, at: 157)
        put(magic.utf8, at: 257)
        put("user".utf8, at: 265)
        put("group".utf8, at: 297)
        change(&block)
        put("        ".utf8, at: 148)
        let sum = block.reduce(0) { $0 + Int($1) }
        put((String(Self.octal(sum).suffix(6)) + "\u{0} ").utf8, at: 148)
        bytes += block
    }

    /// Adds data, and what fills its last block.
    package mutating func data(_ data: some Collection<UInt8>) {
        bytes += data
        bytes += [UInt8](repeating: 0, count: (512 - data.count % 512) % 512)
    }

    package mutating func file(_ name: String, _ content: [UInt8], magic: String = TarSample.posix) {
        header(name, size: content.count, magic: magic)
        data(content)
    }

    /// Adds an extended header of pax.
    package mutating func records(_ records: [(String, String)], flag: Character = "x") {
        let text = records.map { name, value in
            let rest = " \(name)=\(value)\n"
            let digits = String(rest.utf8.count + String(rest.utf8.count + 2).count).count
            return "\(rest.utf8.count + digits)" + rest
        }.joined()
        header("x", flag: flag, size: text.utf8.count)
        data(Array(text.utf8))
    }

    package mutating func zeros(blocks: Int = 2) { bytes += [UInt8](repeating: 0, count: blocks * 512) }

    private static func octal(_ number: Int) -> String {
        let digits = String(number, radix: 8)
        return String(repeating: "0", count: 11 - digits.count) + digits
    }

    /// The members that a scanner finds in the bytes, which come in pieces.
    package static func members(of bytes: [UInt8], pieces: [Int] = [.max], isWhole: Bool = true) throws(Failure)
        -> [ArchiveMember]
    {
        var (scanner, members, position, turn) = (TarScanner(), [ArchiveMember](), 0, 0)
        while position < bytes.count {
            let end = position + min(pieces[turn % pieces.count], bytes.count - position)
            turn += 1
            let piece = bytes[position..<end]
            var rest = piece.span.bytes
            while let member = try scanner.next(in: &rest) { members.append(member) }
            position = end
        }
        if isWhole { try scanner.finish() }
        return members
    }

    /// The index of the bytes' members; it lies about those that are changed.
    package static func index(
        of bytes: [UInt8], _ change: (inout [ArchiveMember]) -> Void = { _ in }
    ) throws(Failure) -> [UInt8] {
        var members = try members(of: bytes)
        change(&members)
        var writer = ArchiveIndexWriter()
        for member in members { try writer.append(member) }
        return try writer.finish(contentSize: UInt64(bytes.count))
    }

    /// An archive of files of these sizes, in a directory.
    package static func files(_ sizes: [Int]) -> TarSample {
        var archive = TarSample()
        archive.header("d/", flag: "5")
        for (number, size) in sizes.enumerated() {
            archive.file("d/\(number)", sample(size, seed: UInt64(number + 1)))
        }
        archive.zeros()
        return archive
    }
}
