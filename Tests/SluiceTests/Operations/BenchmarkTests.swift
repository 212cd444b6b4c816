import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

@Suite(.timeLimit(.minutes(4)))
struct BenchmarkTests {
    private func held(_ bytes: [UInt8]) throws -> HeapMemory {
        let file = try NamelessFile(bytes)
        return try HeapMemory(contentOf: Source(file.descriptor), limit: .max)
    }

    @Test(arguments: [1, 2, 5])
    func `the frames are those of a run, on however many threads`(threads: Int) throws {
        let options = CompressionOptions(level: 1, frameSize: 50_000, hasChecksum: false)
        let contents = [sample(120_000), sample(10)]
        let benchmark = Benchmark(try contents.map(held), threads: threads, time: .zero)
        let measurement = try benchmark.measure(options)
        var size = 0
        for piece in [0..<50_000, 50_000..<100_000, 100_000..<120_000] {
            size += try frame(Array(contents[0][piece]), options).count
        }
        size += try frame(contents[1], options).count
        #expect(measurement.contentSize == 120_010)
        #expect(measurement.compressedSize == UInt64(size))
        #expect(try #require(measurement.compression) > .zero)
        #expect(measurement.decompression > .zero)
    }

    @Test func `each way is measured for as long as it was asked`() throws {
        let benchmark = Benchmark([try held(sample(1000))], threads: 1, time: .milliseconds(100))
        let start = ContinuousClock.now
        _ = try benchmark.measure(CompressionOptions())
        #expect(.now - start >= .milliseconds(200))
    }

    @Test func `frames are decompressed without being made`() throws {
        let content = sample(70_000)
        let frames = try frame(content) + frame(sample(5))
        let measurement = try Benchmark([try held(frames)], threads: 2, time: .zero).measureDecompression()
        #expect(measurement.contentSize == 70_005)
        #expect(measurement.compressedSize == UInt64(frames.count))
        #expect(measurement.compression == nil)
    }

    @Test func `what is no frame, cut or damaged is told`() throws {
        var damaged = try frame(sample(70_000))
        damaged[damaged.count / 2] ^= 0xFF
        for bytes in [sample(100), Array(try frame(sample(70_000)).dropLast(9)), damaged] {
            let benchmark = Benchmark([try held(bytes)], threads: 1, time: .zero)
            #expect(throws: Failure.self) { try benchmark.measureDecompression() }
        }
    }

    @Test(arguments: [0.0, 0.3, 0.5, 0.9])
    func `what is made up compresses the better the more of it repeats`(repetition: Double) throws {
        let one = try HeapMemory(syntheticBytes: 300_000, repetition: repetition)
        #expect(one.bytes.count == 300_000)
        let again = try HeapMemory(syntheticBytes: 300_000, repetition: repetition)
        #expect(one.withUnsafeBytes { one in again.withUnsafeBytes { one.elementsEqual($0) } })
        let more = try HeapMemory(syntheticBytes: 300_000, repetition: repetition + 0.1)
        let sizes = try [one, more].map {
            try Benchmark([$0], threads: 1, time: .zero).measure(CompressionOptions()).compressedSize
        }
        #expect(sizes[0] > sizes[1])
    }
}
