internal import DequeModule
internal import Synchronization

/// The content of the last frames that were read, up to a number of bytes, and of the very last one in any case.
///
/// A frame that several threads miss at once is decoded by the first of them, and the others wait for it.
final class FrameCache: Sendable {
    /// The outcome of a decoding; locked until that is known.
    private typealias Pending = Locked<Result<Bytes, Failure>?>

    private struct State {
        /// Frames by their positions, with the number of their last use.
        var frames: [Int: (bytes: Bytes, use: UInt64)] = [:]
        /// Uses in their order. A frame's earlier ones stay until they come to the front, or are too many.
        var uses: Deque<(position: Int, use: UInt64)> = []
        var lastUse: UInt64 = 0
        /// Bytes of all frames.
        var held = 0
        var pending: [Int: Pending] = [:]

        /// The content of a frame, which counts as used now.
        mutating func use(_ position: Int) -> Bytes? {
            guard let bytes = frames[position]?.bytes else { return nil }
            lastUse += 1
            frames[position]?.use = lastUse
            uses.append((position, lastUse))
            if uses.count > 2 * frames.count + 64 { uses.removeAll { [frames] in frames[$0.position]?.use != $0.use } }
            return bytes
        }

        /// Adds a frame, and drops the least recently used ones until the others have `size` bytes at most.
        mutating func keep(_ bytes: Bytes, _ position: Int, within size: Int) {
            held += bytes.count - (frames.updateValue((bytes, 0), forKey: position)?.bytes.count ?? 0)
            _ = use(position)
            while held > size, frames.count > 1, let oldest = uses.popFirst() {
                guard let frame = frames[oldest.position], frame.use == oldest.use else { continue }
                held -= frame.bytes.count
                frames[oldest.position] = nil
            }
        }
    }

    /// Bytes.
    private let size: Int
    private let state = Mutex(State())

    init(size: Int) { self.size = size }

    /// The content of a frame. If it is not held, it is decoded outside the lock that other frames need.
    ///
    /// - Throws: the failure of the decoding, to all threads that wait for it.
    func frame(_ position: Int, decode: () throws(Failure) -> Bytes) throws(Failure) -> Bytes {
        let (held, pending) = state.withLock { state -> (Bytes, Pending?) in
            if let bytes = state.use(position) { return (bytes, nil) }
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
            if case .success(let bytes) = outcome { state.keep(bytes, position, within: size) }
        }
        return try outcome.get()
    }
}
