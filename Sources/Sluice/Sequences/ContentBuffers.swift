/// A range of the content of a ``CompressedFile``, as a sequence of buffers of at most a mebibyte.
///
/// Each iteration is a run of its own, which begins with the first `next`, on the file's number of threads. It decodes
/// frames in parallel, up to two more than there are threads ahead of the caller, each of at most 32 MiB; of a larger
/// frame, four mebibytes. It ends with its iterator, or when its Task is cancelled.
public struct ContentBuffers: AsyncSequence, Sendable {
    /// Bytes of a buffer.
    private static let size = 1 << 20

    let file: CompressedFile
    let range: Range<UInt64>

    /// Prepares a run, which begins later.
    public func makeAsyncIterator() -> Iterator { Iterator(run: file.run(of: range)) }

    /// One run.
    public struct Iterator: AsyncIteratorProtocol {
        let run: BufferRun
        /// Decoded bytes that have not been returned yet.
        fileprivate var rest = Bytes()

        /// Waits for the next bytes.
        ///
        /// - Throws: as `CompressedFile.read`; `cancelled`, `outOfThreads`.
        public mutating func next() async throws(Failure) -> [UInt8]? {
            while rest.isEmpty {
                do {
                    guard let bytes = try await run.next() else { return nil }
                    rest = bytes
                } catch {
                    throw error as? Failure ?? .cancelled
                }
            }
            return rest.removeFirst(ContentBuffers.size).elements
        }
    }
}

extension CompressedFile {
    /// Opens a regular file on a thread of its own, while the caller is suspended: the file may have to be decoded.
    ///
    /// - Parameters: as for the initialiser.
    /// - Throws: the same; `cancelled`, `outOfThreads`.
    public static func open(
        at path: FilePath, dictionary: DecompressionDictionary? = nil,
        windowLimit: UInt64? = nil, cacheSize: Int = 32 << 20,
        indexFile: IndexFile? = nil, threads: Int = availableProcessors()
    ) async throws(Failure) -> CompressedFile {
        let latch = FailureLatch()
        let options = Options(
            dictionary: dictionary, windowLimit: windowLimit, cacheSize: cacheSize, indexFile: indexFile,
            threads: threads)
        return try await FirstOutcome.onThread(latch: latch) { () throws(Failure) in
            try CompressedFile(at: path, options, latch)
        }
    }

    /// A range of the content, to be read while the caller is suspended.
    ///
    /// - Parameter range: bytes of the content; it is clamped to the content. Nil for all of it.
    public func buffers(in range: Range<UInt64>? = nil) -> ContentBuffers {
        ContentBuffers(file: self, range: (range ?? 0..<contentSize).clamped(to: 0..<contentSize))
    }

    /// A run that decodes a range of the content. It has a descriptor of its own, because it may still read after its
    /// Task has gone on.
    fileprivate func run(of range: Range<UInt64>) -> BufferRun {
        let wanted = ContentRange(.offset(range.lowerBound), count: UInt64(range.count))
        let extraction = Extraction(ranges: [wanted], decompression: decompression, index: index)
        return BufferRun(RunOptions(threads: threads).job(Action(operation: extraction))) {
            [self] job, sink, latch throws(Failure) in
            if range.isEmpty { return }
            let copy = try Failure.reading { () throws(Errno) in try source.descriptor.duplicated() }
            defer { try? copy.close() }
            _ = try job.run(from: try source.readInPlace(through: copy), to: sink, latch: latch)
        }
    }
}
