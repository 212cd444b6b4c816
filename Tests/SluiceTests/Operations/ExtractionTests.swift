import Glibc
import Sluice
import Synchronization
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

@Suite(.timeLimit(.minutes(4)))
struct ExtractionTests {
    /// How the frames of a file come to be: the law is the same for all.
    enum Form: CaseIterable {
        case table, headers, oneFrame, silentFrames

        func file(_ content: [UInt8]) throws -> [UInt8] {
            switch self {
            case .table: return try Job.compress(frameSize: 1 << 15).output(of: content)
            case .headers: return try Self.frames(content, saysSize: true)
            case .oneFrame: return try frame(content)
            case .silentFrames: return try Self.frames(content, saysSize: false)
            }
        }

        private static func frames(_ content: [UInt8], saysSize: Bool) throws -> [UInt8] {
            var options = CompressionOptions(level: 1)
            options.hasContentSize = saysSize
            return try stride(from: 0, to: content.count, by: 30_000).reduce(into: []) { file, start in
                file += try frame(Array(content[start..<min(start + 30_000, content.count)]), options)
            }
        }
    }

    @Test(arguments: Form.allCases, [1, 3])
    func `parts are what the whole content has there`(form: Form, threads: Int) async throws {
        let wrong = try await within {
            let content = sample(400_000)
            let file = try form.file(content)
            var (numbers, wrong) = (SeededNumbers(seed: 7), [[ContentRange]]())
            for _ in 0..<15 {
                let (ranges, wanted) = Self.ranges(of: content, &numbers)
                let outcome = try Job(Extraction(ranges), threads: threads).outcome(of: file)
                let failure: Failure? = wanted.isEmpty ? .nothingThere(contentSize: 400_000) : nil
                if outcome.failure != failure || !outcome.bytes.isSame(as: wanted) { wrong.append(ranges) }
            }
            return wrong
        }
        #expect(wrong.isEmpty)
    }

    /// Frames of 6 MB: what a slot bounds is halved, down to less than one of them.
    @Test(arguments: [16, 24, 64, 200, 4096]) func `with little memory slots bound less before workers go`(
        mebibytes: UInt64
    ) async throws {
        let (workers, wrong) = try await within {
            let content = sample(30_000_000)
            let file = try Job.compress(frameSize: 6_000_000).output(of: content)
            var job = Job(Extraction([ContentRange(.offset(5_000_000), count: 20_000_000)]), threads: 64)
            _ = job.fit(into: mebibytes << 20, inputSize: UInt64(file.count), countsWindows: false)
            let outcome = try job.outcome(of: file)
            return (
                job.workerCount,
                outcome.failure != nil || !outcome.bytes.isSame(as: Array(content[5_000_000..<25_000_000]))
            )
        }
        #expect(!wrong)
        #expect(mebibytes < 4096 ? workers < 64 : workers == 64)
    }

    /// Up to three, in any order, that may overlap and go beyond the end.
    private static func ranges(
        of content: [UInt8], _ numbers: inout SeededNumbers
    ) -> (ranges: [ContentRange], wanted: [UInt8]) {
        var (ranges, wanted): ([ContentRange], [UInt8]) = ([], [])
        for _ in 0..<Int.random(in: 1...3, using: &numbers) {
            let start = Int.random(in: 0...content.count + 1000, using: &numbers)
            let count = Int.random(in: 1...90_000, using: &numbers)
            if Bool.random(using: &numbers) {
                ranges.append(ContentRange(.offset(UInt64(start)), count: UInt64(count)))
                wanted += content.dropFirst(start).prefix(count)
            } else {
                ranges.append(ContentRange(.beforeEnd(UInt64(start)), count: UInt64(count)))
                let first = content.count - start
                wanted += content[max(0, first)..<min(content.count, max(0, first + count))]
            }
        }
        return (ranges, wanted)
    }

    @Test(arguments: [Form.table, .silentFrames, .oneFrame])
    func `a pipe is read up to the last byte that is needed, and no further`(form: Form) async throws {
        let (bytes, failure) = try await within {
            let content = sample(400_000)
            let (source, sink) = (try Pipe(), try Pipe())
            defer { source.close() }
            defer { sink.close() }
            // Its writer goes silent with the last frame: whoever waits for more waits for ever.
            source.feed(try Array(form.file(content).dropLast(100)), isSilent: true)
            let output = sink.collect()
            let job = Job(Extraction([ContentRange(.offset(100_000), count: 50_000)]), threads: 2)
            let failure = try job.finished(from: source.reading, to: sink.writing).0
            source.closeWriting()
            sink.closeWriting()
            return (output.whole.isSame(as: Array(content[100_000..<150_000])), failure)
        }
        #expect(failure == nil)
        #expect(bytes)
    }

