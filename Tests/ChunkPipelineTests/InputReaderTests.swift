import Dispatch
import Glibc
import StreamTestSupport
import SystemPackage
import Testing

@testable import ByteStreams
@testable import ChunkPipeline

@Suite(.timeLimit(.minutes(4)))
struct InputReaderTests {
    static func read(_ counts: [Int], from descriptor: FileDescriptor) throws -> [Int?] {
        let reader = try InputReader(Source(descriptor), latch: FailureLatch(), monitor: nil)
        defer { reader.close() }
        return try counts.map { try reader.read($0)?.count }
    }

    @Test(arguments: [true, false])
    func `chunks are as large as was asked, but for the last`(isFile: Bool) async throws {
        let sizes = try await within {
            let content = sample(2_500_000)
            let counts = [1, 1 << 20, 4096, 1_000_000, 1_000_000, 10, 10]
            if isFile {
                let file = try NamelessFile(content)
                return try Self.read(counts, from: file.descriptor)
            }
            let pipe = try Pipe()
            defer { pipe.close() }
            pipe.feed(content, pieces: [7, 100_000])
            return try Self.read(counts, from: pipe.reading)
        }
        #expect(sizes == [1, 1 << 20, 4096, 1_000_000, 2_500_000 - 1 - (1 << 20) - 4096 - 1_000_000, nil, nil])
    }

    @Test func `what is read of a file lies in one region, which needs no gathering`() async throws {
        let regions = try await within {
            let file = try NamelessFile(sample(9_000_000))
            let reader = try InputReader(Source(file.descriptor), latch: FailureLatch(), monitor: nil)
            defer { reader.close() }
            return try [8 << 20, 8 << 20].map { try reader.read($0)?.withOnlyRegion { $0.byteCount }?.get() }
        }
        #expect(regions == [8 << 20, 9_000_000 - (8 << 20)])
    }

    @Test(arguments: [(4096, 1 << 20), (2 << 20, 2 << 20)])
    func `a pipe is made to hold 1 MiB, and one that holds more is left alone`(before: Int32, after: Int32) throws {
        let (getSize, setSize): (Int32, Int32) = (1032, 1031)
        let pipe = try Pipe()
        defer { pipe.close() }
        guard fcntl(pipe.reading.rawValue, setSize, before) >= 0 else { return }
        pipe.reading.widenPipe()
        #expect(fcntl(pipe.writing.rawValue, getSize) == after)
    }

    @Test(arguments: [true, false])
    func `an input that ends with a chunk has no more`(isFile: Bool) async throws {
        let sizes = try await within {
            if isFile {
                let file = try NamelessFile(sample(2000))
                return try Self.read([1000, 1000, 1000], from: file.descriptor)
            }
            let pipe = try Pipe()
            defer { pipe.close() }
            pipe.feed(sample(2000))
            return try Self.read([1000, 1000, 1000], from: pipe.reading)
        }
        #expect(sizes == [1000, 1000, nil])
    }

    @Test func `patience begins with the first byte, or at once`() async throws {
        let (atOnce, some, rest) = try await within {
            let pipe = try Pipe()
            defer { pipe.close() }
            let reader = try InputReader(Source(pipe.reading), latch: FailureLatch(), monitor: nil)
            defer { reader.close() }
            let atOnce = try reader.read(1000, within: .milliseconds(20), fromFirstByte: false)
            DispatchQueue(label: "test.feed").asyncAfter(deadline: .now() + 0.3) {
                _ = try? pipe.writing.writeAll(sample(100))
            }
            let some = try reader.read(1000, within: .milliseconds(20))
            pipe.feed(sample(950))
            let rest = [try reader.read(900)?.count, try reader.read(900)?.count, try reader.read(900)?.count]
            return (atOnce?.count, some?.count, rest)
        }
        #expect(atOnce == 0)
        #expect(some == 100)
        #expect(rest == [900, 50, nil])
    }

    /// Trap 7 in docs/dispatch-on-linux.md.
    @Test func `no more is read than was asked for`() async throws {
        let (position, total) = try await within {
            let file = try NamelessFile(sample(4 << 20))
            let reader = try InputReader(Source(file.descriptor), latch: FailureLatch(), monitor: nil)
            _ = try reader.read(10_000)
            pause(0.05)
            let total = reader.total
            reader.close()
            return (try file.descriptor.seek(offset: 0, from: .current), total)
        }
        #expect(position == 10_000)
        #expect(total == 10_000)
    }

