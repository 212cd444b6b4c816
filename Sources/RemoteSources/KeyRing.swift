internal import ByteStreams
internal import Dispatch
internal import Glibc
internal import Synchronization

/// The key that signs requests, which is found at the first one, and renewed before it expires.
///
/// All clients of a process share what comes from one place, except from a closure, which can't be compared.
/// One thread at a time asks for a key. Others use the one before, while that is valid, and wait otherwise; requests
/// that are under way keep theirs.
final class KeyRing: Sendable {
    /// How long before its end a key is renewed, in seconds; one that is valid for less than twice as long, at half of
    /// that.
    private static let margin = 300
    /// The pause in seconds before another try to renew a key that is still valid, or has expired when it came.
    private static let pause = 60

    private struct State {
        /// Nil before the first one was found; `.some(nil)` if there is none.
        var key: AccessKey??
        /// When to renew it, in seconds since 1970.
        var renewal = Int.max
        var flight: Flight?
    }

    /// A thread's way to a key, and the threads that wait for it.
    private final class Flight: Sendable {
        private let state = Mutex<(waiting: [DispatchSemaphore], isOver: Bool, failure: Failure?)>(([], false, nil))

        var failure: Failure? { state.withLock { $0.failure } }

        /// - Returns: false if it is over.
        func wake(_ waiting: DispatchSemaphore) -> Bool {
            state.withLock { state in
                if !state.isOver { state.waiting.append(waiting) }
                return !state.isOver
            }
        }

        func end(_ failure: Failure?) {
            let waiting = state.withLock { state in
                (state.isOver, state.failure) = (true, failure)
                return state.waiting
            }
            for waiting in waiting { waiting.signal() }
        }
    }

    private enum Step: Sendable {
        case use(AccessKey?)
        case fetch(Flight, instead: AccessKey?)
        case wait(Flight)
    }

    private let place: KeyPlace
    private let now: @Sendable () -> Int
    private let state = Mutex(State())

    /// The rings of this process, the last one that was asked for at the end.
    private static let all = Locked<[KeyRing]>([])
    /// As many are kept. A process has one mostly: others come with other variables.
    private static let mostKept = 16

    /// The ring for a place. A program that opens a thousand files asks a service once, not a thousand times.
    static func ring(for place: KeyPlace) -> KeyRing {
        guard place.isShared else { return KeyRing(place) }
        return all.withLock { all in
            let known = all.firstIndex { $0.place == place }.map { all.remove(at: $0) }
            let ring = known ?? KeyRing(place)
            all = all.suffix(mostKept - 1) + [ring]
            return ring
        }
    }

    /// - Parameter now: seconds since 1970.
    init(_ place: KeyPlace, now: @escaping @Sendable () -> Int = { time(nil) }) {
        (self.place, self.now) = (place, now)
    }

    /// The key to use now; nil if there is none.
    ///
    /// - Parameters:
    ///   - refused: a key that the store calls expired; nil for none.
    ///   - client: waits, and is told about a new key.
    ///   - fetch: gets a key from its place.
    /// - Throws: `remote` if the place is configured, and gives none; `cancelled`.
    func key(
        insteadOf refused: AccessKey? = nil, for client: RemoteClient,
        _ fetch: () throws(Failure) -> AccessKey?
    ) throws(Failure) -> AccessKey? {
        var isLast = false
        while true {
            switch state.withLock({ step(&$0, refused, isLast: isLast) }) {
            case .use(let key): return key
            case .fetch(let flight, let former):
                return try end(flight, instead: former, refused, client, fetch)
            case .wait(let flight):
                let wake = DispatchSemaphore(value: 0)
                try client.wait(for: wake) { flight.wake(wake) }
                // What failed for one thread is not tried by each; but a file whose run has ended says nothing.
                if let failure = flight.failure, failure != .cancelled { throw failure }
                isLast = refused != nil
            }
        }
    }

    /// - Parameter isLast: whether the key is the newest that can be had, so that a refused one has to do.
    private func step(_ state: inout State, _ refused: AccessKey?, isLast: Bool) -> Step {
        let current = state.key ?? nil
        let isExpired = current?.expiration.map { $0 <= now() } ?? false
        let isRefused = refused != nil && current == refused
        if state.key != nil, !isExpired, !isRefused || isLast {
            guard state.renewal <= now(), state.flight == nil else { return .use(isRefused ? nil : current) }
        }
        if isRefused, !place.isRenewed { return .use(nil) }
        if let flight = state.flight { return .wait(flight) }
        let flight = Flight()
        state.flight = flight
        return .fetch(flight, instead: isExpired || isRefused ? nil : current)
    }

    /// Gets a key, and ends the flight however that goes.
    ///
    /// - Parameter former: the one that is still valid, if any.
    private func end(
        _ flight: Flight, instead former: AccessKey?, _ refused: AccessKey?, _ client: RemoteClient,
        _ fetch: () throws(Failure) -> AccessKey?
    ) throws(Failure) -> AccessKey? {
        do throws(Failure) {
            var found = try fetch()
            if found == nil, refused != nil || state.withLock({ ($0.key ?? nil) != nil }) {
                throw .remote("\(place.name) has no key any more")
            }
            let renewal = renewal(of: found)
            if let end = found?.expiration, end <= now() {
                if former != nil { throw .remote("\(place.name) gives a key that has expired") }
                // A service that is down gives its last one, which may still be taken; or a clock is wrong.
                found = found.map { AccessKey(identifier: $0.identifier, secret: $0.secret, token: $0.token) }
            }
            state.withLock { [found] state in
                (state.key, state.flight, state.renewal) = (.some(found), nil, renewal)
            }
            flight.end(nil)
            let what = former == nil && refused == nil ? "the key" : "a new key"
            if let found, found != refused, found != former {
                client.options.onNotice("s3: \(what) is that of \(place.name)")
            }
            return found == refused ? nil : found
        } catch {
            state.withLock { state in
                state.flight = nil
                if former != nil {
                    state.renewal = now() + min(Self.pause, max(1, ((former?.expiration ?? 0) - now()) / 4))
                }
            }
            flight.end(former == nil ? error : nil)
            guard let former, error != .cancelled else { throw error }
            client.options.onNotice("s3: the key could not be renewed: \(error)")
            return former
        }
    }

    /// When to ask for the next key: for one that has expired already, and where there was none, after a pause.
    private func renewal(of key: AccessKey?) -> Int {
        guard place.isRenewed else { return .max }
        guard let key else { return now() + Self.margin }
        guard let end = key.expiration else { return .max }
        if end <= now() { return now() + Self.pause }
        return end - min(Self.margin, (end - now()) / 2)
    }
}
