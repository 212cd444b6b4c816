internal import Glibc
public import SystemPackage
public import ZstdCodec

/// A part of the content of a ``CompressedFile``, as a sequence of buffers of at most a mebibyte.
///
/// Each iteration is a run of its own, which begins with the first `next`, on the file's number of threads. It reads
/// ahead and decodes frames side by side, until so many are decoded that nobody has taken: two more than there are
/// threads, each of at most 32 MiB, or of a larger frame four mebibytes. It ends when its iterator goes, or its Task is
/// cancelled.
public struct ContentBuffers: AsyncSequence, Sendable {
    /// Bytes of a buffer.
    private static let size = 1 << 20

    let file: CompressedFile
    let range: Range<UInt64>

    /// Begins nothing yet.
    public func makeAsyncIterator() -> Iterator { Iterator(run: file.run(of: range)) }

    /// One run.
    public struct Iterator: AsyncIteratorProtocol {
        let run: BufferRun
        /// What was decoded and not returned yet.
        private var rest = Bytes()

        init(run: BufferRun) { self.run = run }

        /// Waits for the next bytes.
        ///
        /// - Throws: as `CompressedFile.read` does; `cancelled`, `outOfThreads`.
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
    /// Opens a regular file on a thread of its own, while the caller is suspended: it may have to be decoded.
    ///
    /// - Parameters: as of the initialiser.
    /// - Throws: the same; `cancelled`, `outOfThreads`.
    public static func open(
        at path: FilePath, dictionary: DecompressionDictionary? = nil,
        windowLimit: UInt64 = Decompression.defaultWindowLimit, cacheSize: Int = 32 << 20,
        indexFile: IndexFile? = nil, threads: Int = availableProcessors()
    ) async throws(Failure) -> CompressedFile {
        let latch = FailureLatch()
        return try await ThreadCompletion.onThread(latch: latch) { () throws(Failure) in
            try CompressedFile(
                at: path, dictionary, windowLimit: windowLimit, cacheSize: cacheSize, indexFile, threads: threads,
                latch)
        }
    }

    /// A part of the content, to be read while the caller is suspended.
    ///
    /// - Parameter range: bytes of the content; what lies behind its end is left out. Nil for all of it.
    public func buffers(in range: Range<UInt64>? = nil) -> ContentBuffers {
        ContentBuffers(file: self, range: (range ?? 0..<contentSize).clamped(to: 0..<contentSize))
    }

    /// A run that decodes a part of the content. It has a descriptor of its own, for it may still read when nobody
    /// waits for it any more.
    fileprivate func run(of range: Range<UInt64>) -> BufferRun {
        let extraction = Action(operation: ContentExtraction(range, of: index, decompression))
        return BufferRun(RunOptions(threads: threads).job(extraction)) { [self] job, sink, latch throws(Failure) in
            if range.isEmpty { return }
            let copy = try Failure.reading { () throws(Errno) in
                try systemCall { fcntl(source.descriptor.rawValue, F_DUPFD_CLOEXEC, 3) }
            }
            defer { close(copy) }
            _ = try job.run(
                from: try source.readInPlace(through: FileDescriptor(rawValue: copy)), to: sink, latch: latch)
        }
    }
}
