import ByteStreams
import Sluice
import StreamTestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// Windows above the limit of 128 MiB, where no limit was chosen.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct LargeWindowBudgetTests {
    /// Frames that say that they have a window of 256 MiB, and whose content comes in segments.
    private static let wide: Result<[UInt8], any Error> = Result {
        var options = CompressionOptions(level: 1, longWindowLog: 28)
        options.hasContentSize = false
        return try Job(SingleFrame(options)).output(of: content)
    }
    private static let content = [UInt8](repeating: 7, count: 40 << 20)

    @Test func `all decodings of a process share a quarter of the memory`() {
        let most: UInt64 = 1 << 30
        let first = LargeWindowBudget { 4 * most }
        #expect(first.reserve(most / 8 * 5))
        #expect(first.reserve(most / 8))
        #expect(!first.reserve(.max) && !first.reserve(most / 2 * 3))
        do {
            let second = LargeWindowBudget { 4 * most }
            #expect(!second.reserve(most / 8 * 5))
            #expect(second.reserve(most / 8))
        }
        #expect(first.reserve(most / 4 * 3))
        #expect(!LargeWindowBudget { .max }.reserve(1 << 32))
    }

    @Test func `a program's runs accept one, and none above a limit that it chose`() async throws {
        let (accepted, refused) = try await within {
            let input = try Self.wide.get()
            return (
                Job(Decompression(), threads: 2).outcomeInMemory(of: input + input),
                Job(Decompression(windowLimit: 1 << 27)).outcomeInMemory(of: input)
            )
        }
        #expect(accepted.failure == nil)
        #expect(accepted.bytes.isSame(as: Self.content + Self.content))
        #expect(refused.failure == .codec(.windowTooLarge(bytes: 1 << 28, limit: 1 << 27, offset: 0)))
    }

    @Test func `ranges and files that are read anywhere accept one`() async throws {
        let (range, bytes) = try await within {
            let (input, scratch) = (try Self.wide.get(), try Scratch())
            let range = ContentRange(.offset(35 << 20), count: 100)
            let outcome = try Job(Extraction([range]), threads: 2).outcome(of: input + input)
            let file = try CompressedFile(at: try scratch.write(input + input, to: "wide.zst"))
            let places = [70 << 20, 5, 79 << 20]
            return (outcome, try places.flatMap { try file.read($0..<$0 + 10) })
        }
        #expect(range.failure == nil)
        #expect(range.bytes == Array(Self.content.prefix(100)))
        #expect(bytes == Array(Self.content.prefix(30)))
    }

    @Test func `from memory to memory it is the same, though that takes no window`() async throws {
        let (content, refused) = try await within {
            let input = try Self.wide.get()
            let refused = #expect(throws: Failure.self) {
                try Decompression(windowLimit: 1 << 27).decompress(input.span.bytes, limit: 64 << 20)
            }
            return (try Decompression().decompress(input.span.bytes, limit: 64 << 20), refused)
        }
        #expect(content.isSame(as: Self.content))
        #expect(refused?.code == .windowTooLarge)
    }
}
