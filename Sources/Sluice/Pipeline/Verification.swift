public import ZstdCodec

/// That each frame is decompressed by the worker that made it, and compared with its content, before it is written.
public struct Verification: Sendable {
    /// What the frames refer to.
    let dictionary: DecompressionDictionary?

    /// - Parameter dictionary: the counterpart of that of the compression.
    public init(dictionary: DecompressionDictionary? = nil) {
        self.dictionary = dictionary
    }

    /// Bytes of a context that decompresses, without a window.
    private static let contextMemory = 1 << 20

    /// Bytes that it takes for each worker.
    ///
    /// - Parameter frame: bytes of content that a worker decompresses at once, and of its window at most.
    func memory(frame: Int) -> Int { 2 * frame + Self.contextMemory }
}
