internal import Synchronization

/// Collects the places and sizes of decoded chunks, from any worker, for an index.
final class IndexCollector: Sendable {
    /// Nil once there was another format, whose parts can't be decoded separately.
    private let chunks = Mutex<[(offset: UInt64, inputSize: UInt64, contentSize: UInt64)]?>([])

    func note(_ offset: UInt64, inputSize: UInt64, contentSize: UInt64) {
        chunks.withLock { $0?.append((offset, inputSize, contentSize)) }
    }

    func giveUp() { chunks.withLock { $0 = nil } }

    /// The index of all chunks; gaps between them are frames without content.
    ///
    /// - Parameter end: bytes of the file.
    func index(to end: UInt64) -> FrameIndex? {
        guard let chunks = chunks.withLock({ $0 }) else { return nil }
        var index = FrameIndex(joinsSmallFrames: true)
        for chunk in chunks.sorted(by: { $0.offset < $1.offset }) {
            guard Self.skip(to: chunk.offset, &index),
                index.append(inputSize: chunk.inputSize, contentSize: chunk.contentSize)
            else { return nil }
        }
        return Self.skip(to: end, &index) ? index : nil
    }

    private static func skip(to offset: UInt64, _ index: inout FrameIndex) -> Bool {
        guard offset > index.inputSize else { return offset == index.inputSize }
        return index.append(inputSize: offset - index.inputSize, contentSize: 0)
    }
}

/// What is known about the content sizes of frames.
enum ExpectedContent: Sendable {
    case anything
    /// They must be those that an index lists.
    case index(FrameIndex)
    /// Nothing; a survey records them.
    case survey(IndexCollector)
}
