import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

@Suite(.timeLimit(.minutes(4)))
struct ReadingTests {
    static let frameSize = 64 << 10
    static let sizes = [0, 1, frameSize - 1, frameSize, frameSize + 1, 7 * frameSize, 1_000_000]

    static func job(_ reading: ReadingMode, threads: Int = 3) -> Job {
        var job = Job(Compression(level: 1, frameSize: frameSize), threads: threads)
        job.reading = reading
        return job
    }

    @Test(arguments: sizes)
    func `the bytes are the same, whoever reads the file`(size: Int) async throws {
        let content = sample(size)
        let outputs = try await within { try ReadingMode.allCases.map { try Self.job($0).output(of: content) } }
        #expect(outputs[1].isSame(as: outputs[0]))
        #expect(outputs[2].isSame(as: outputs[0]))
    }

    @Test(arguments: ReadingMode.allCases)
    func `a file is read from where it stands, and stands at its end afterwards`(reading: ReadingMode) async throws {
        let content = sample(300_000)
        let (output, position) = try await within {
            let source = try NamelessFile(content)
            let sink = try NamelessFile()
            try source.descriptor.seek(offset: 1000, from: .start)
            _ = try Self.job(reading).finished(from: source.descriptor, to: sink.descriptor)
            return (try sink.content, try source.descriptor.seek(offset: 0, from: .current))
        }
        let returned = try await within { try Job.decompress().output(of: output) }
        #expect(returned.isSame(as: Array(content[1000...])))
        #expect(position == 300_000)
    }

    @Test func `what a file has grown by is read too`() async throws {
        let content = sample(200_000)
        let returned = try await within {
            let file = try NamelessFile(Array(content[..<150_000]))
            let sink = try NamelessFile()
            let source = try Source(file.descriptor)
            try file.descriptor.writeAll(toAbsoluteOffset: 150_000, content[150_000...])
            _ = try Self.job(.workers).run(from: source, to: Sink(sink.descriptor))
            return try Job.decompress().output(of: sink.content)
        }
        #expect(returned.isSame(as: content))
    }

    @Test(arguments: ReadingMode.allCases, [0, 1, frameSize, 100_000])
    func `a file that shrank is an error, and what came before is a prefix`(reading: ReadingMode, left: Int)
        async throws
    {
        let content = sample(300_000)
        let (failure, output) = try await within {
            let file = try NamelessFile(content)
            let sink = try NamelessFile()
            let source = try Source(file.descriptor)
            try file.descriptor.resize(to: Int64(left))
            do throws(Failure) {
                _ = try Self.job(reading).run(from: source, to: Sink(sink.descriptor))
                return (Failure?.none, [UInt8]())
            } catch { return (error, try sink.content) }
        }
        #expect(failure == .sourceShrank(expected: 300_000, read: UInt64(left)))
        let whole = try await within { try Self.job(reading).output(of: content) }
        #expect(output.isPrefix(of: whole))
    }

    /// Who reads each of some chunks: `D`ispatch or a `W`orker. For each there are so many slots in use, of four, and
    /// it is in the page cache unless its number is negative.
    static func readers(_ inUse: [Int], reading: ReadingMode = .auto, workers: Int = 2, processors: Int = 4) -> String {
        let slots = Slots(workers + 2)
        var readers = FileReaders(reading, workers: workers, processors: processors, slots: slots)
        defer { slots.give(slots.inUse) }
        return inUse.reduce(into: "") { text, number in
            while slots.inUse < abs(number) { _ = slots.take() }
            while slots.inUse > abs(number) { slots.give() }
            text += readers.areWorkers(isCached: number > 0) ? "W" : "D"
        }
    }

    @Test func `workers read what is cached when they have waited for more such chunks in a row than there are slots`()
    {
        #expect(Self.readers([1, 2, 2, 2, 2, 2]) == "DDDDWW")
        #expect(Self.readers([1, 2, 2, 3, 2, 2, 2, 2, 2]) == "DDDDDDDDW")
        #expect(Self.readers([3, 4, 3, 4, 3, 4, 3, 4]) == "DDDDDDDD")
    }

    @Test func `where a processor is left over, nobody has to wait for Dispatch; where none is, it takes a worker's`() {
        #expect(Self.readers([4, 4, 4, 4, 4, 4], processors: 3) == "DDDDDD")
        #expect(Self.readers([4, 4, 4, 4, 4, 4], processors: 2) == "WWWWWW")
        #expect(Self.readers([4, 4, 4, 4, 4, 4], processors: 1) == "WWWWWW")
    }

    @Test func `what is not cached is read by Dispatch, and it begins anew`() {
        #expect(Self.readers([-1, -1, -1, -1, -1, -1, -1]) == "DDDDDDD")
        #expect(Self.readers([1, 1, -1, 1, 1, 1, 1, 1, 1], processors: 2) == "WWDDDDDWW")
        #expect(Self.readers([-1, 1, 1, 1, 1, 1, 1], processors: 2) == "DDDDDWW")
    }

    @Test func `who reads can be decided beforehand`() {
        #expect(Self.readers([1, 1, 1, 1, 1, 1], reading: .dispatch) == "DDDDDD")
        #expect(Self.readers([-4, -4], reading: .workers) == "WW")
    }
}
