import Dispatch
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import Sluice

@Suite(.timeLimit(.minutes(1)))
struct ChunkReaderTests {
    static func read(_ counts: [Int], from descriptor: FileDescriptor) throws -> [Int?] {
        let reader = try ChunkReader(Source(descriptor), latch: FailureLatch(), monitor: nil)
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
            let reader = try ChunkReader(Source(file.descriptor), latch: FailureLatch(), monitor: nil)
            defer { reader.close() }
            return try [8 << 20, 8 << 20].map { try reader.read($0)?.withOnlyRegion { $0.count }?.get() }
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
            let reader = try ChunkReader(Source(pipe.reading), latch: FailureLatch(), monitor: nil)
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
            let reader = try ChunkReader(Source(file.descriptor), latch: FailureLatch(), monitor: nil)
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
            let reader = try ChunkReader(Source(pipe.reading), latch: latch, monitor: nil)
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
}
