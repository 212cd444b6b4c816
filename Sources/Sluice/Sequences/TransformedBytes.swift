/// What the buffers of a sequence become, as a sequence: see `compressed` and `decompressed`.
///
/// Each iteration is a run of its own, which begins with the first `next`. It works in parallel, and gives in order. It
/// takes no more from the base than its slots hold, and makes no more before somebody takes it. It ends when its
/// iterator goes, or its Task is cancelled: `next` then throws `Failure.cancelled`.
public struct TransformedBytes<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: BytesConvertible {
    /// A buffer of the same type.
    public typealias Element = Base.Element

    let base: Base
    let action: Action
    let options: RunOptions

    /// Begins nothing yet.
    public func makeAsyncIterator() -> Iterator { Iterator(run: BufferRun(base, action, options)) }

    /// One run.
    public struct Iterator: AsyncIteratorProtocol {
        let run: BufferRun

        /// Waits for the next bytes, which are seldom as many as those before.
        ///
        /// - Throws: what the base throws; `Failure`.
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
    /// - Parameters:
    ///   - level: from -131072, the fastest, to 22, the smallest.
    ///   - options: how it is run.
    public func compressed(level: Int = 3, options: RunOptions = RunOptions()) -> TransformedBytes<Self> {
        transformed(by: Compression(level: level), options: options)
    }

    /// The content of the buffers, which are frames, or one of the other formats that are read.
    public func decompressed(options: RunOptions = RunOptions()) -> TransformedBytes<Self> {
        transformed(by: Decompression(), options: options)
    }

    /// What an operation makes of the buffers.
    public func transformed(
        by transformation: some Transformation, options: RunOptions = RunOptions()
    ) -> TransformedBytes<Self> {
        TransformedBytes(base: self, action: transformation.action, options: options)
    }
}
