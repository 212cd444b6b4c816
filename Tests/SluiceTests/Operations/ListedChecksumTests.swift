import Dispatch
import Glibc
import Sluice
import StreamTestSupport
import Synchronization
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// A file whose seek table is read slowly, by whoever reads it.
private final class SlowTable: RangeSource {
    private let bytes: [UInt8]
    private let table: Int
    private let count = Atomic(0)
    let hasBegun = DispatchSemaphore(value: 0)

    init(_ bytes: [UInt8], table: Int) { (self.bytes, self.table) = (bytes, table) }

    var size: Int { bytes.count }
    var isBeingRead: Bool { count.load(ordering: .relaxed) > 0 }

    func read(from offset: Int, into memory: inout OutputRawSpan) {
        if offset >= table {
            count.add(1, ordering: .relaxed)
            hasBegun.signal()
            usleep(200_000)
        }
        for byte in bytes[offset..<offset + memory.freeCapacity] { memory.append(byte, as: UInt8.self) }
        if offset >= table { count.subtract(1, ordering: .relaxed) }
    }
}

/// Files of zstd's seekable format: only the table has checksums.
@Suite(.timeLimit(.minutes(4)))
struct ListedChecksumTests {
    /// What the frames say of themselves, and how long they are.
    enum Form: CaseIterable {
        case sized, silent, uneven, single

        var statesSize: Bool { self == .sized }
        var sizes: [Int] {
            switch self {
            case .sized, .silent: [2000, 2000, 2000, 700]
            case .uneven: [900, 1700, 20, 1400, 1]
            case .single: [4000]
            }
        }

        func file(_ change: (inout SeekTable.Entry) -> Void = { _ in }) throws -> (
            file: [UInt8], content: [UInt8], table: Int
        ) {
            var options = CompressionOptions(level: 1)
            (options.hasChecksum, options.hasContentSize) = (false, statesSize)
            var (file, content, table) = ([UInt8](), [UInt8](), SeekTable(hasChecksums: true))
            for (number, size) in sizes.enumerated() {
                let piece = patchwork(size, seed: UInt64(number + 3))
                let bytes = try frame(piece, options)
                (file, content) = (file + bytes, content + piece)
                var entry = SeekTable.Entry(
                    compressedSize: UInt32(bytes.count), decompressedSize: UInt32(size),
                    checksum: ContentChecksum.of(piece.span.bytes))
                change(&entry)
                table.append(entry)
            }
            return (file + table.encoded, content, file.count)
        }
    }

    /// All ways to the content of a file: what each gives, or nil for an error.
    private static func ways(_ count: Int) -> [(name: String, bytes: ([UInt8]) throws -> [UInt8]?)] {
        func run(_ operation: any RunOperation, threads: Int = 2) -> ([UInt8]) throws -> [UInt8]? {
            { file in
                let outcome = try Job(operation, threads: threads).outcome(of: file)
                return outcome.failure == nil ? outcome.bytes : nil
            }
        }
        func withoutRoom(_ file: [UInt8]) throws -> [UInt8]? {
            var decompression = Decompression()
            decompression.room.slotSize = 1000
            return try run(decompression)(file)
        }
        func atOnce(_ file: [UInt8]) throws -> [UInt8]? {
            let held = try NamelessFile(file)
            let sink = try NamelessFile()
            var source = try Source(held.descriptor)
            let job = Job(Decompression(), threads: 1)
            let latch = FailureLatch()
            if try job.runWhole(from: &source, to: Sink(sink.descriptor), latch: latch) == nil {
                return try run(Decompression())(file)
            }
            return try sink.content
        }
        func recovered(_ file: [UInt8], slotSize: Int?) throws -> [UInt8]? {
            var decompression = Decompression()
            if let slotSize {
                decompression.room.slotSize = slotSize
                while decompression.room.largeFrames != .inSegments { _ = decompression.room.reduce(by: .largeFrames) }
            }
            let outcome = try Job(Recovery(.zeros, decompression), threads: 2).outcome(of: file)
            return outcome.failure == nil && outcome.summary?.lost?.isOfDamage == false ? outcome.bytes : nil
        }
        func opened(_ file: [UInt8]) throws -> [UInt8]? {
            let held = try NamelessFile(file)
            return try? CompressedFile(held.descriptor).read(0..<count)
        }
        return [
            ("whole", run(Decompression())), ("one thread", run(Decompression(), threads: 1)),
            ("segments", withoutRoom), ("at once", atOnce), ("range", run(Extraction([ContentRange(0..<count)]))),
            ("from the end", run(Extraction([.last(count)]))), ("opened", opened),
            ("recovered", { try recovered($0, slotSize: nil) }),
            ("recovered in segments", { try recovered($0, slotSize: 1000) }),
        ]
    }

