internal import DequeModule
package import Dispatch
internal import Synchronization

/// A source that hands buffers from a Task to the thread that reads a run's input. The Task is suspended while enough
/// buffers wait.
package final class BufferSource: ByteSource {
    private struct State {
        var buffers: Deque<Bytes> = []
        var count = 0
        var isEnded = false
        var isCancelled = false
        /// The Task, while it is suspended.
        var producer: CheckedContinuation<Void, Never>?

        /// Takes bytes of the first buffer; nil if there is none.
        mutating func take(_ most: Int) -> Bytes? {
            guard let taken = buffers.first?.count else { return nil }
            let bytes = buffers[0].removeFirst(most)
            if taken <= most { buffers.removeFirst() }
            count -= bytes.count
            return bytes
        }
    }

    /// The number of waiting bytes that suspends the Task.
    private static let enough = 1 << 20

    private let state: Mutex<State>
    private let arrival = DispatchSemaphore(value: 0)

    package init() { state = Mutex(State()) }

    /// Hands on bytes that were read before, and then ends.
    init(_ bytes: Bytes) { state = Mutex(State(buffers: [bytes], count: bytes.count, isEnded: true)) }

    /// Takes the buffers of a sequence, until no more are wanted.
    package func fill<Buffers: AsyncSequence>(from buffers: Buffers) async throws
    where Buffers.Element: Collection<UInt8> {
        for try await buffer in buffers {
            let bytes = Bytes(buffer)
            // Nobody waits for an empty buffer. A sequence that has one after another must not keep its thread from the
            // other Tasks.
            if bytes.isEmpty { await Task.yield() }
            guard await push(bytes) else { return }
        }
        state.withLock { $0.isEnded = true }
        arrival.signal()
    }

    /// Adds a buffer, and waits until another one is wanted.
    ///
    /// - Returns: false if none is wanted any more.
    private func push(_ bytes: Bytes) async -> Bool {
        if bytes.isEmpty { return state.withLock { !$0.isCancelled } }
        state.withLock { state in
            state.buffers.append(bytes)
            state.count += bytes.count
        }
        arrival.signal()
        await withCheckedContinuation { continuation in
            let hasRoom = state.withLock { state in
                if state.count < Self.enough || state.isCancelled { return true }
                state.producer = continuation
                return false
            }
            if hasRoom { continuation.resume() }
        }
        return state.withLock { !$0.isCancelled }
    }

    package func read(_ count: Int, until deadline: DispatchTime?) -> Bytes? {
        while true {
            let (bytes, isEnded, producer) = state.withLock {
                state -> (Bytes?, Bool, CheckedContinuation<Void, Never>?) in
                if state.isCancelled { return (Bytes(), false, nil) }
                return (state.take(count), state.isEnded, state.count < Self.enough ? state.producer.take() : nil)
            }
            producer?.resume()
            if let bytes { return bytes }
            if isEnded { return nil }
            guard arrival.wait(timeout: deadline ?? .distantFuture) == .success else { return Bytes() }
        }
    }

    package func endWaiting() {
        let producer = state.withLock { state in
            state.isCancelled = true
            (state.buffers, state.count) = ([], 0)
            return state.producer.take()
        }
        producer?.resume()
        arrival.signal()
    }
}
