import ByteStreams
import Dispatch
import ForeignCodec
import Glibc
import StreamTestSupport
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

@Suite(.timeLimit(.minutes(3)))
struct ForeignCutterTests {
    /// How a foreign input is made, small, but of several chunks.
    enum Made: CaseIterable {
        case members, blocks, unsizedBlocks, streams
        /// Streams of xz with little or no content, whose blocks say their sizes or not.
        case smallStreams, unsizedSmallStreams

        /// Every position of blocks is tried; of the others, some.
        var stride: Int { (self == .blocks ? 1 : 7) * (isLong ? 1 : 3) }

        /// Zeros make blocks that are large enough for a chunk small enough to try every byte.
        var content: [UInt8] {
            switch self {
            case .members: sample(400)
            case .blocks, .unsizedBlocks, .streams: [UInt8](repeating: 0, count: (2 << 20) + 5)
            case .smallStreams, .unsizedSmallStreams: (0..<12).flatMap { sample($0 * 5, seed: UInt64($0)) }
            }
        }

        var input: [UInt8] {
            switch self {
            case .members: sizedMembers(content, of: 10)
            case .blocks: xzBlocks(content, of: 1 << 20)
            case .unsizedBlocks: xzBlocks(content, of: 1 << 20, saysSizes: false)
            case .streams:
                xzBlocks(Array(content.prefix(1 << 20)), of: 1 << 20) + [0, 0, 0, 0]
                    + xzBlocks(Array(content.dropFirst(1 << 20)), of: 1 << 20)
            case .smallStreams, .unsizedSmallStreams:
                (0..<12).flatMap { number in
                    let content = sample(number * 5, seed: UInt64(number))
                    let padding = [UInt8](repeating: 0, count: number % 3 * 4)
                    return xzBlocks(content, of: 20, saysSizes: self == .smallStreams) + padding
                }
            }
        }
    }

    /// Expects that several workers make of an input's members what one worker makes of the input, which is not cut.
    private static func expectSame(_ input: [UInt8], _ words: String) {
        let one = Job.decompress(threads: 1).outcomeInMemory(of: input)
        let several = Job.decompress(threads: 3).outcomeInMemory(of: input)
        #expect(several.failure == one.failure, "\(words)")
        #expect(several.bytes.isSame(as: one.bytes), "\(words): \(several.bytes.count), not \(one.bytes.count)")
    }

    /// What claims sizes in its headers, and has zeros between them.
    enum Claimant: CaseIterable {
        case blocksOfXz, membersOfGzip, framesOfZstd

        /// Headers, and where they are in the file.
        func headers(_ random: inout SeededNumbers) -> [(offset: UInt64, bytes: [UInt8])] {
            switch self {
            case .blocksOfXz:
                return xzClaims((0..<30).map { _ in (power(of: 16...22, &random), power(of: 0...10, &random)) })
            case .membersOfGzip:
                var end: UInt64 = 0
                return (0..<3000).map { _ in
                    let size = power(of: 5...16, &random)
                    defer { end += size }
                    let fields = bytes(of: size - 1, 2)
                    return (end, [31, 139, 8, 4, 0, 0, 0, 0, 0, 255, 6, 0, 66, 67, 2, 0] + fields)
                }
            case .framesOfZstd: return frames(&random)
            }
        }

        /// Frames of raw blocks and of those that repeat a byte.
        private func frames(_ random: inout SeededNumbers) -> [(offset: UInt64, bytes: [UInt8])] {
            var (headers, end) = ([(offset: UInt64, bytes: [UInt8])](), UInt64(0))
            for _ in 0..<30 {
                // Content size of 8 bytes, a window, no checksum.
                let header = [0x28, 0xB5, 0x2F, 0xFD, 0xC0, 0x60] + bytes(of: power(of: 0...60, &random), 8)
                headers.append((end, header))
                end += UInt64(header.count)
                let count = Int.random(in: 1...60, using: &random)
                for number in 1...count {
                    let (size, type) = (power(of: 0...17, &random) - 1, UInt64.random(in: 0...1, using: &random))
                    headers.append((end, bytes(of: size << 3 | type << 1 | (number == count ? 1 : 0), 3)))
                    end += 3 + (type == 0 ? size : 1)
                }
            }
            return headers
        }

