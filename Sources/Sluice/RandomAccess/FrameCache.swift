internal import Dispatch
internal import Synchronization

/// The content of the last frames that were read, up to a number of bytes, and of the very last one in any case.
///
/// A frame that several threads miss at once is decoded by the first of them, and the others wait for it.
final class FrameCache: Sendable {
    /// A frame that is being decoded.
    private final class Pending: Sendable {
        private let decoding = DispatchGroup()
        private let outcome = Mutex<Result<Bytes, Failure>?>(nil)

        init() { decoding.enter() }

        func finish(_ result: Result<Bytes, Failure>) {
            outcome.withLock { $0 = result }
            decoding.leave()
        }

        func wait() throws(Failure) -> Bytes {
            decoding.wait()
            return try outcome.withLock { $0 }?.get() ?? Bytes()
        }
    }

    private struct State {
        /// In the order of their last use.
        var frames: [(position: Int, bytes: Bytes)] = []
        var pending: [Int: Pending] = [:]
    }

    /// Bytes.
    private let size: Int
    private let state = Mutex(State())

    init(size: Int) { self.size = size }

    /// The content of a frame, decoded without a lock if it is not held.
    ///
    /// - Throws: the failure of the decoding, to all threads that wait for it.
    func frame(_ position: Int, decode: () throws(Failure) -> Bytes) throws(Failure) -> Bytes {
        let own = Pending()
        let (held, pending) = state.withLock { state -> (Bytes?, Pending) in
            if let place = state.frames.firstIndex(where: { $0.position == position }) {
                let frame = state.frames.remove(at: place)
                state.frames.append(frame)
                return (frame.bytes, own)
            }
            let pending = state.pending[position] ?? own
            state.pending[position] = pending
            return (nil, pending)
        }
        if let held { return held }
        guard pending === own else { return try pending.wait() }
        let outcome = Result { () throws(Failure) in try decode() }
        state.withLock { state in
            state.pending[position] = nil
            if case .success(let bytes) = outcome { keep(bytes, position, &state) }
        }
        pending.finish(outcome)
        return try outcome.get()
    }

    private func keep(_ bytes: Bytes, _ position: Int, _ state: inout State) {
        state.frames.append((position, bytes))
        var held = state.frames.reduce(0) { $0 + $1.bytes.count }
        while held > size, state.frames.count > 1 { held -= state.frames.removeFirst().bytes.count }
    }
}
