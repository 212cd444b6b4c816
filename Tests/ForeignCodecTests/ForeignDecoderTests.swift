import Glibc
import TestSupport
import Testing

@testable import ForeignCodec

struct ForeignDecoderTests {
    static let read = ForeignFormat.allCases.filter(\.isRead)

    /// The content of members one after another, from parts of this size and through an output of that.
    ///
    /// - Returns: also how many members ended.
    static func decoded(
        _ bytes: [UInt8], _ format: ForeignFormat, part: Int = 1 << 20, output: Int = 1 << 20,
        memoryLimit: UInt64 = 1 << 27
    ) throws -> (content: [UInt8], members: Int) {
        let decoder = try format.makeDecoder(memoryLimit: memoryLimit)
        var (content, members, isWithin) = ([UInt8](), 0, false)
        var memory = [UInt8](repeating: 0, count: output)
        for start in stride(from: 0, to: bytes.count, by: part) {
            let piece = bytes[start..<min(start + part, bytes.count)]
            var rest = piece.span.bytes
            var wasFull = false
            while !rest.isEmpty || wasFull && isWithin {
                if !isWithin { try decoder.begin(at: nil) }
                let (written, hasEnded) = try memory.withUnsafeMutableBytes { memory in
                    var room = memory
                    let hasEnded = try decoder.decode(&rest, into: &room, offset: 5)
                    return (memory.count - room.count, hasEnded)
                }
                content += memory[..<written]
                (isWithin, wasFull) = (!hasEnded, written == output)
                members += hasEnded ? 1 : 0
            }
        }
        return (content, members)
    }

    @Test(arguments: read, [(1, 1 << 20), (1 << 20, 1), (777, 999), (1 << 20, 1 << 20)])
    func `the content does not depend on the parts`(format: ForeignFormat, sizes: (part: Int, output: Int)) throws {
        let content = sample(30_000)
        let bytes = member(content, in: format)
        let (decoded, members) = try Self.decoded(bytes, format, part: sizes.part, output: sizes.output)
        #expect(decoded == content)
        #expect(members == 1)
    }

    @Test(arguments: read)
    func `one decoder decodes member after member`(format: ForeignFormat) throws {
        let contents = [sample(1000), [], sample(70_000, seed: 2), sample(3, seed: 3)]
        let (decoded, members) = try Self.decoded(contents.flatMap { member($0, in: format) }, format)
        #expect(decoded == contents.flatMap(\.self))
        #expect(members == contents.count)
    }

    @Test(arguments: read)
    func `a member that is cut does not end`(format: ForeignFormat) throws {
        let content = sample(500)
        let bytes = member(content, in: format)
        for count in 0..<bytes.count {
            let (decoded, members) = try Self.decoded(Array(bytes[..<count]), format)
            #expect(members == 0)
            #expect(content.starts(with: decoded))
        }
    }

    /// The format lzma has no checksum.
    @Test(arguments: [ForeignFormat.gzip, .xz, .lz4])
    func `a bit that is flipped is an error, or makes no difference`(format: ForeignFormat) throws {
        let content = sample(500)
        let bytes = member(content, in: format)
        var errors = 0
        for position in bytes.indices {
            var damaged = bytes
            damaged[position] ^= 0x10
            do {
                let (decoded, members) = try Self.decoded(damaged, format)
                #expect(members == 0 || decoded == content, "byte \(position)")
            } catch ForeignFailure.corrupt(format, reason: _, offset: 5) {
                errors += 1
            } catch ForeignFailure.unsupported, ForeignFailure.needsMemory {
                errors += 1
            }
        }
        #expect(errors > bytes.count / 2)
    }

    @Test(arguments: [ForeignFormat.xz, .lzma])
    func `more memory than is allowed is refused, and told`(format: ForeignFormat) throws {
        let bytes = member(sample(500), in: format)
        do {
            _ = try Self.decoded(bytes, format, memoryLimit: 100_000)
            Issue.record("a dictionary of 256 KiB fits no 100 KB")
        } catch ForeignFailure.needsMemory(format, let needed, limit: 100_000, offset: 5) {
            #expect(try Self.decoded(bytes, format, memoryLimit: needed).content == sample(500))
        }
    }

    @Test func `bytes that are no member are corrupt`() throws {
        for format in Self.read {
            #expect(throws: ForeignFailure.self) {
                _ = try Self.decoded([UInt8](repeating: 0xA5, count: 100), format)
            }
        }
    }

    @Test func `a format is known by its first bytes, if there are enough of them`() throws {
        for format in Self.read {
            let bytes = member([], in: format)
            #expect(ForeignFormat(magic: bytes) == format)
            #expect(ForeignFormat(magic: bytes.prefix(3)) == nil)
        }
        #expect(ForeignFormat(magic: Array("BZh9".utf8)) == .bzip2)
        #expect(ForeignFormat(magic: try frame([1, 2, 3])) == nil)
        #expect(ForeignFormat(magic: Array("text".utf8)) == nil)
    }

    @Test(arguments: ForeignFormat.allCases.filter { !$0.isRead })
    func `what is not read has no decoder`(format: ForeignFormat) {
        #expect(throws: ForeignFailure.notRead(format)) { _ = try format.makeDecoder(memoryLimit: .max) }
    }

    /// A library that is there and does not do what it should would leave everything to zlib, and nobody would notice.
    @Test(.enabled(if: dlopen("libisal.so.2", RTLD_LAZY) != nil))
    func `ISA-L is used where it is installed`() {
        #expect(IsalLibrary.isUsable)
        #expect(IsalLibrary.version?.hasPrefix("2.") == true)
    }
}
