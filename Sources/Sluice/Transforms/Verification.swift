/// Decompresses each frame before it is written, and compares it with the content that it was made of.
public struct Verification: Sendable {
    /// What the frames refer to.
    let dictionary: DecompressionDictionary?

    /// Creates a verification, which a ``Compression`` takes.
    ///
    /// - Parameter dictionary: the counterpart of that of the compression; nil if it has none.
    public init(dictionary: DecompressionDictionary? = nil) {
        self.dictionary = dictionary
    }

    /// Bytes that it takes for each worker, with a context of up to a mebibyte without a window.
    ///
    /// - Parameter frame: the most bytes of content that a worker decompresses at once, and of its window.
    func memory(frame: Int) -> Int { 2 * frame + (1 << 20) }
}