    /// Ranges that are counted from the end, or go back, are held.
    @Test(arguments: Form.allCases)
    func `what comes only once has the ranges of a file`(form: Form) async throws {
        let wrong = try await within {
            let content = sample(400_000)
            let file = try form.file(content)
            var (numbers, wrong) = (SeededNumbers(seed: 8), [[ContentRange]]())
            for _ in 0..<15 {
                let (ranges, wanted) = Self.ranges(of: content, &numbers)
                let piece = Int.random(in: 1000...300_000, using: &numbers)
                let outcome = Job(Extraction(ranges), threads: 2).outcomeInMemory(of: file, piece: piece)
                let failure: Failure? = wanted.isEmpty ? .nothingThere(contentSize: 400_000) : nil
                if outcome.failure != failure || !outcome.bytes.isSame(as: wanted) { wrong.append(ranges) }
            }
            return wrong
        }
        #expect(wrong.isEmpty)
    }

    @Test func `no more is held than is allowed`() async throws {
        let outcomes = try await within {
            let file = try Form.table.file(sample(6_000_000))
            return [1_000_000, 4_000_000].map { count in
                Job(Extraction([.last(count)], mostHeld: 3 << 20)).outcomeInMemory(of: file, piece: 100_000)
            }
        }
        #expect(outcomes.map(\.failure) == [nil, .tooManyHeld(most: 3 << 20)])
        #expect(outcomes.map(\.bytes.count) == [1_000_000, 0])
    }

    /// A number of the table is changed, whichever: the bytes are right, or there is an error.
    @Test(arguments: [1, -1, 1 << 20])
    func `a table that lies gives no wrong bytes`(step: Int) async throws {
        let wrong = try await within {
            let content = sample(300_000)
            let file = try Form.table.file(content)
            let count = Self.entryCount(of: file)
            var wrong: [Int] = []
            for number in 0..<count * 3 where number % 3 < 2 {
                var lying = file
                let offset = file.count - 9 - count * 12 + number * 4
                let old = file[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
                for byte in 0..<4 { lying[offset + byte] = UInt8(truncatingIfNeeded: (old + step) >> (8 * byte)) }
                for start in stride(from: 10_000, to: 300_000, by: 70_000) {
                    let ranges = [ContentRange(.offset(UInt64(start)), count: 1000)]
                    let outcome = try Job(Extraction(ranges)).outcome(of: lying)
                    let wanted = Array(content[start..<start + 1000])
                    if outcome.failure == nil, !outcome.bytes.isSame(as: wanted) { wrong.append(number) }
                }
            }
            return count > 5 ? wrong : [count]
        }
        #expect(wrong.isEmpty)
    }

    /// A file whose seek table has the entries of the second and the sixth frame in each other's place.
    private static func swappedFile(_ content: [UInt8]) throws -> [UInt8] {
        var file = try Form.table.file(content)
        let first = file.count - 9 - entryCount(of: file) * 12
        for byte in first..<first + 12 { file.swapAt(byte + 2 * 12, byte + 6 * 12) }
        return file
    }

    /// The same, of a table that no header announces.
    private static func swappedFrames(_ content: [UInt8]) throws -> [UInt8] {
        let pieces = stride(from: 0, to: content.count, by: 1 << 15).map { Array(content[$0..<$0 + 1 << 15]) }
        let frames = try pieces.map { try frame($0) }
        var (sizes, table) = (frames.map(\.count), SeekTable(hasChecksums: false))
        sizes.swapAt(2, 5)
        for size in sizes {
            table.append(.init(compressedSize: UInt32(size), decompressedSize: 1 << 15, checksum: 0))
        }
        return frames.joined() + table.encoded
    }

    /// Frames of one size, whose first half is smaller when it is compressed.
    private static let uneven = [UInt8](repeating: 1, count: 1 << 17) + sample(1 << 17)

    @Test(
        arguments: [
            (40_000, 1000, .headersAgainstTable), (140_000, 90_000, .headersAgainstTable), (200, 1000, .seekTable),
        ] as [(Int, Int, FrameSearchMethod)])
    func `where a table that nothing announces contradicts the frames of a part these are found by their headers`(
        start: Int, count: Int, method: FrameSearchMethod
    ) async throws {
        let (outcome, found) = try await within {
            let found = Mutex<FrameSearchMethod?>(nil)
            let ranges = [ContentRange(.offset(UInt64(start)), count: UInt64(count))]
            let operation = Extraction(ranges) { method in found.withLock { $0 = method } }
            return (try Job(operation).outcome(of: Self.swappedFrames(Self.uneven)), found.withLock { $0 })
        }
        #expect(found == method)
        #expect(outcome.failure == nil)
        #expect(outcome.bytes.isSame(as: Array(Self.uneven[start..<start + count])))
    }

    @Test func `the end is counted from the frames where the table contradicts them`() async throws {
        let outcome = try await within {
            try Job(Extraction([.last(150_000)])).outcome(of: Self.swappedFrames(Self.uneven))
        }
        #expect(outcome.failure == nil)
        #expect(outcome.bytes.isSame(as: Array(Self.uneven.suffix(150_000))))
    }

    @Test(arguments: [ContentRange(40_000..<41_000), ContentRange(140_000..<230_000), .last(150_000)])
    func `where an announced table contradicts the frames of a part that is an error`(range: ContentRange) async throws
    {
        let (failure, whole) = try await within {
            let file = try Self.swappedFile(Self.uneven)
            return (
                try Job(Extraction([range])).outcome(of: file).failure, try Job.decompress().outcome(of: file).failure
            )
        }
        #expect(failure == whole)
        #expect("\(failure, default: "none")".contains("the seek table contradicts the frames"))
    }

    /// Who reads at any place asks no frame before.
    @Test func `a table that a frame contradicts when it is read is damaged`() throws {
        let bytes = try Self.swappedFile(Self.uneven)
        let table = bytes.count - 17 - Self.entryCount(of: bytes) * 12
        let content = try NamelessFile(bytes)
        let file = try CompressedFile(content.descriptor)
        #expect(throws: Failure.codec(.damagedSeekTable(offset: UInt64(table)))) {
            try file.read(150_000..<150_010)
        }
        #expect(try file.read(10..<15) == [1, 1, 1, 1, 1])
    }

