import Dispatch
import Glibc
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// Descriptors are given back as they were: open, with their flags, and no others with them.
@Suite(.timeLimit(.minutes(4)))
struct DescriptorTests {
    enum Ending: CaseIterable { case success, cancelled, brokenPipe }

    @Test(arguments: Ending.allCases, [(false, false), (false, true), (true, false), (true, true)])
    func `flags are as before after a run`(
        ending: Ending, ends: (isSocket: Bool, isNonblocking: Bool)
    ) async throws {
        let (isSocket, isNonblocking) = ends
        let (before, after) = try await within(20) {
            let (source, sink) = (try Pipe(isSocket: isSocket), try Pipe(isSocket: isSocket))
            defer { source.close() }
            defer { sink.close() }
            let ends = [source.reading.rawValue, sink.writing.rawValue]
            if isNonblocking {
                for end in ends { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
            }
            let before = ends.map { fcntl($0, F_GETFL) }
            let latch = FailureLatch()
            switch ending {
            case .success: source.feed(sample(300_000))
            case .cancelled:
                DispatchQueue(label: "test.stop").asyncAfter(deadline: .now() + 0.1) { latch.fail(.cancelled) }
            case .brokenPipe:
                sink.closeReading()
                source.feed(sample(300_000))
            }
            if ending == .success { _ = sink.collect() }
            _ = try Job.compress().finished(from: source.reading, to: sink.writing, latch: latch)
            return (before, ends.map { fcntl($0, F_GETFL) })
        }
        #expect(before == after)
        #expect(after.allSatisfy { $0 >= 0 })
    }

    @Test func `a run that can't begin changes no descriptor`() async throws {
        let (failure, before, after) = try await within(20) {
            let source = try Pipe()
            defer { source.close() }
            // Its flags and F_GETPIPE_SZ, which a reader raises.
            let state = { [F_GETFL, 1032].map { fcntl(source.reading.rawValue, $0) } }
            let before = state()
            var job = Job.compress()
            job.hash = HashFunction(try HashFunction.Library(), nil)
            let failure = try job.finished(from: source.reading, to: nil).0
            return (failure, before, state())
        }
        #expect(failure == Failure.hash("libcrypto can't start a hash"))
        #expect(before == after)
    }

    /// In a process of its own, where nobody else opens and closes files.
    @Test func `fifty runs leave no descriptor, whether they succeed or fail`() async {
        await #expect(processExitsWith: .success) {
            let input = try frame(sample(100_000))
            let silent = try Pipe()
            defer { silent.close() }
            let full = try FileDescriptor.open("/dev/full", .writeOnly)
            func runAll() throws {
                for job in StoppingTests.Kind.allCases.map(\.job) {
                    _ = try job.outcome(of: input)
                    _ = try job.outcomeThroughPipes(of: input, pieces: [1000])
                    _ = try job.outcome(of: Array(input.dropLast(10)))
                    let source = try NamelessFile(input)
                    _ = try job.finished(from: source.descriptor, to: full)
                    let latch = FailureLatch()
                    latch.fail(.cancelled)
                    _ = try job.finished(from: silent.reading, to: nil, latch: latch)
                }
            }
            // The first run opens what Dispatch keeps.
            try runAll()
            let before = openDescriptors()
            for _ in 0..<50 { try runAll() }
            #expect(eventually { openDescriptors() == before })
        }
    }

    /// In a process of its own. Traps 3 and 4 in docs/dispatch-on-linux.md: a leak here is of whole buffers.
    @Test(.enabled(if: measures)) func `memory does not grow from run to run`() async {
        await #expect(processExitsWith: .success) {
            let content = sample(4 << 20)
            let compressed = try Job.compress(frameSize: 1 << 18).output(of: content)
            func runAll() throws {
                for job in [Job.compress(frameSize: 1 << 18), Job(SingleFrame(.init(level: 1)), threads: 2)] {
                    let source = try NamelessFile(content)
                    _ = try job.finished(from: source.descriptor, to: nil)
                }
                let source = try NamelessFile(compressed)
                _ = try Job.decompress().finished(from: source.descriptor, to: nil)
                _ = try Job.decompress().outcomeThroughPipes(of: compressed, pieces: [50_000])
            }
            for _ in 0..<5 { try runAll() }
            let before = residentMemory()
            for _ in 0..<20 { try runAll() }
            #expect(residentMemory() - before < 20 << 20)
        }
    }
}

/// The memory that this process has now, in bytes.
private func residentMemory() -> Int {
    let pages = readText("/proc/self/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return (pages ?? 0) * sysconf(Int32(_SC_PAGESIZE))
}
