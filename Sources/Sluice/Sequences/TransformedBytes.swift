/// The transformed buffers of a sequence: see `compressed` and `decompressed`.
///
/// Each iteration is a run of its own, which begins with the first `next`, works in parallel, and returns in order. It
/// takes no more from the base than its slots hold, and waits for the caller to take its output. It ends with its
/// iterator, or when its Task is cancelled: `next` then throws `Failure.cancelled`.
public struct TransformedBytes<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: BytesConvertible {
    /// A buffer of the same type.
    public typealias Element = Base.Element

    let base: Base
    let action: Action
    let options: RunOptions

    /// Prepares a run, which begins later.
    public func makeAsyncIterator() -> Iterator { Iterator(run: BufferRun(base, action, options)) }

    /// One run.
    public struct Iterator: AsyncIteratorProtocol {
        let run: BufferRun

        /// Waits for the next bytes, of any number.
        ///
        /// - Throws: the error of the base; `Failure`.
        public mutating func next() async throws -> Base.Element? {
            try await run.next().map { Base.Element($0.data) }
        }
    }
}

extension AsyncSequence where Self: Sendable, Element: BytesConvertible {
    /// The buffers, compressed to independent frames by all processors.
    ///
    ///     for try await buffer in body.compressed(level: 3) { try await response.write(buffer) }
    ///
    /// - Parameter level: from -131072, the fastest, to 22, the smallest.
    public func compressed(level: Int = 3, options: RunOptions = RunOptions()) -> TransformedBytes<Self> {
        transformed(by: Compression(level: level), options: options)
    }

    /// The content of the buffers, in Zstandard or another supported format.
    public func decompressed(options: RunOptions = RunOptions()) -> TransformedBytes<Self> {
        transformed(by: Decompression(), options: options)
    }

    /// The buffers, transformed by an operation.
    public func transformed(
        by transformation: some Transformation, options: RunOptions = RunOptions()
    ) -> TransformedBytes<Self> {
        TransformedBytes(base: self, action: transformation.action, options: options)
    }
}
