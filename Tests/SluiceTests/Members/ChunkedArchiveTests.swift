import StreamTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Sluice

/// Archives of zstd:chunked, whose headers stand behind them a second time.
@Suite(.timeLimit(.minutes(1)))
struct ChunkedArchiveTests {
    private static let archive: [UInt8] = {
        var sample = TarSample()
        sample.header("folder/", flag: "5")
        sample.file("folder/one", [UInt8](repeating: 1, count: 1000))
        sample.records([("path", String(repeating: "long/", count: 60) + "name"), ("mtime", "1767323045.5")])
        sample.file("short", [UInt8](repeating: 2, count: 512))
        sample.file("empty", [])
        sample.header("soft", flag: "2", link: "folder/one")
        sample.zeros()
        return sample.bytes
    }()

    /// The archive without the content of its files, as tar-split writes it.
    private static func tarSplit() throws -> String {
        var (lines, position) = ([String](), 0)
        func bytes(to end: Int) {
            lines.append(#"{"type":2,"payload":"\#(base64(archive[position..<end]))","position":\#(lines.count)}"#)
            position = end
        }
        for member in try TarSample.members(of: archive) where member.kind.isFile {
            bytes(to: Int(member.data))
            let size = member.contentSize == 0 ? "" : #","size":\#(member.contentSize)"#
            lines.append(#"{"type":1,"name":"a name"\#(size),"payload":null,"position":\#(lines.count)}"#)
            position += Int(member.contentSize)
        }
        bytes(to: archive.count)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func base64(_ bytes: ArraySlice<UInt8>) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        return stride(from: bytes.startIndex, to: bytes.endIndex, by: 3).map { start in
            let group = bytes[start...].prefix(3)
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            return String((0...3).map { $0 <= group.count ? digits[bits >> (18 - 6 * $0) & 63] : "=" })
        }.joined()
    }

    /// Frames of the archive, the table of contents, which is not read, tar-split, and where both are.
    private static func file(_ split: String, content: [UInt8] = archive) throws -> [UInt8] {
        func skippable(_ bytes: [UInt8]) -> [UInt8] {
            [0x50, 0x2A, 0x4D, 0x18] + number(UInt64(bytes.count)).prefix(4) + bytes
        }
        func number(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let compression = Compression(level: 3)
        let split = Array(split.utf8)
        let packed = try compression.compress(split.span.bytes)
        var file = try compression.compress(content.span.bytes) + skippable([1, 2, 3])
        let place = UInt64(file.count + 8)
        file += skippable(packed)
        let numbers = [0, 3, 3, 1, place, UInt64(packed.count), UInt64(split.count)]
        return file + skippable(numbers.flatMap(number) + Array("GNUlInUx".utf8))
    }

    /// The members that a list has, and whether they were found without decoding.
    private static func list(_ file: [UInt8]) throws -> (members: [ArchiveMember], isAtOnce: Bool) {
        let found = Mutex<([ArchiveMember], Bool)>(([], false))
        let listing = ArchiveListing {
            member in
            found.withLock { $0.0.append(member) }
        } didEnd: { outcome in
            found.withLock { $0.1 = (try? outcome.get()) != .survey }
        }
        _ = try Job(listing, threads: 2).output(of: file)
        return found.withLock { $0 }
    }

    @Test func `the list is that of the archive, whose content is not decoded`() async throws {
        try await within {
            // Without a checksum that fits, decoding would fail.
            var file = try Self.file(Self.tarSplit())
            file[20] ^= 0xFF
            let (members, isAtOnce) = try Self.list(file)
            #expect(isAtOnce)
            #expect(members == (try TarSample.members(of: Self.archive)))
        }
    }

    @Test func `where the headers make no sense, everything is decoded`() async throws {
        let split = try Self.tarSplit()
        let wrong = [
            "", "{}", "[" + split, String(split.dropLast(20)), split + "}",
            split.replacing(#""size":1000"#, with: #""size":-1"#),
            split.replacing(#""size":1000"#, with: #""size":5000"#),
            split.replacing(#""type":2"#, with: #""type":3"#),
            split.replacing(#""payload":""#, with: #""payload":"*"#),
        ]
        try await within {
            let members = try TarSample.members(of: Self.archive)
            for split in wrong {
                let listed = try Self.list(Self.file(split))
                #expect(listed == (members, false), "\(split.prefix(40))")
            }
        }
    }

    @Test func `a footer with any byte changed gives the same list`() async throws {
        try await within {
            let (file, members) = (try Self.file(Self.tarSplit()), try TarSample.members(of: Self.archive))
            for place in file.count - 72..<file.count {
                var file = file
                file[place] ^= 0x41
                // The frame's size: then the file ends within a frame, or something follows it.
                guard let listed = try? Self.list(file) else { continue }
                #expect(listed.members == members, "\(place)")
            }
        }
    }
}
