internal import Synchronization

/// The whole frames that an interrupted run has left, for the workers that would make the same frames.
///
/// They are read in order, up to the one that a worker asks for; those before it wait for their workers. The worker
/// must prove what a frame holds.
final class ResumedFrames: Sendable {
    private struct State {
        /// Nil after the last whole frame.
        var walk: FrameWalk<FileFrames>?
        /// The number of the frame that is read next.
        var next = 0
        var waiting: [Int: [UInt8]] = [:]
    }

    private let source: Source
    /// Bytes of content of each frame but the last.
    private let frameSize: Int
    /// Whether frames end in a checksum. Only those before the first that differs are kept.
    let haveChecksums: Bool
    private let state: Mutex<State>

    /// - Parameters:
    ///   - descriptor: readable; the frames begin with the file.
    ///   - options: those that the frames were made with.
    init(_ descriptor: FileDescriptor, _ options: CompressionOptions) throws(Failure) {
        source = try Source(descriptor, isFresh: true)
        state = Mutex(State(walk: try FrameWalk(over: source, readsAll: true)))
        (frameSize, haveChecksums) = (options.effectiveFrameSize, options.hasChecksum)
    }

    /// Takes the frame whose content begins at `offset`; nil if there is none.
    func take(at offset: UInt64) -> [UInt8]? {
        let number = Int(offset / UInt64(frameSize))
        return state.withLock { state in
            while state.walk != nil, state.next <= number {
                guard let frame = read(&state) else {
                    state.walk = nil
                    break
                }
                state.waiting[state.next] = frame
                state.next += 1
            }
            return state.waiting.removeValue(forKey: number)
        }
    }

    /// The next frame with content; nil if no whole one follows.
    private func read(_ state: inout State) -> [UInt8]? {
        while let frame = try? state.walk?.nextWhole() {
            guard let header = frame.header else { continue }
            guard header.hasChecksum == haveChecksums,
                frame.compressedSize <= UInt64(CompressionOptions.bound(frameSize))
            else { return nil }
            return try? source.bytes(at: frame.offset, count: Int(frame.compressedSize))
        }
        return nil
    }
}
