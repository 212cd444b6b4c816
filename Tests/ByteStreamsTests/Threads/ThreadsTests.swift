import Dispatch
import Glibc
import StreamTestSupport
import Synchronization
import Testing

@testable import ByteStreams

/// Work on threads beyond those of Dispatch, whose pools end at the number of processors, or at 255.
@Suite(.timeLimit(.minutes(4))) struct ThreadsTests {
    @Test(arguments: [0, 1, 2, 300]) func `all lanes go on at the same time, however few processors there are`(
        count: Int
    ) async throws {
        let seen = try await within {
            let lanes = Mutex<Set<Int>>([])
            let here = Atomic(0)
            let all = DispatchSemaphore(value: 0)
            runLanes(count) { lane in
                lanes.withLock { _ = $0.insert(lane) }
                // Each waits for the last one, which comes only if it needs none of the others to end.
                if here.add(1, ordering: .relaxed).newValue == max(1, count) {
                    for _ in 0..<count { all.signal() }
                }
                if count > 0 { all.wait() }
            }
            return lanes.withLock { $0 }
        }
        #expect(seen == Set(0..<max(1, count)))
    }

    /// In a process of its own, which has room for a few more stacks.
    @Test(.enabled(if: measures)) func `a thread that the system refuses is an error, and the process goes on`() async {
        await #expect(processExitsWith: .success) {
            let used = try #require(processStatus("VmSize").flatMap { rlim_t($0) }) << 10
            var limit = rlimit(rlim_cur: used + (64 << 20), rlim_max: .max)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
            let never = DispatchSemaphore(value: 0)
            var failure: Failure?
            for _ in 0..<1000 where failure == nil {
                do throws(Failure) { try startThread { never.wait() } } catch { failure = error }
            }
            #expect(failure?.code == .outOfThreads)
        }
    }
}