    @Test func `a failure wakes whoever waits, and whoever comes later`() async throws {
        let failures = try await within(10) {
            let (pipe, latch) = (try Pipe(), FailureLatch())
            defer { pipe.close() }
            let reader = try InputReader(Source(pipe.reading), latch: latch, monitor: nil)
            defer { reader.close() }
            DispatchQueue(label: "test.stop").asyncAfter(deadline: .now() + 0.1) { latch.fail(.writing(.noSpace)) }
            return (0..<2).map { _ in
                do throws(Failure) {
                    _ = try reader.read(10)
                    return Failure?.none
                } catch { return error }
            }
        }
        #expect(failures == [.cancelled, .cancelled])
    }

    /// A reader of a source that a test commands.
    static func reader(
        _ source: ScriptedSource, latch: FailureLatch = FailureLatch(), inputEnd: InputEnd? = nil
    ) throws -> InputReader {
        try InputReader(Source(source), inputEnd: inputEnd, latch: latch, monitor: nil)
    }

    @Test(arguments: 0...10)
    func `a call that fails ends the input with its error, wherever it comes, and never as if it were whole`(
        call: Int
    ) async throws {
        let content = sample(100_000)
        let (bytes, failure) = try await within {
            let source = ScriptedSource(content, piece: 3000, events: [call: .failure(.reading(.ioError))])
            let reader = try Self.reader(source)
            var bytes: [UInt8] = []
            do throws(Failure) {
                while let part = try reader.read(7000) { bytes += part.elements }
                return (bytes, Failure?.none)
            } catch { return (bytes, error) }
        }
        #expect(failure == .reading(.ioError))
        // A chunk takes three calls. What came before the error and fills no chunk is dropped.
        #expect(bytes.isSame(as: Array(content[..<(call / 3 * 7000)])))
    }

    @Test func `a silent source is left at once when the run fails, and its end asked for gives what has come`()
        async throws
    {
        let content = sample(25_000)
        let (failure, last, end) = try await within(10) {
            let (silent, latch) = (ScriptedSource(content, piece: 10_000, events: [1: .silence]), FailureLatch())
            let reader = try Self.reader(silent, latch: latch)
            DispatchQueue(label: "test.fail").async {
                _ = eventually { silent.isWaiting }
                latch.fail(.writing(.noSpace))
            }
            var failure: Failure?
            do throws(Failure) { _ = try reader.read(20_000) } catch { failure = error }

            let (live, inputEnd) = (ScriptedSource(content, piece: 10_000, events: [1: .silence]), InputEnd())
            let living = try Self.reader(live, inputEnd: inputEnd)
            DispatchQueue(label: "test.end").async {
                _ = eventually { live.isWaiting }
                _ = inputEnd.ask()
            }
            let last = try living.read(20_000)?.count
            let end = try living.read(20_000)?.count
            living.close()
            #expect(live.hasFinished)
            return (failure, last, end)
        }
        #expect(failure == .cancelled)
        #expect(last == 10_000)
        #expect(end == nil)
    }

    @Test func `ranges of a file come in any order, also after its end was read, and one that is cut is an error`()
        async throws
    {
        let content = sample(100_000)
        let (parts, failure) = try await within {
            let file = try NamelessFile(content)
            let reader = try InputReader(Source(file.descriptor), latch: FailureLatch(), monitor: nil)
            defer { reader.close() }
            while try reader.read(30_000) != nil {}
            let parts = try [90_000..<100_000, 0..<10, 50_000..<50_001].map { try reader.read($0).elements }
            ftruncate(file.descriptor.rawValue, 60_000)
            var failure: Failure?
            do throws(Failure) { _ = try reader.read(59_000..<61_000) } catch { failure = error }
            return (parts, failure)
        }
        #expect(parts == [Array(content[90_000...]), Array(content[..<10]), [content[50_000]]])
        #expect(failure == .sourceShrank(expected: 100_000, read: 60_000))
    }
}
