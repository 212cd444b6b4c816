internal import Dispatch
internal import Synchronization

/// What `within` throws: the body goes on, on its thread, and nobody waits for it.
package struct TookTooLong: Error {
    package init() {}
}

/// Runs `body` on a thread of its own, and fails when it takes longer than `seconds`: what hangs holds nobody up.
///
/// Not on the test's own thread: Swift's tasks share the pool that Dispatch reads and writes pipes on, and a body that
/// waits there would wait for itself (trap 5 in docs/dispatch-on-linux.md). Two bodies run at a time.
package func within<Success: Sendable>(
    _ seconds: Int = 30, _ body: @escaping @Sendable () throws -> Success
) async throws -> Success {
    try await withCheckedThrowingContinuation { continuation in
        Stage.shared.run { finished in
            let continuation = Mutex(Optional(continuation))
            let resume = { @Sendable (result: Result<Success, any Error>) in
                guard let continuation = continuation.withLock({ $0.take() }) else { return }
                finished()
                continuation.resume(with: result)
            }
            DispatchQueue(label: "test.deadline").asyncAfter(deadline: .now() + .seconds(seconds)) {
                resume(.failure(TookTooLong()))
            }
            resume(Result { try body() })
        }
    }
}

/// Where bodies run, two at a time.
private final class Stage: Sendable {
    typealias Body = @Sendable (_ finished: @escaping @Sendable () -> Void) -> Void

    static let shared = Stage()
    private let state = Mutex((waiting: [Body](), running: 0))

    package func run(_ body: @escaping Body) {
        state.withLock { $0.waiting.append(body) }
        startNext()
    }

    private func startNext() {
        let body = state.withLock { state -> Body? in
            guard state.running < 2, !state.waiting.isEmpty else { return nil }
            state.running += 1
            return state.waiting.removeFirst()
        }
        guard let body else { return }
        // Behind the tests that wait for the default pool, so that pipes are not starved by them.
        DispatchQueue.global().async {
            DispatchQueue(label: "test.body").async {
                body { [self] in
                    state.withLock { $0.running -= 1 }
                    startNext()
                }
            }
        }
    }
}

/// Waits until `condition` holds, and keeps no thread meanwhile.
///
/// - Returns: whether it came to hold within half a minute.
package func soon(_ condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(30)
    while !condition() {
        guard .now < end else { return false }
        try? await Task.sleep(for: .milliseconds(10))
    }
    return true
}

/// Waits until `condition` holds.
///
/// - Returns: whether it came to hold within `seconds`.
package func eventually(_ seconds: Double = 5, _ condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while !condition() {
        if ContinuousClock.now > deadline { return false }
        pause(0.002)
    }
    return true
}
