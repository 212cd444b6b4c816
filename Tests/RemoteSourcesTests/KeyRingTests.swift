import ByteStreams
import Glibc
import StreamTestSupport
import Synchronization
import Testing

@testable import RemoteSources

/// When a key is asked for, and by whom.
@Suite(.timeLimit(.minutes(4)))
struct KeyRingTests {
    /// A place of keys whose clock stands still, and which counts how often it is asked.
    private final class Place: Sendable {
        let clock = Atomic(1000)
        let count = Atomic(0)
        /// How long a key is valid, in seconds; negative for a place that fails, 0 for one without keys.
        let life: Atomic<Int>
        /// How many seconds earlier a key ends than it would.
        let age = Atomic(0)
        /// Seconds until it answers.
        let delay: Double
        let client: RemoteClient
        private let kept = Mutex<KeyRing?>(nil)

        init(life: Int, delay: Double = 0) throws {
            self.life = Atomic(life)
            self.delay = delay
            client = try RemoteClient()
            let ring = KeyRing(.program) { [unowned self] in clock.load(ordering: .relaxed) }
            kept.withLock { $0 = ring }
        }

        func advance(_ seconds: Int) { clock.add(seconds, ordering: .relaxed) }

        /// The number of the key, from 1; nil for none.
        func key(insteadOf refused: AccessKey? = nil, _ client: RemoteClient? = nil) throws(Failure) -> AccessKey? {
            guard let ring = kept.withLock({ $0 }) else { return nil }
            return try ring.key(insteadOf: refused, for: client ?? self.client) { () throws(Failure) in try fetch() }
        }

        private func fetch() throws(Failure) -> AccessKey? {
            let number = count.add(1, ordering: .relaxed).newValue
            pause(delay)
            let life = life.load(ordering: .relaxed)
            if life < 0 { throw .remote("nobody answers") }
            let end = clock.load(ordering: .relaxed) + life - age.load(ordering: .relaxed)
            return life == 0 ? nil : AccessKey(identifier: "\(number)", secret: "x", expiration: end)
        }
    }

    /// The life of a key, and after how many seconds another one is asked for.
    @Test(arguments: [(3600, 3300), (700, 400), (600, 300), (100, 50), (2, 1)])
    func `a key is renewed five minutes before its end, or at half of a short life`(life: Int, due: Int) throws {
        let place = try Place(life: life)
        #expect(try place.key()?.identifier == "1")
        place.advance(due - 1)
        #expect(try place.key()?.identifier == "1")
        place.advance(1)
        #expect(try place.key()?.identifier == "2")
        #expect(try place.key()?.identifier == "2")
    }

    @Test func `a place without a key is asked again after five minutes`() throws {
        let place = try Place(life: 0)
        for _ in 0..<3 { #expect(try place.key() == nil) }
        #expect(place.count.load(ordering: .relaxed) == 1)
        place.life.store(3600, ordering: .relaxed)
        place.advance(300)
        #expect(try place.key()?.identifier == "2")
    }

    @Test func `a place that has no key any more is an error until it has one, and never means unsigned requests`()
        throws
    {
        let place = try Place(life: 100)
        _ = try place.key()
        place.life.store(0, ordering: .relaxed)
        place.advance(101)
        for _ in 0..<3 { #expect(throws: Failure.self) { try place.key() } }
        place.life.store(100, ordering: .relaxed)
        #expect(try place.key()?.identifier == "5")
    }

    @Test
    func `a key that has expired when it comes does not replace a valid one, and is not asked for at each request`()
        throws
    {
        let place = try Place(life: 3600)
        _ = try place.key()
        place.age.store(3601, ordering: .relaxed)
        place.advance(3300)
        for _ in 0..<3 { #expect(try place.key()?.identifier == "1") }
        #expect(place.count.load(ordering: .relaxed) == 2)
        place.advance(300)
        for _ in 0..<3 { #expect(try place.key()?.identifier == "3") }
        #expect(place.count.load(ordering: .relaxed) == 3)
        place.advance(60)
        place.age.store(0, ordering: .relaxed)
        #expect(try place.key()?.identifier == "4")
    }

    @Test func `a key that can't be renewed is used to its end, and asked for now and then`() throws {
        let place = try Place(life: 3600)
        _ = try place.key()
        place.life.store(-1, ordering: .relaxed)
        place.advance(3300)
        for _ in 0..<50 { #expect(try place.key()?.identifier == "1") }
        #expect(place.count.load(ordering: .relaxed) == 2)
        place.advance(60)
        #expect(try place.key()?.identifier == "1")
        #expect(place.count.load(ordering: .relaxed) == 3)
        place.advance(240)
        let failure = #expect(throws: Failure.self) { try place.key() }
        #expect(failure?.message == "nobody answers")
    }

    @Test func `a key that the store calls expired is renewed once`() throws {
        let place = try Place(life: 3600)
        let first = try #require(try place.key())
        let second = try #require(try place.key(insteadOf: first))
        #expect(second.identifier == "2")
        // Another request was under way with the first one.
        #expect(try place.key(insteadOf: first) == second)
        #expect(place.count.load(ordering: .relaxed) == 2)
    }

    @Test func `eight threads without a key ask once, and all get that or its failure`() async throws {
        for life in [3600, -1] {
            let place = try Place(life: life, delay: 0.2)
            let found = try await within {
                let found = Mutex<[String]>([])
                runLanes(8) { _ in
                    let result = Result { () throws(Failure) in try place.key() }
                    let text =
                        switch result {
                        case .success(let key): key?.identifier ?? "none"
                        case .failure(let failure): failure.message
                        }
                    found.withLock { $0.append(text) }
                }
                return found.withLock { $0 }
            }
            #expect(found == Array(repeating: life > 0 ? "1" : "nobody answers", count: 8))
            #expect(place.count.load(ordering: .relaxed) == 1)
        }
    }

    @Test func `others go on with a valid key while one thread asks for the next`() async throws {
        let place = try Place(life: 3600, delay: 0)
        _ = try place.key()
        place.advance(3400)
        let slow = try Place(life: 3600, delay: 0.5)
        _ = try slow.key()
        slow.advance(3400)
        let others = try await within {
            let others = Mutex<[String]>([])
            runLanes(4) { number in
                if number > 0 { usleep(100_000) }
                let key = try? slow.key()
                if number > 0 { others.withLock { $0.append(key?.identifier ?? "none") } }
            }
            return others.withLock { $0 }
        }
        #expect(others == ["1", "1", "1"])
        #expect(slow.count.load(ordering: .relaxed) == 2)
    }

    @Test func `whoever waits for a key is woken by the end of its run`() async throws {
        let place = try Place(life: 3600, delay: 2)
        let code = try await within {
            try startThread { _ = try? place.key() }
            guard eventually(5, { place.count.load(ordering: .relaxed) == 1 }) else { return Failure.Code?.none }
            let other = place.client.forOneFile()
            try startThread {
                usleep(100_000)
                other.cancel()
            }
            let start = ContinuousClock.now
            do throws(Failure) { _ = try place.key(insteadOf: nil, other) } catch {
                return ContinuousClock.now - start < .seconds(1.5) ? error.code : nil
            }
            return nil
        }
        #expect(code == .cancelled)
    }
}
