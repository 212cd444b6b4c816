public import SystemPackage
public import ZstdCodec

/// A part of the content of a ``CompressedFile``, as a sequence of buffers.
///
/// It is read and decoded on threads of its own, a mebibyte with each `next`, while the caller is suspended.
public struct ContentBuffers: AsyncSequence, Sendable {
    /// Bytes of a buffer.
    private static let size: UInt64 = 1 << 20

    let file: CompressedFile
    let range: Range<UInt64>

    /// Begins nothing yet.
    public func makeAsyncIterator() -> Iterator { Iterator(file: file, rest: range) }

    /// Reads on from where it is.
    public struct Iterator: AsyncIteratorProtocol {
        let file: CompressedFile
        var rest: Range<UInt64>

        /// Waits for the next bytes.
        ///
        /// - Throws: as `CompressedFile.read` does; `cancelled`, `outOfThreads`.
        public mutating func next() async throws(Failure) -> [UInt8]? {
            guard !rest.isEmpty else { return nil }
            let (file, start, count) = (file, rest.lowerBound, Swift.min(UInt64(rest.count), ContentBuffers.size))
            let latch = FailureLatch()
            let bytes = try await Landing.onThread(latch: latch) { () throws(Failure) in
                try file.read(at: start, count: Int(count), latch)
            }
            rest = start + count..<rest.upperBound
            return bytes
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
        return try await Landing.onThread(latch: latch) { () throws(Failure) in
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
}
