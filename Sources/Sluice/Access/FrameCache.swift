internal import Synchronization

/// The content of frames that were read last, up to so many bytes of it, and always of the last one.
final class FrameCache: Sendable {
    /// Bytes.
    private let size: Int
    /// The last one is the one that was read last.
    private let frames = Mutex<[(position: Int, bytes: Bytes)]>([])

    init(size: Int) {
        self.size = size
    }

    subscript(position: Int) -> Bytes? {
        get {
            frames.withLock { frames in
                guard let place = frames.firstIndex(where: { $0.position == position }) else { return nil }
                frames.append(frames.remove(at: place))
                return frames.last?.bytes
            }
        }
        set {
            guard let newValue else { return }
            frames.withLock { frames in
                frames.removeAll { $0.position == position }
                frames.append((position, newValue))
                var held = frames.reduce(0) { $0 + $1.bytes.count }
                while held > size, frames.count > 1 { held -= frames.removeFirst().bytes.count }
            }
        }
    }
}
