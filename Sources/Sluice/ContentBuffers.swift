internal import SluiceEngine

/// A range of the content of a ``CompressedFile``, as a sequence of buffers of at most 1 MiB.
///
/// Each iteration is a separate run, which begins with the first `next`, on the file's number of threads. It decodes
/// frames in parallel and ahead of the caller: up to two more than there are threads, each of at most 32 MiB; of a
/// larger frame, 4 MiB. It ends with its iterator, or when its Task is cancelled.
///
///     let file = try await CompressedFile.open(at: "log.zst")
///     for try await region in file.buffers(in: 1_000_000..<2_000_000) { print(region.count) }
public struct ContentBuffers: AsyncSequence, Sendable {
    /// Bytes of a buffer.
    private static let size = 1 << 20

    let file: CompressedFile
    let range: Range<Int>

    /// Prepares a run, which begins later.
    public func makeAsyncIterator() -> Iterator { Iterator(run: file.run(of: range)) }

    /// One run.
    ///
    ///     var buffers = file.buffers(in: 0..<file.contentSize).makeAsyncIterator()
    ///     while let region = try await buffers.next() { print(region.count) }
    public struct Iterator: AsyncIteratorProtocol {
        let run: BufferRun
        /// Decoded bytes that have not been returned yet.
        fileprivate var rest = Bytes()

        /// Waits for the next bytes.
        ///
        /// - Returns: at most 1 MiB, not copied; nil at the end of the range.
        /// - Throws: as `CompressedFile.read`; `cancelled`, `outOfThreads`.
        public mutating func next() async throws(Failure) -> ByteRegion? {
            while true {
                if let region = ByteRegion(takenFrom: &rest, most: ContentBuffers.size) { return region }
                do {
                    guard let bytes = try await run.next() else { return nil }
                    rest = bytes
                } catch {
                    throw error as? Failure ?? .cancelled
                }
            }
        }
    }
}

extension CompressedFile {
    /// Opens a regular file on a new thread, while the caller is suspended: the file may have to be decoded.
    ///
    /// - Throws: as the initializer; `cancelled`, `outOfThreads`.
    public static func open(at path: FilePath, options: Options = Options()) async throws(Failure) -> CompressedFile {
        try await CancellableThread.run { latch throws(Failure) in
            try CompressedFile(at: path, options, latch)
        }
    }

    /// Opens a regular file by a path in a string, or a remote one by a URL, while the caller is suspended.
    ///
    /// - Throws: as the initializer; `cancelled`, `outOfThreads`.
    public static func open(at path: String, options: Options = Options()) async throws(Failure) -> CompressedFile {
        try await CancellableThread.run { latch throws(Failure) in
            try CompressedFile(at: path, options, latch)
        }
    }

    /// A range of the content, to be read while the caller is suspended.
    ///
    /// - Parameter range: bytes of the content; those after its end are left out. Nil for all of it.
    public func buffers(in range: Range<Int>? = nil) -> ContentBuffers {
        ContentBuffers(file: self, range: (range ?? 0..<contentSize).clamped(to: 0..<contentSize))
    }

    /// A run that decodes a range of the content. It has its own descriptor, because it may still read after its Task
    /// has gone on.
    fileprivate func run(of range: Range<Int>) -> BufferRun {
        let extraction = Extraction([ContentRange(range)], content.decompression, index: content.index)
        let job = RunOptions(threads: content.threads).job(extraction)
        return BufferRun { sink in
            try await CancellableThread.run { [self] latch throws(Failure) in
                if range.isEmpty { return }
                let copy = try content.source.descriptor.map { descriptor throws(Failure) in
                    try Failure.reading(descriptor.duplicated())
                }
                defer { try? copy?.close() }
                let input = try content.source.readInPlace(through: copy)
                _ = try job.run(from: input, to: Sink(sink), latch: latch)
            }
        }
    }
}