        private func bytes(of number: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }

        /// A size of any number of bits.
        private func power(of bits: ClosedRange<Int>, _ random: inout SeededNumbers) -> UInt64 {
            let most = UInt64(1) << Int.random(in: bits, using: &random)
            return UInt64.random(in: 1...most, using: &random)
        }

        func firstChunk(_ reader: InputReader, _ room: ChunkCapacity) throws(Failure) -> Chunk? {
            if case .framesOfZstd = self {
                var cutter = FrameCutter(reader, room: room, limits: DecodingLimits(windowSize: 1 << 27))
                return try cutter.next()
            }
            var cutter = ForeignCutter(reader, first: (Bytes(), 0), room: room, workers: 2)
            return try cutter.next()
        }
    }

    @Test(arguments: Claimant.allCases, 1...40)
    func `whatever sizes headers claim, no more is held than half of the slots account for`(
        claimant: Claimant, seed: UInt64
    ) async throws {
        let (read, bound) = try await within {
            var random = SeededNumbers(seed: seed)
            let file = try NamelessFile([])
            for header in claimant.headers(&random) {
                _ = try file.descriptor.writeAll(toAbsoluteOffset: Int64(header.offset), header.bytes)
            }
            try file.descriptor.resize(to: 120 << 20)
            let reader = try InputReader(Source(file.descriptor), latch: FailureLatch(), monitor: nil)
            defer { reader.close() }
            let room = ChunkCapacity(slots: Slots(8), slotSize: 1 << 20, mostHeld: 1 << 20)
            _ = try claimant.firstChunk(reader, room)
            // A slot has two and a half of its sizes for two workers, and a read is a segment.
            return (reader.total, UInt64(4 * (2 << 20 | 1 << 19) + 2 * SegmentCutter.segmentSize))
        }
        #expect(read <= bound)
    }

    @Test(arguments: Made.allCases)
    func `what is cut is the same error as for one worker, behind the same content`(made: Made) async throws {
        try await within {
            let input = made.input
            for count in stride(from: 4, to: input.count, by: made.stride) {
                Self.expectSame(Array(input[..<count]), "\(made) cut at \(count)")
            }
        }
    }

    @Test(arguments: Made.allCases)
    func `a bit that is flipped makes the same difference as for one worker`(made: Made) async throws {
        try await within {
            let input = made.input
            for position in stride(from: 0, to: input.count, by: made.stride) {
                var damaged = input
                damaged[position] ^= position % 2 == 0 ? 0x01 : 0x80
                Self.expectSame(damaged, "\(made) flipped at \(position)")
            }
        }
    }

    @Test(arguments: Made.allCases, [1, 4096, 1 << 20])
    func `it does not matter how the input comes`(made: Made, piece: Int) async throws {
        let outcome = try await within { Job.decompress(threads: 3).outcomeInMemory(of: made.input, piece: piece) }
        #expect(outcome.failure == nil)
        #expect(outcome.bytes.isSame(as: made.content))
    }

    @Test(arguments: Made.allCases, Made.allCases)
    func `any may follow any other, and other formats`(first: Made, second: Made) async throws {
        let outcome = try await within {
            let other = try frame(sample(9)) + member(sample(8), in: .gzip)
            return Job.decompress(threads: 3).outcomeInMemory(of: first.input + second.input + other + first.input)
        }
        #expect(outcome.failure == nil)
        #expect(outcome.bytes.isSame(as: first.content + second.content + sample(9) + sample(8) + first.content))
    }

    @Test(arguments: [[1], [1, 2, 3, 4], [0, 0], [0, 0, 0, 0, 1]] as [[UInt8]], Made.allCases)
    func `bytes after the end are the same error as for one worker`(trailer: [UInt8], made: Made) async throws {
        try await within { Self.expectSame(made.input + trailer, "\(made) with \(trailer)") }
    }

