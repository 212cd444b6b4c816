import Dispatch
import Glibc
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// A write error ends the run, whichever byte it comes at.
@Suite(.timeLimit(.minutes(4)))
struct WriteFailureTests {
    /// More than any count below and what the pipe holds, also when it is compressed.
    static let content = sample(6_000_000)
    static let kinds = StoppingTests.Kind.allCases

    static func input(_ kind: StoppingTests.Kind) throws -> [UInt8] {
        kind == .decompress ? try Job.compress().output(of: content) : content
    }

    @Test(arguments: kinds)
    func `a pipe that nobody reads is a broken pipe`(kind: StoppingTests.Kind) async throws {
        let failure = try await within(10) {
            let source = try NamelessFile(Self.input(kind))
            let sink = try Pipe()
            defer { sink.close() }
            sink.closeReading()
            return try kind.job.finished(from: source.descriptor, to: sink.writing).0
        }
        #expect(failure == .writing(.brokenPipe))
    }

    /// Trap 1 in docs/dispatch-on-linux.md: Dispatch alone would spin for ever.
    @Test(arguments: kinds, [true, false])
    func `a full pipe whose reader leaves without reading is a broken pipe`(
        kind: StoppingTests.Kind, isSocket: Bool
    ) async throws {
        let failure = try await within(10) {
            let source = try NamelessFile(Self.input(kind))
            let sink = try Pipe(isSocket: isSocket)
            defer { sink.close() }
            DispatchQueue(label: "test.leave").asyncAfter(deadline: .now() + 0.5) { sink.closeReading() }
            return try kind.job.finished(from: source.descriptor, to: sink.writing).0
        }
        // A socket with bytes that nobody read is reset.
        #expect(failure == .writing(.brokenPipe) || isSocket && failure == .writing(.connectionReset))
    }

    @Test(arguments: kinds, [1, 4096, 65_535, 65_536, 65_537, 700_000, 1_048_577])
    func `a reader that leaves after some bytes ends the run, and had a prefix`(
        kind: StoppingTests.Kind, count: Int
    ) async throws {
        let (failure, isPrefix) = try await within(20) {
            let input = try Self.input(kind)
            let whole = try kind.job.output(of: input)
            let source = try NamelessFile(input)
            let sink = try Pipe()
            defer { sink.close() }
            let (read, done) = (Collected(), DispatchSemaphore(value: 0))
            DispatchQueue(label: "test.read").async {
                var memory = [UInt8](repeating: 0, count: count)
                while read.count < count,
                    let got = try? memory.withUnsafeMutableBytes({ try sink.reading.read(into: $0) }), got > 0
                {
                    read.append(memory[..<got])
                    memory.removeLast(got)
                }
                sink.closeReading()
                done.signal()
            }
            let (failure, _) = try kind.job.finished(from: source.descriptor, to: sink.writing)
            done.wait()
            return (failure, read.count == count && read.bytes.isPrefix(of: whole))
        }
        #expect(failure == .writing(.brokenPipe))
        #expect(isPrefix)
    }

    @Test(arguments: kinds, [true, false])
    func `a full device ends the run, also while the input is silent`(
        kind: StoppingTests.Kind, isSilent: Bool
    ) async throws {
        let failure = try await within(10) {
            let full = try FileDescriptor.open("/dev/full", .writeOnly, options: .closeOnExec)
            defer { try? full.close() }
            let source = try Pipe()
            defer { source.close() }
            // Four jobs of libzstd's own workers, of which the first must come out.
            let content = sample(8 << 20)
            let input = kind == .decompress ? try Job.compress().output(of: content) : content
            source.feed(input, isSilent: isSilent)
            return try kind.job.finished(from: source.reading, to: full).0
        }
        #expect(failure == .writing(.noSpace))
    }

    /// In processes of their own: the limit is the process's.
    @Test(arguments: kinds)
    func `a file that may not grow ends the run, and what is there is a prefix`(kind: StoppingTests.Kind) async {
        await #expect(processExitsWith: .success) { [kind] in
            signal(SIGXFSZ, SIG_IGN)
            let input = try WriteFailureTests.input(kind)
            let whole = try kind.job.output(of: input)
            let source = try NamelessFile(input)
            for limit in [0, 1, 4096, 100_000, 1 << 20] {
                var limits = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t.max)
                #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits) == 0)
                let sink = try NamelessFile()
                try source.descriptor.seek(offset: 0, from: .start)
                let (failure, _) = try kind.job.finished(from: source.descriptor, to: sink.descriptor)
                #expect(failure == .writing(.fileTooLarge))
                let written = try sink.content
                #expect(written.isPrefix(of: whole))
                #expect(written.count <= limit)
            }
        }
    }
}
