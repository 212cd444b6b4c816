internal import ByteStreams
internal import DequeModule
internal import Dispatch
internal import Synchronization

/// Hands buffers from a Task, which is suspended while there are enough, to the thread that reads a run's input.
final class BufferSource: ByteSource {
    private struct State {
        var buffers: Deque<Bytes> = []
        var count = 0
        var isEnded = false
        var isCancelled = false
        /// Who waits until there is room.
        var producer: CheckedContinuation<Void, Never>?
    }

    /// Bytes that are enough: what comes then waits.
    private static let enough = 1 << 20

    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)

    /// Takes all the buffers of a sequence, as far as they are wanted.
    ///
    /// - Throws: what the sequence does.
    func fill<Buffers: AsyncSequence>(from buffers: Buffers) async throws where Buffers.Element: BytesConvertible {
        for try await buffer in buffers {
            let bytes = Bytes(buffer.dispatchData)
            if !bytes.isEmpty, await !push(bytes) { return }
        }
        end()
    }

    /// Adds a buffer, and waits until there is room for another one.
    ///
    /// - Returns: whether another one is wanted.
    private func push(_ bytes: Bytes) async -> Bool {
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

    /// No more will come.
    private func end() {
        state.withLock { $0.isEnded = true }
        arrival.signal()
    }

    func read(_ count: Int, until deadline: DispatchTime?) -> Bytes? {
        while true {
            let (hasBytes, isEnded, isCancelled) = state.withLock {
                (!$0.buffers.isEmpty, $0.isEnded, $0.isCancelled)
            }
            if isCancelled { return Bytes() }
            if hasBytes { return take(count) }
            if isEnded { return nil }
            guard arrival.wait(timeout: deadline ?? .distantFuture) == .success else { return Bytes() }
        }
    }

    private func take(_ count: Int) -> Bytes {
        let (bytes, producer) = state.withLock { state -> (Bytes, CheckedContinuation<Void, Never>?) in
            guard let first = state.buffers.first else { return (Bytes(), nil) }
            if first.count > count {
                var rest = first
                let part = rest.removeFirst(count)
                state.buffers[0] = rest
                state.count -= part.count
                return (part, nil)
            }
            state.buffers.removeFirst()
            state.count -= first.count
            return (first, state.count < Self.enough ? state.producer.take() : nil)
        }
        producer?.resume()
        return bytes
    }

    func endWaiting() {
        let producer = state.withLock { state in
            state.isCancelled = true
            (state.buffers, state.count) = ([], 0)
            return state.producer.take()
        }
        producer?.resume()
        arrival.signal()
    }
}
