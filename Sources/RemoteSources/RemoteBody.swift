package import ByteStreams
internal import DequeModule
package import Dispatch
internal import Synchronization

/// The bytes of a remote file in order, from a server that does not answer requests for ranges.
///
/// Bytes that arrive faster than they are read wait in the connection.
package final class RemoteBody: ByteSource {
    /// The most bytes that are held, not counting the last piece from libcurl.
    private static let mostHeld = 16 << 20
    /// The most pieces that are held: each takes extra memory, and a server may send single bytes.
    private static let mostPieces = 1024

    private enum Phase {
        case new, running
        case ended(Failure?)
    }

    private struct State {
        var phase = Phase.new
        var held = Deque<Bytes>()
        var heldSize = 0
        var isOver = false

        /// Takes at most `count` bytes; nil if none are held.
        mutating func take(_ count: Int) -> Bytes? {
            guard var first = held.popFirst() else { return nil }
            let bytes = first.removeFirst(count)
            if !first.isEmpty { held.prepend(first) }
            heldSize -= bytes.count
            return bytes
        }
    }

    /// The size in bytes; nil if the server does not say.
    package let size: UInt64?
    private let client: RemoteClient
    private let address: Locked<RemoteAddress>
    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)
    private let room = DispatchSemaphore(value: 0)

    init(_ client: RemoteClient, _ address: Locked<RemoteAddress>, size: UInt64?) {
        self.client = client
        self.address = address
        self.size = size
    }

    package func read(_ count: Int, until deadline: DispatchTime?) throws(Failure) -> Bytes? {
        let isNew = state.withLock { state in
            guard case .new = state.phase else { return false }
            state.phase = .running
            return true
        }
        if isNew { try startThread { [self] in request() } }
        while true {
            let (bytes, phase, isOver) = state.withLock { state in
                (state.take(count), state.phase, state.isOver)
            }
            if isOver { return Bytes() }
            if let bytes {
                room.signal()
                return bytes
            }
            if case .ended(let failure) = phase {
                if let failure { throw failure }
                return nil
            }
            if arrival.wait(timeout: deadline ?? .distantFuture) == .timedOut { return Bytes() }
        }
    }

    package func endWaiting() {
        state.withLock { $0.isOver = true }
        arrival.signal()
        room.signal()
        // Nobody reads the rest of the answer, which a silent server may take long to send.
        client.cancel()
    }

    /// Ends the thread of the request, which may wait for room.
    package func finish() { endWaiting() }

    /// Makes the request, on its own thread, which waits while too many bytes are held.
    private func request() {
        var failure: Failure?
        var received: UInt64 = 0
        do throws(Failure) {
            // A coding that has to be that of the first bytes, which are held until then.
            var (coding, start): (ContentCoding?, [UInt8]) = (nil, [])
            let checkHeader = { [address] (header: AnswerHeader) throws(Failure) in
                // Without ranges, a repeated request can't continue where the connection broke.
                if received > 0 { throw Self.broken(after: received) }
                let path = address.withLock { $0.location.path }
                (coding, start) = (header.coding.flatMap { $0.isOfFile(named: path) ? nil : $0 }, [])
            }
            let take = { [self] (bytes: UnsafeRawBufferPointer) throws(Failure) in
                received += UInt64(bytes.count)
                guard let doubtful = coding else { return try add(Bytes(bytes)) }
                start += bytes
                if start.count < ContentCoding.startSize { return }
                if !doubtful.isOfFile(startingWith: start) { throw .encoded(doubtful) }
                coding = nil
                try add(Bytes(start))
            }
            let header = try client.get(address, isLong: true, range: { _ in nil }, judge: checkHeader, receive: take)
            if header.status != 200 { throw .refusal(header) }
            if let coding, !start.isEmpty { throw .encoded(coding) }
        } catch { failure = error }
        state.withLock { $0.phase = .ended(failure) }
        arrival.signal()
    }

    private static func broken(after count: UInt64) -> Failure {
        .remote("the connection broke after \(count) bytes, and the server does not answer requests for ranges")
    }

    private func add(_ bytes: Bytes) throws(Failure) {
        while !state.withLock({ $0.isOver || $0.heldSize < Self.mostHeld && $0.held.count < Self.mostPieces }) {
            room.wait()
        }
        let isOver = state.withLock { state in
            state.held.append(bytes)
            state.heldSize += bytes.count
            return state.isOver
        }
        if isOver { throw .cancelled }
        arrival.signal()
    }
}
