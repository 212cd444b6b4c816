import ByteStreams
import Glibc
import StreamTestSupport
import Synchronization
import Testing

@testable import RemoteSources

@Suite(.timeLimit(.minutes(4)))
struct RequestLimitsTests {
    /// A server that allows some requests at a time, and twelve threads that each make twenty.
    @Test(arguments: [1, 2, 3, 7], [nil, 1, 4, 16] as [Int?])
    func `a server is asked until it has answered everything`(allowed: Int, most: Int?) async throws {
        let limits = RequestLimits(most: most)
        let state = Mutex((now: 0, most: 0, answered: 0, refused: 0, alone: 0))
        try await within {
            runLanes(12) { _ in
                for _ in 0..<20 {
                    while true {
                        guard let turn = try? limits.begin(at: "a", unless: { false }) else { return }
                        let isServed = state.withLock { state in
                            state.now += 1
                            state.most = max(state.most, state.now)
                            return state.now <= allowed
                        }
                        usleep(200)
                        state.withLock { $0.now -= 1 }
                        let lowered = isServed ? nil : limits.lower(after: turn)
                        limits.end(turn)
                        state.withLock { state in
                            if isServed { state.answered += 1 } else { state.refused += 1 }
                            if !isServed, lowered == nil { state.alone += 1 }
                        }
                        if isServed { break }
                    }
                }
            }
        }
        let (_, peak, answered, refused, alone) = state.withLock { $0 }
        #expect(answered == 240)
        #expect(peak <= most ?? 12)
        // No request is refused often, and none of them because it is the only one.
        #expect(refused <= 12 * 5)
        #expect(alone == 0)
    }

    /// An upload takes hours, in which a server is busy for a moment; another one allows two at a time for ever.
    @Test(arguments: [8, 2])
    func `more requests are made again after a while, seldom where each more is refused`(allowed: Int) async throws {
        let seconds = Atomic(UInt64(0))
        let limits = RequestLimits(most: 8, now: { seconds.load(ordering: .relaxed) * 1_000_000_000 })
        let state = Mutex((now: 0, answered: 0, refused: 0, peak: 0))
        try await within {
            runLanes(8) { _ in
                for _ in 0..<60 {
                    while true {
                        guard let turn = try? limits.begin(at: "a", unless: { false }) else { return }
                        let isServed = state.withLock { state in
                            state.now += 1
                            // Busy at first.
                            let isServed = state.now <= (state.answered < 20 ? 1 : allowed)
                            if isServed, state.answered > 300 { state.peak = max(state.peak, state.now) }
                            return isServed
                        }
                        // A refusal is quick: else more would follow before it is noted.
                        if isServed { usleep(1000) }
                        state.withLock { $0.now -= 1 }
                        if isServed {
                            seconds.add(40, ordering: .relaxed)
                            limits.noteSuccess(at: "a")
                        } else {
                            _ = limits.lower(after: turn)
                        }
                        limits.end(turn)
                        state.withLock { state in
                            if isServed { state.answered += 1 } else { state.refused += 1 }
                        }
                        if isServed { break }
                    }
                }
            }
        }
        let (_, answered, refused, peak) = state.withLock { $0 }
        #expect(answered == 480)
        #expect(allowed - allowed / 4...allowed ~= peak, "\(peak)")
        #expect(refused < 60, "\(refused)")
    }

    @Test func `whoever waits is woken by the end of the run`() async throws {
        let limits = RequestLimits(most: 1)
        let isCancelled = Atomic(false)
        let ended = try await within {
            let turn = try limits.begin(at: "a", unless: { false })
            // Another server has a limit of its own.
            limits.end(try limits.begin(at: "b", unless: { false }))
            let ended = Atomic(0)
            try startThread {
                usleep(50_000)
                isCancelled.store(true, ordering: .releasing)
                limits.wakeAll()
            }
            runLanes(5) { _ in
                if (try? limits.begin(at: "a", unless: { isCancelled.load(ordering: .acquiring) })) == nil {
                    ended.add(1, ordering: .relaxed)
                }
            }
            limits.end(turn)
            return ended.load(ordering: .relaxed)
        }
        #expect(ended == 5)
    }
}
