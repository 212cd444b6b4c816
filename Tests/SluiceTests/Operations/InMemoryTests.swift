import FoundationEssentials
import StreamTestSupport
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// Content that is compressed and decompressed in memory of the caller.
@Suite(.timeLimit(.minutes(4)))
struct InMemoryTests {
    static let content = sample(300_000)
    static let compression = Compression(level: 1)

    @Test(arguments: [0, 1, 65_536, 300_000]) func `content becomes one frame, and that the content`(count: Int) throws
    {
        let content = Array(Self.content.prefix(count))
        let packed = try Self.compression.compress(content.span.bytes)
        #expect(packed == (try frame(content)))
        #expect(packed.count <= Compression.bound(of: count))
        #expect(try Decompression().bound(of: packed.span.bytes) == count)
        #expect(try Decompression().decompress(packed.span.bytes, limit: count) == content)
    }

    @Test func `memory of the caller is appended to`() throws {
        let packed = try [UInt8](capacity: 400_000) { output throws(Failure) in
            output.append(7)
            try Self.compression.compress(Self.content.span.bytes, into: &output)
        }
        #expect(packed.first == 7)
        let back = try [UInt8](capacity: 300_001) { output throws(Failure) in
            output.append(8)
            try Decompression().decompress(packed.span.bytes.extracting(1...), into: &output)
        }
        #expect(back == [8] + Self.content)
    }

    @Test func `raw memory is filled where it lies`() throws {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 400_000, alignment: 16)
        defer { room.deallocate() }
        let data = Data(Self.content)
        var frame = OutputRawSpan(buffer: room, initializedCount: 0)
        try Self.compression.compress(data.bytes, into: &frame)
        let count = frame.finalize(for: room)
        #expect(Data(room[..<count]) == Data(try Self.compression.compress(data.bytes)))
    }

    @Test func `what has no room is too large, and leaves the memory as it was`() throws {
        let content = Self.content.span.bytes
        let packed = try Self.compression.compress(content)
        let codes = [Compression.bound(of: content.byteCount), packed.count - 1, 10, 0].map { room in
            var code: Failure.Code?
            let output = [UInt8](capacity: room) { output in
                do throws(Failure) { try Self.compression.compress(content, into: &output) } catch { code = error.code }
            }
            return (code, output.count)
        }
        #expect(codes[0].0 == nil && codes[0].1 == packed.count)
        for code in codes[1...] { #expect(code.0 == .tooLarge && code.1 == 0) }
        for limit in [-1, 0, 299_999] {
            let failure = #expect(throws: Failure.self) {
                try Decompression().decompress(packed.span.bytes, limit: limit)
            }
            #expect(failure?.code == .tooLarge)
        }
    }

    @Test func `a frame that does not give its size is as large as it is`() throws {
        var options = CompressionOptions(level: 1)
        options.hasContentSize = false
        let packed = try Compression(options).compress(Self.content.span.bytes)
        #expect(try Decompression().bound(of: packed.span.bytes) >= Self.content.count)
        #expect(try Decompression().decompress(packed.span.bytes, limit: 300_000) == Self.content)
        let failure = #expect(throws: Failure.self) {
            try Decompression().decompress(packed.span.bytes, limit: 299_999)
        }
        #expect(failure?.code == .tooLarge)
    }

    @Test func `what is no frame, cut, or damaged has a code for that`() throws {
        let packed = try Self.compression.compress(Self.content.span.bytes)
        var damaged = packed
        damaged[damaged.count - 1] ^= 1
        let cases: [([UInt8], Failure.Code)] = [
            ([], .truncated), (Array(packed.dropLast()), .truncated), (damaged, .corrupt),
            (Array("no frame".utf8), .unsupportedFormat), (packed + [1, 2, 3, 4, 5], .corrupt),
        ]
        for (bytes, code) in cases {
            let failure = #expect(throws: Failure.self) {
                try Decompression().decompress(bytes.span.bytes, limit: 1 << 20)
            }
            #expect(failure?.code == code)
        }
        // The context is as good as before.
        let decompression = Decompression()
        _ = try? decompression.decompress(damaged.span.bytes, limit: 1 << 20)
        #expect(try decompression.decompress(packed.span.bytes, limit: 1 << 20) == Self.content)
    }

    @Test func `a window over the limit is refused`() throws {
        let packed = try Self.compression.compress(Self.content.span.bytes)
        let failure = #expect(throws: Failure.self) {
            try Decompression(windowLimit: 1 << 16).decompress(packed.span.bytes, limit: 1 << 20)
        }
        #expect(failure?.code == .windowTooLarge)
    }

    @Test func `dictionaries and verification count in memory too`() throws {
        let dictionary = DictionaryRunTests.dictionary
        let options = CompressionOptions(level: 3)
        let digest = try DecompressionDictionary(dictionary.span.bytes)
        var compression = Compression(
            options, dictionary: try CompressionDictionary(dictionary.span.bytes, for: options))
        compression.verification = Verification(dictionary: digest)
        let content = Array(dictionary.suffix(1000))
        let packed = try compression.compress(content.span.bytes)
        #expect(packed.count < 100)
        #expect(try Decompression(dictionary: digest).decompress(packed.span.bytes, limit: 1000) == content)
        compression.verification = Verification()
        let failure = #expect(throws: Failure.self) { try compression.compress(content.span.bytes) }
        #expect(failure?.code == .verification)
    }

    @Test func `options that are changed count from then on`() throws {
        var compression = Compression(level: 1)
        let fast = try compression.compress(Self.content.span.bytes)
        compression.options.level = 19
        let small = try compression.compress(Self.content.span.bytes)
        #expect(small != fast)
        compression.options.level = 99
        let failure = #expect(throws: Failure.self) { try compression.compress(Self.content.span.bytes) }
        #expect(failure?.code == .invalidOption)
    }

    @Test func `one value serves many threads`() async throws {
        let (compression, decompression) = (Compression(level: 1), Decompression())
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let content = sample(10_000, seed: UInt64(number))
                    let packed = try compression.compress(content.span.bytes)
                    return try decompression.decompress(packed.span.bytes, limit: 10_000) == content
                }
            }
            for try await isSame in group { #expect(isSame) }
        }
    }
}
