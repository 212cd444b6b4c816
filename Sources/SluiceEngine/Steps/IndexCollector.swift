internal import Synchronization

/// Collects the places and sizes of decoded chunks, from any worker, for an index.
final class IndexCollector: Sendable {
    /// Nil once there was another format, whose parts can't be decoded separately.
    private let chunks = Mutex<[(offset: UInt64, inputSize: UInt64, contentSize: UInt64)]?>([])
    /// The last four bytes of chunks, by their ends: an index file has them, and a server would be asked for each.
    private let ends = Mutex<[UInt64: UInt32]>([:])

    /// - Parameter ending: the last four bytes of the input.
    func note(_ offset: UInt64, inputSize: UInt64, contentSize: UInt64, ending: UInt32) {
        chunks.withLock { $0?.append((offset, inputSize, contentSize)) }
        if inputSize >= 4 { ends.withLock { $0[offset + inputSize] = ending } }
    }

    /// The last four bytes before places of the input, as far as they were noted.
    var marks: [UInt64: UInt32] { ends.withLock { $0 } }

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
    /// Nothing; a scan of all content records them.
    case collected(IndexCollector)
}
