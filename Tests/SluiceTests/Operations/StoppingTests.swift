import Dispatch
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// A failure ends the run at once, whatever the run waits for.
@Suite(.timeLimit(.minutes(4)))
struct StoppingTests {
    enum Kind: String, CaseIterable, Codable {
        case compress, singleFrame, decompress

        var job: Job {
            switch self {
            case .compress: .compress()
            case .singleFrame: Job(SingleFrame(.init(level: 1)), threads: 2)
            case .decompress: .decompress()
            }
        }
    }

    /// The seconds from a failure to the end of the run, and how the run ended.
    static func stop(
        _ job: Job, from source: Pipe, to sink: Pipe? = nil, after seconds: Double = 0.1,
        _ failure: Failure = .cancelled
    ) async throws -> (Failure?, Double) {
        try await within {
            let latch = FailureLatch()
            let queue = DispatchQueue(label: "test.stop")
            queue.asyncAfter(deadline: .now() + seconds) { latch.fail(failure) }
            let start = ContinuousClock.now
            let (failure, _) = try job.finished(from: source.reading, to: sink?.writing, latch: latch)
            let duration = ContinuousClock.now - start
            source.close()
            sink?.close()
            return (failure, duration / .seconds(1) - seconds)
        }
    }

    @Test(arguments: Kind.allCases, [Failure.cancelled, .writing(.noSpace)])
    func `a run that waits on a silent pipe ends at once`(kind: Kind, failure: Failure) async throws {
        let (ended, seconds) = try await Self.stop(kind.job, from: Pipe(), to: Pipe(), failure)
        #expect(ended == failure)
        #expect(seconds < 1)
    }

    @Test(arguments: Kind.allCases)
    func `a run that waits in the middle of a frame ends at once`(kind: Kind) async throws {
        let source = try Pipe()
        let some = try frame(sample(100_000)).prefix(20_000)
        try source.writing.writeAll(some)
        // Long enough for a stalled frame to be handed on in parts.
        let (ended, seconds) = try await Self.stop(kind.job, from: source, after: 1)
        #expect(ended == .cancelled)
        #expect(seconds < 1)
    }

    @Test(arguments: Kind.allCases)
    func `a run that failed before it began ends at once`(kind: Kind) async throws {
        let (ended, _) = try await Self.stop(kind.job, from: Pipe(), after: 0)
        #expect(ended == .cancelled)
    }

    @Test func `a damaged frame ends a run that waits on a silent pipe`() async throws {
        let failure = try await within(10) {
            let source = try Pipe()
            defer { source.close() }
            var bytes = try frame(sample(1000))
            bytes[bytes.count - 1] ^= 1
            try source.writing.writeAll(bytes)
            return try Job.decompress().finished(from: source.reading, to: nil).0
        }
        #expect(failure == .codec(.corrupt(reason: "its checksum does not match its content", offset: 0)))
    }

    @Test(arguments: Kind.allCases)
    func `a read error ends the run, and is not an end of the data`(kind: Kind) async throws {
        let failure = try await within(10) {
            let memory = try FileDescriptor.open("/proc/self/mem", .readOnly, options: .closeOnExec)
            defer { try? memory.close() }
            return try kind.job.finished(from: memory, to: nil).0
        }
        #expect(failure == .reading(.ioError))
    }

    @Test func `a directory is refused before a run begins`() throws {
        let folder = try FileDescriptor.open("/", .readOnly, options: [.closeOnExec, .directory])
        defer { try? folder.close() }
        #expect(throws: Failure.reading(.isDirectory)) { try Source(folder) }
        #expect(throws: Failure.writing(.isDirectory)) { try Sink(folder) }
    }

    @Test func `a descriptor that is not open is an error`() throws {
        #expect(throws: Failure.reading(.badFileDescriptor)) { try Source(FileDescriptor(rawValue: 9999)) }
        #expect(throws: Failure.writing(.badFileDescriptor)) { try Sink(FileDescriptor(rawValue: 9999)) }
    }

    @Test(arguments: Kind.allCases)
    func `a file that shrank is an error`(kind: Kind) async throws {
        let content = try frame(sample(1000))
        let failure = try await within(10) {
            let file = try NamelessFile(content + content)
            let source = try Source(file.descriptor)
            try file.descriptor.resize(to: Int64(content.count))
            do throws(Failure) {
                _ = try kind.job.run(from: source, to: nil)
                return Failure?.none
            } catch { return error }
        }
        let size = UInt64(content.count)
        #expect(failure == .sourceShrank(expected: 2 * size, read: size))
    }

    /// A latch that is held by what it stops is never freed, and neither are the channels.
    @Test(arguments: Kind.allCases)
    func `nothing of a run outlives it`(kind: Kind) async throws {
        let isGone = try await within {
            let input = try frame(sample(300_000))
            weak var weakLatch: FailureLatch?
            do {
                let latch = FailureLatch()
                let source = try NamelessFile(input)
                let sink = try NamelessFile()
                _ = try kind.job.finished(from: source.descriptor, to: sink.descriptor, latch: latch)
                weakLatch = latch
            }
            return eventually { weakLatch == nil }
        }
        #expect(isGone)
    }
}