    /// In a damaged block one worker may go on where the index says that it ends.
    @Test(arguments: [0x01, 0x80] as [UInt8], [Made.unsizedBlocks, .unsizedSmallStreams])
    func `cut or damaged, a file with an index fails where it does for one worker, or before`(
        bit: UInt8, made: Made
    ) async throws {
        try await within {
            let input = made.input
            for position in stride(from: 4, to: input.count, by: 13) {
                try Self.expectPrefix(ofOne: Array(input[..<position]), "cut at \(position)")
                var damaged = input
                damaged[position] ^= bit
                try Self.expectPrefix(ofOne: damaged, "flipped at \(position)")
            }
        }
    }

    /// Expects that several workers fail if one does, behind no other content, where they get the input as a file.
    private static func expectPrefix(ofOne input: [UInt8], _ words: String) throws {
        let one = Job.decompress(threads: 1).outcomeInMemory(of: input)
        let several = try Job.decompress(threads: 3).outcome(of: input)
        // What goes on to the end of the file for one worker may be known to end before.
        let isSame = several.failure?.code == one.failure?.code
        #expect(isSame || one.failure?.code == .truncated && several.failure?.code == .corrupt, "\(words)")
        let isPrefix = several.bytes.isPrefix(of: one.bytes)
        #expect(isPrefix, "\(words): \(several.bytes.count) of \(one.bytes.count)")
        if one.failure == nil { #expect(several.bytes.count == one.bytes.count, "\(words)") }
    }

    @Test func `what an index says of sizes is compared with the blocks`() async throws {
        try await within {
            // The same blocks in another order have an index of the same size, and as long a file.
            let (first, second) = ([UInt8](repeating: 1, count: 1 << 20), sample(2 << 20))
            let input = xzBlocks([first, second], saysSizes: false)
            let other = xzBlocks([second, first], saysSizes: false)
            let tail = 40
            #expect(input.count == other.count && input != other)
            let lying = Array(input.dropLast(tail) + other.suffix(tail))
            #expect(try Job.decompress(threads: 3).outcome(of: lying).failure != nil)
            try Self.expectPrefix(ofOne: lying, "lying")
        }
    }

    @Test func `an index is found behind frames, and for several streams with padding`() async throws {
        let (outcome, chunks, streams) = try await within {
            let input = Made.unsizedBlocks.input
            let padded = input + [0, 0, 0, 0] + input
            return (
                try Job.decompress(threads: 3).outcome(of: try frame(sample(9)) + padded),
                try Self.cutFile(input), try Self.cutFile(padded)
            )
        }
        let content = Made.unsizedBlocks.content
        #expect(outcome.failure == nil)
        #expect(outcome.bytes.isSame(as: sample(9) + content + content))
        #expect(chunks.count == 4)
        #expect(streams.count == 8)
    }

    /// The chunks of an input, each with its bytes.
    private static func cut(_ input: [UInt8], slotSize: UInt64 = 1 << 25) throws -> [[UInt8]] {
        try cut(Source(ScriptedSource(input, piece: .max)), slotSize: slotSize)
    }

    private static func cutFile(_ input: [UInt8]) throws -> [[UInt8]] {
        let file = try NamelessFile(input)
        return try cut(try Source(file.descriptor))
    }

    private static func cut(_ source: Source, slotSize: UInt64 = 1 << 25) throws -> [[UInt8]] {
        let reader = try InputReader(source, latch: FailureLatch(), monitor: nil)
        defer { reader.close() }
        let room = ChunkCapacity(slots: Slots(1000), slotSize: slotSize, windows: 100)
        var cutter = ForeignCutter(reader, first: (Bytes(), 0), room: room, workers: 3)
        // A chunk of segments is complete when the next one comes.
        var contents: [Chunk.Content] = []
        while let chunk = try cutter.next() { contents.append(chunk.content) }
        return try contents.map { content in
            var bytes: [UInt8] = []
            guard case .segments(let queue) = content else { return bytes }
            while let segment = try queue.next() { bytes += segment.bytes.elements }
            return bytes
        }
    }

    @Test func `blocks become chunks, and the end of their stream one more`() async throws {
        let (held, streamed, unsized) = try await within {
            (
                try Self.cut(Made.blocks.input), try Self.cut(Made.blocks.input, slotSize: 1000),
                try Self.cut(Made.unsizedBlocks.input)
            )
        }
        #expect(held.count == 4)
        // The small third block is held.
        #expect(streamed == held)
        #expect(held.flatMap(\.self).count == Made.blocks.input.count - XzPlace.headerSize)
        #expect(unsized.count == 1)
    }

    @Test(
        arguments: [(500_000, [1, 1, 1, 1]), (250_000, [2, 2, 1, 1]), (125_000, [3, 3, 1, 1])] as [(UInt64, [Int])])
    func `a block that is larger than a slot takes several, up to half of all`(
        slotSize: UInt64, counts: [Int]
    ) async throws {
        let taken = try await within {
            let reader = try InputReader(
                Source(ScriptedSource(Made.blocks.input, piece: .max)), latch: FailureLatch(), monitor: nil)
            defer { reader.close() }
            let slots = Slots(6)
            let room = ChunkCapacity(slots: slots, slotSize: slotSize)
            var cutter = ForeignCutter(reader, first: (Bytes(), 0), room: room, workers: 3)
            var taken: [Int] = []
            while let chunk = try cutter.next() {
                taken.append(chunk.slotCount)
                if chunk.slotCount > 1 { slots.give(chunk.slotCount - 1) }
            }
            return taken
        }
        #expect(taken == counts)
    }

    @Test(arguments: [Made.smallStreams, .unsizedSmallStreams])
    func `small streams share a chunk, unless only an index that can't be read says where they end`(
        made: Made
    ) async throws {
        let (streamed, file, many) = try await within {
            let many = [[UInt8]](repeating: made.input, count: 1000).flatMap(\.self)
            return (try Self.cut(made.input), try Self.cutFile(made.input), try Self.cutFile(many))
        }
        #expect(streamed.count == (made == .smallStreams ? 1 : 2))
        #expect(file.count == 1)
        // The padding at the end belongs to no stream.
        #expect(file.flatMap(\.self) == made.input.dropLast(8))
        #expect(many.count < 100)
    }

    @Test func `sixteen members share a chunk`() async throws {
        let chunks = try await within { try Self.cut(Made.members.input) }
        #expect(chunks.count == 3)
        #expect(chunks.flatMap(\.self) == Made.members.input)
    }

    @Test func `a size that leads to no other member is not trusted`() async throws {
        let (chunks, outcome) = try await within {
            var input = sizedMembers(sample(100), of: 10)
            input[16] += 1
            return (try Self.cut(input), Job.decompress(threads: 3).outcomeInMemory(of: input))
        }
        #expect(chunks.count == 1)
        #expect(outcome.failure == nil)
        #expect(outcome.bytes == sample(100))
    }

    @Test(arguments: [Made.members, .blocks])
    func `content does not wait for a producer that falls silent`(made: Made) async throws {
        let bytes = try await within {
            // The last member, or the stream's index, does not come.
            let input = Array(made.input.dropLast(made == .members ? 25 : 14))
            let source = ScriptedSource(input, piece: .max, events: [1: .silence])
            let (sink, latch, done) = (ScriptedSink(), FailureLatch(), DispatchSemaphore(value: 0))
            try startThread {
                _ = try? Job.decompress(threads: 3).run(from: Source(source), to: Sink(sink), latch: latch)
                done.signal()
            }
            while sink.bytes.count < made.content.count { usleep(1000) }
            latch.fail(.cancelled)
            source.endWaiting()
            done.wait()
            return sink.bytes
        }
        #expect(bytes.isSame(as: made.content))
    }
}
