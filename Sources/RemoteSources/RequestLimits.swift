internal import ByteStreams
internal import DequeModule
internal import Dispatch

/// How many requests are made to each server at the same time: as many as there are, until the server refuses some.
///
/// Mirrors, and servers behind a limit of downloads, allow one or two connections, and refuse more with an error that
/// one connection would not get.
final class RequestLimits: Sendable {
    /// Requests to one server.
    private struct Server {
        /// The most requests at the same time.
        var most: Int
        var used = 0
        /// Whether it has answered a request as it was meant.
        var hasServed = false
        /// When one more request is tried, in nanoseconds, and how long after the one before.
        var next: UInt64 = 0
        var pause = RequestLimits.firstPause
        /// How many were made when the last one was added; nil if none was since the server has refused one.
        var tried: Int?
        var waiting = Deque<DispatchSemaphore>()
    }

    /// The right to make one request.
    struct Turn {
        let server: String
        /// The most requests at the same time when it began.
        let most: Int
        /// How many there were then, with this one.
        let used: Int
    }

    /// Nanoseconds after which one more request is made at the same time, at first.
    private static let firstPause: UInt64 = 30_000_000_000
    /// The same for a server that has refused each that was added.
    private static let longestPause: UInt64 = 1_920_000_000_000

    private let first: Int
    private let now: @Sendable () -> UInt64
    private let servers = Locked<[String: Server]>([:])

    /// - Parameters:
    ///   - most: nil for as many as there are.
    ///   - now: nanoseconds.
    init(most: Int?, now: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }) {
        (first, self.now) = (max(1, most ?? .max), now)
    }

    /// Waits until another request may be made.
    ///
    /// - Parameter isCancelled: asked before each wait, which `wakeAll` ends.
    func begin(at server: String, unless isCancelled: () -> Bool) throws(Failure) -> Turn {
        let wake = DispatchSemaphore(value: 0)
        while true {
            let turn = change(server) { state -> Turn? in
                guard state.used < state.most else {
                    state.waiting.append(wake)
                    return nil
                }
                state.used += 1
                return Turn(server: server, most: state.most, used: state.used)
            }
            if let turn { return turn }
            // Whoever cancels has said so before it wakes those that wait.
            if !isCancelled() { wake.wait() }
            if isCancelled() {
                stopWaiting(wake, at: server)
                throw .cancelled
            }
        }
    }

    func end(_ turn: Turn) {
        let next = change(turn.server) { state -> DispatchSemaphore? in
            state.used -= 1
            return state.used < state.most ? state.waiting.popFirst() : nil
        }
        next?.signal()
    }

    /// Passes on a turn that came too late.
    private func stopWaiting(_ wake: DispatchSemaphore, at server: String) {
        let next = change(server) { state -> DispatchSemaphore? in
            if let place = state.waiting.firstIndex(where: { $0 === wake }) {
                state.waiting.remove(at: place)
                return nil
            }
            return state.used < state.most ? state.waiting.popFirst() : nil
        }
        next?.signal()
    }

    /// Lets all that wait look whether they are cancelled.
    func wakeAll() {
        let waiting = servers.withLock { servers in
            var waiting: [DispatchSemaphore] = []
            for name in Array(servers.keys) {
                waiting += servers[name]?.waiting ?? []
                servers[name]?.waiting.removeAll()
            }
            return waiting
        }
        for wake in waiting { wake.signal() }
    }

    /// Notes that a server has answered. Where it has refused some of several requests, one more is made after a while
    /// if one waits: an upload takes hours, in which a server is busy now and then.
    func noteSuccess(at server: String) {
        let next = change(server) { state -> DispatchSemaphore? in
            state.hasServed = true
            guard state.most < first, !state.waiting.isEmpty, now() >= state.next else { return nil }
            state.most += 1
            (state.tried, state.next) = (state.most, now() + state.pause)
            return state.waiting.popFirst()
        }
        next?.signal()
    }

    /// Whether a server has answered, and refuses what it answered before.
    func hasServed(_ server: String) -> Bool { change(server) { $0.hasServed } }

    /// Whether fewer requests are made to a server than there could be, because it refused some.
    func isLowered(_ server: String) -> Bool { change(server) { $0.most < first } }

    /// Halves how many requests are made at the same time, since the server has refused one.
    ///
    /// - Returns: the new number; nil if this was the only request, so that the refusal has another reason.
    func lower(after turn: Turn) -> Int? {
        change(turn.server) { state in
            // Another request that was refused together with this one has lowered it.
            if state.most < turn.most { return state.most }
            let used = min(state.most, max(state.used, turn.used))
            guard used > 1 else { return nil }
            // What was tried was one too many, and is tried less often, however late that shows: a part takes minutes.
            let isTrial = state.tried == state.most
            state.most = isTrial ? state.most - 1 : max(1, used / 2)
            state.pause = isTrial ? min(2 * state.pause, Self.longestPause) : Self.firstPause
            (state.tried, state.next) = (nil, now() + state.pause)
            return state.most
        }
    }

    /// Whether a connection that a request has used, which is still counted, may stay open beside others.
    func allowsIdle(_ server: String, beside idle: Int) -> Bool {
        change(server) { $0.most == .max || $0.used + idle <= $0.most }
    }

    @discardableResult
    private func change<Result: Sendable>(_ server: String, _ body: (inout Server) -> Result) -> Result {
        servers.withLock { body(&$0[server, default: Server(most: first)]) }
    }
}
