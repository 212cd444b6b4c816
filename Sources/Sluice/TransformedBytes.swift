internal import SluiceEngine

/// The compressed or decompressed bytes of a sequence: see `compressed` and `decompressed`.
///
/// Each iteration is a separate run, which begins with the first `next`, works in parallel, and returns in order. It
/// takes no more from the base than its slots hold, and waits for the caller to take its output. It ends with its
/// iterator, or when its Task is cancelled: `next` then throws a `Failure` with the code `cancelled`.
///
///     let frames = body.compressed(level: 3)
///     for try await region in frames { try await response.write(region) }
public struct TransformedBytes<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Collection<UInt8> {
    let base: Base
    let operation: any RunOperation
    let options: RunOptions

    /// Prepares a run, which begins later.
    public func makeAsyncIterator() -> Iterator {
        let run = BufferRun { [base, operation, options] sink in
            _ = try await operation.run(from: base, to: RunOutput(place: .sink(sink)), options)
        }
        return Iterator(run: run)
    }

    /// One run.
    ///
    ///     var frames = body.compressed(level: 3).makeAsyncIterator()
    ///     while let region = try await frames.next() { try await response.write(region) }
    public struct Iterator: AsyncIteratorProtocol {
        let run: BufferRun
        /// Bytes that have not been returned yet.
        fileprivate var rest = Bytes()

        /// Waits for the next bytes.
        ///
        /// - Returns: any number of bytes but 0, not copied; nil at the end.
        /// - Throws: the error of the base; the `Failure` of the run, as from ``Compression`` or ``Decompression``.
        public mutating func next() async throws -> ByteRegion? {
            while true {
                if let region = ByteRegion(takenFrom: &rest) { return region }
                guard let bytes = try await run.next() else { return nil }
                rest = bytes
            }
        }
    }
}

extension AsyncSequence where Self: Sendable, Element: Collection<UInt8> {
    /// The buffers, compressed to independent frames by all processors.
    ///
    ///     for try await region in body.compressed(level: 3) { try await response.write(region) }
    ///
    /// - Parameters:
    ///   - level: from -131072, the fastest, to 22, the smallest.
    ///   - options: those of the run.
    public func compressed(level: Int = 3, options: RunOptions = RunOptions()) -> TransformedBytes<Self> {
        compressed(by: Compression(level: level), options: options)
    }

    /// The buffers, compressed with the settings of a ``Compression``.
    ///
    /// - Parameters:
    ///   - compression: the level, the frames and the rest.
    ///   - options: those of the run.
    public func compressed(by compression: Compression, options: RunOptions = RunOptions()) -> TransformedBytes<Self> {
        TransformedBytes(base: self, operation: compression.operation, options: options)
    }

    /// The content of buffers in Zstandard, gzip, xz, lzma or lz4.
    ///
    /// - Parameters:
    ///   - decompression: the dictionary, the limits and the ranges.
    ///   - options: those of the run.
    public func decompressed(
        by decompression: Decompression = Decompression(), options: RunOptions = RunOptions()
    ) -> TransformedBytes<Self> {
        TransformedBytes(base: self, operation: decompression.operation, options: options)
    }
}
