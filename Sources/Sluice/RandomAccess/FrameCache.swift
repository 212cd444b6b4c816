internal import Synchronization

/// The content of the last frames that were read, up to a number of bytes, and of the very last one in any case.
///
/// A frame that several threads miss at once is decoded by the first of them, and the others wait for it.
final class FrameCache: Sendable {
    /// The outcome of a decoding; locked until that is known.
    private typealias Pending = Locked<Result<Bytes, Failure>?>

    private struct State {
        /// In the order of their last use.
        var frames: [(position: Int, bytes: Bytes)] = []
        var pending: [Int: Pending] = [:]
    }

    /// Bytes.
    private let size: Int
    private let state = Mutex(State())

    init(size: Int) { self.size = size }

    /// The content of a frame, decoded without a lock that others need if it is not held.
    ///
    /// - Throws: the failure of the decoding, to all threads that wait for it.
    func frame(_ position: Int, decode: () throws(Failure) -> Bytes) throws(Failure) -> Bytes {
        let (held, pending) = state.withLock { state -> (Bytes, Pending?) in
            if let place = state.frames.firstIndex(where: { $0.position == position }) {
                let frame = state.frames.remove(at: place)
                state.frames.append(frame)
                return (frame.bytes, nil)
            }
            let pending = state.pending[position] ?? Pending(nil)
            state.pending[position] = pending
            return (Bytes(), pending)
        }
        guard let pending else { return held }
        let outcome = pending.withLock { outcome in
            let first = outcome ?? Result { () throws(Failure) in try decode() }
            outcome = first
            return first
        }
        state.withLock { state in
            guard state.pending[position] === pending else { return }
            state.pending[position] = nil
            if case .success(let bytes) = outcome { keep(bytes, position, &state) }
        }
        return try outcome.get()
    }

    private func keep(_ bytes: Bytes, _ position: Int, _ state: inout State) {
        state.frames.append((position, bytes))
        var held = state.frames.reduce(0) { $0 + $1.bytes.count }
        while held > size, state.frames.count > 1 { held -= state.frames.removeFirst().bytes.count }
    }
}