    @Test(arguments: Form.allCases) func `every flipped bit is an error, or makes no difference`(form: Form)
        async throws
    {
        let (wrong, found) = try await within {
            let (file, content, table) = try form.file()
            let ways = Self.ways(content.count)
            var (wrong, found, numbers) = ([String](), 0, SeededNumbers(seed: 5))
            for (name, bytes) in ways where try bytes(file)?.isSame(as: content) != true {
                wrong.append("intact: \(name)")
            }
            for _ in 0..<(isLong ? 4000 : 250) {
                var flipped = file
                let bit = Int.random(in: 0..<8 * table, using: &numbers)
                flipped[bit / 8] ^= 1 << (bit % 8)
                let (name, bytes) = ways[Int.random(in: ways.indices, using: &numbers)]
                guard let bytes = try bytes(flipped) else {
                    found += 1
                    continue
                }
                if !bytes.isSame(as: content) { wrong.append("\(name) \(bit)") }
            }
            return (wrong, found)
        }
        #expect(wrong == [])
        #expect(found > 100)
    }

    @Test func `a worker that a cancelled run leaves behind reads no table after the run`() async throws {
        let (isBeingRead, failure) = try await within {
            let (file, _, table) = try Form.sized.file()
            let (source, latch) = (SlowTable(file, table: table), FailureLatch())
            try startThread {
                source.hasBegun.wait()
                latch.fail(.cancelled)
            }
            var job = Job(Decompression(), threads: 1)
            job.workerPool = WorkerPool(shared: 1)
            do {
                _ = try job.run(from: Source(source), to: nil, latch: latch)
                return (source.isBeingRead, Failure.Code?.none)
            } catch let error as Failure {
                // Later, the number of a descriptor may be that of another file.
                return (source.isBeingRead, error.code)
            }
        }
        #expect(failure == .cancelled)
        #expect(!isBeingRead)
    }

    @Test func `nobody reads the table once it is closed`() throws {
        let (file, _, table) = try Form.sized.file()
        let source = SlowTable(file, table: table)
        let listed = try #require(ListedContents(Source(source)))
        listed.close()
        #expect(throws: Failure.cancelled) { try listed.entry(at: 0) }
        #expect(source.hasBegun.wait(timeout: .now()) == .timedOut)
    }

    @Test(arguments: Form.allCases) func `zstd's name, a pipe and no check compare nothing`(form: Form) async throws {
        let (seen, unseen) = try await within {
            let (file, _, _) = try form.file { $0.checksum ^= 1 }
            var (asZstd, unchecked) = (Decompression(), Decompression(verifiesChecksums: false))
            asZstd.comparesTable = false
            unchecked.comparesTable = true
            let unseen = [
                try Job(asZstd).outcome(of: file).failure, try Job(unchecked).outcome(of: file).failure,
                try Job.decompress().outcomeThroughPipes(of: file, pieces: [777]).failure,
            ]
            return (try Job.decompress().outcome(of: file).failure, unseen)
        }
        #expect("\(seen, default: "none")".contains("does not match the seek table's checksum"))
        #expect(unseen == [nil, nil, nil])
    }

    /// A table that lists other frames, or other sizes than frames state, is none.
    @Test func `a table that is not credible proves nothing`() async throws {
        let failures = try await within {
            let (sized, _, table) = try Form.sized.file {
                $0.decompressedSize += 1
                $0.checksum ^= 1
            }
            // Its sizes do not add up to the file.
            let (wrong, _, _) = try Form.sized.file { $0.checksum ^= 1 }
            let longer = [UInt8](skippable: 0x184D_2A50, size: 9) + [1] + wrong
            // Between the frames of two entries there is another border.
            let (moved, _, _) = try Form.sized.file { entry in
                entry.checksum ^= 1
                entry.compressedSize =
                    entry.decompressedSize == 700 ? entry.compressedSize + 3 : entry.compressedSize - 1
            }
            #expect(table < sized.count)
            return try [sized, longer, moved].map { try Job.decompress().outcome(of: $0).failure }
        }
        #expect(failures == [nil, nil, nil])
    }

    /// More entries than are read at once.
    @Test func `a table is read in pieces, whatever its size`() async throws {
        let (right, wrong) = try await within {
            var options = CompressionOptions(level: 1)
            options.hasChecksum = false
            let bytes = try frame([7], options)
            let checksum = ContentChecksum.of([UInt8(7)].span.bytes)
            func file(lyingAt lie: Int) -> [UInt8] {
                var table = SeekTable(hasChecksums: true)
                for number in 0..<10_000 {
                    table.append(
                        .init(
                            compressedSize: UInt32(bytes.count), decompressedSize: 1,
                            checksum: number == lie ? 0 : checksum))
                }
                return Array(repeatElement(bytes, count: 10_000).joined()) + table.encoded
            }
            return (
                try Job.decompress().outcome(of: file(lyingAt: -1)).failure,
                try [0, 4095, 4096, 9999].map { try Job.decompress().outcome(of: file(lyingAt: $0)).failure?.offset }
            )
        }
        #expect(right == nil)
        let size = try frame([7], CompressionOptions(level: 1, hasChecksum: false)).count
        #expect(wrong == [0, 4095, 4096, 9999].map { $0 * size })
    }
}
