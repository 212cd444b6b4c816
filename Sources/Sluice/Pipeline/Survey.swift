internal import Synchronization
internal import ZstdCodec

/// What chunks have become, whoever decoded them, to make an index of.
final class Survey: Sendable {
    private struct Chunk {
        var offset: UInt64
        var inputSize: UInt64
        var contentSize: UInt64
    }

    /// Nil when there was something that is no frame: its parts can't be decoded for themselves.
    private let chunks = Mutex<[Chunk]?>([])

    func note(_ offset: UInt64, inputSize: UInt64, contentSize: UInt64) {
        chunks.withLock { $0?.append(Chunk(offset: offset, inputSize: inputSize, contentSize: contentSize)) }
    }

    func giveUp() { chunks.withLock { $0 = nil } }

    /// The index of all of them, and of what lies between: frames without content.
    ///
    /// - Parameter end: bytes of the file.
    func index(to end: UInt64) -> FrameIndex? {
        guard let chunks = chunks.withLock({ $0 }) else { return nil }
        var index = FrameIndex(joinsSmallFrames: true)
        for chunk in chunks.sorted(by: { $0.offset < $1.offset }) {
            guard chunk.offset >= index.inputSize else { return nil }
            let gap = chunk.offset - index.inputSize
            if gap > 0, !index.append(inputSize: gap, contentSize: 0) { return nil }
            guard index.append(inputSize: chunk.inputSize, contentSize: chunk.contentSize) else { return nil }
        }
        guard end >= index.inputSize else { return nil }
        let rest = end - index.inputSize
        return rest == 0 || index.append(inputSize: rest, contentSize: 0) ? index : nil
    }
}