    private static func entryCount(of file: [UInt8]) -> Int {
        file.suffix(9).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Neither header nor blocks say how much such a frame holds: decoding does.
    @Test(arguments: [29_999, 30_000, 30_001] as [UInt32])
    func `a frame holds what a table says, or there is an error`(size: UInt32) async throws {
        let failure = try await within {
            let file = try Form.silentFrames.file(sample(120_000))
            var (table, scanner) = (SeekTable(hasChecksums: false), FrameScanner())
            var rest = file.span.bytes
            while !rest.isEmpty {
                let scanned = try scanner.scan(rest).scanned
                table.append(.init(compressedSize: UInt32(scanned), decompressedSize: size, checksum: 0))
                rest = rest.extracting(scanned...)
            }
            let ranges = [ContentRange(.offset(65_000), count: 10)]
            return try Job(Extraction(ranges)).outcome(of: file + table.encoded).failure
        }
        #expect((failure == nil) == (size == 30_000))
    }

    /// A part of two frames, or one of them, by a table with these checksums.
    private static func failure(checksums: [UInt32], hasOwn: Bool, at offset: UInt64) throws -> Failure? {
        let content = sample(60_000)
        var options = CompressionOptions(level: 1)
        options.hasChecksum = hasOwn
        let bytes = try frame(content, options)
        var table = SeekTable(hasChecksums: true)
        for checksum in checksums {
            table.append(
                .init(
                    compressedSize: UInt32(bytes.count), decompressedSize: UInt32(content.count), checksum: checksum))
        }
        let ranges = [ContentRange(.offset(offset), count: 20_000)]
        let outcome = try Job(Extraction(ranges)).outcome(of: bytes + bytes + table.encoded)
        if outcome.failure == nil {
            #expect(outcome.bytes.isSame(as: Array((content + content)[Int(offset)...].prefix(20_000))))
        }
        return outcome.failure
    }

    @Test(arguments: [50_000, 70_000] as [UInt64])
    func `a checksum that only the table has is verified, and named if it is wrong`(offset: UInt64) throws {
        let right = try frame(sample(60_000)).suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        #expect(try Self.failure(checksums: [right, right], hasOwn: false, at: offset) == nil)
        let failure = try Self.failure(checksums: [right, right ^ 1], hasOwn: false, at: offset)
        #expect("\(failure, default: "none")".contains("does not match the seek table's checksum"))
    }

    @Test func `a frame with a checksum of its own needs none of a table`() throws {
        #expect(try Self.failure(checksums: [1, 2], hasOwn: true, at: 50_000) == nil)
    }
}
