internal import Dispatch
internal import Synchronization

/// The content of frames that were read last, up to so many bytes of it, and always of the last one.
///
/// A frame that several threads miss at once is decoded by the first of them, and the others wait for that one.
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
        /// The last one is the one that was read last.
        var frames: [(position: Int, bytes: Bytes)] = []
        var pending: [Int: Pending] = [:]
    }

    private enum Finding {
        case held(Bytes)
        case decodedByAnother(Pending)
        case missing(Pending)
    }

    /// Bytes.
    private let size: Int
    private let state = Mutex(State())

    init(size: Int) {
        self.size = size
    }

    /// The content of a frame, decoded if it is not held. No lock is held meanwhile.
    ///
    /// - Throws: what the decoding does, to all who wait for it.
    func frame(_ position: Int, decode: () throws(Failure) -> Bytes) throws(Failure) -> Bytes {
        switch find(position) {
        case .held(let bytes): return bytes
        case .decodedByAnother(let pending): return try pending.wait()
        case .missing(let pending):
            let outcome = Result { () throws(Failure) in try decode() }
            state.withLock { state in
                state.pending[position] = nil
                if case .success(let bytes) = outcome { keep(bytes, position, &state) }
            }
            pending.finish(outcome)
            return try outcome.get()
        }
    }

    private func find(_ position: Int) -> Finding {
        state.withLock { state in
            if let place = state.frames.firstIndex(where: { $0.position == position }) {
                let frame = state.frames.remove(at: place)
                state.frames.append(frame)
                return .held(frame.bytes)
            }
            if let pending = state.pending[position] { return .decodedByAnother(pending) }
            let pending = Pending()
            state.pending[position] = pending
            return .missing(pending)
        }
    }

    private func keep(_ bytes: Bytes, _ position: Int, _ state: inout State) {
        state.frames.append((position, bytes))
        var held = state.frames.reduce(0) { $0 + $1.bytes.count }
        while held > size, state.frames.count > 1 { held -= state.frames.removeFirst().bytes.count }
    }
}
