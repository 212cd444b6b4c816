internal import Glibc
internal import SluiceEngine
internal import Synchronization

/// A compressed file whose content can be read at any place, by any number of threads.
///
/// Only the frames that hold the bytes are read and decoded, and the last ones are kept. The frames are found when the
/// file is opened, by a seek table at its end (docs/format.md, "Seek table") or from one frame header to the next.
/// Where that takes decoding the whole file, an ``IndexFile`` keeps the result.
///
///     let file = try CompressedFile(at: "log.zst")
///     let record = try file.read(record.offset..<record.offset + record.size)
///
/// Damage shows when its frame is read: the checksums of frames are verified. The exception is a frame with more than
/// 32 MiB of content, which is decoded from its start to the bytes that are read, and from there on the next time.
public final class CompressedFile: Sendable {
    /// How a file is opened and read.
    ///
    ///     let options = CompressedFile.Options(cacheSize: 256 << 20, threads: 4)
    ///     let file = try CompressedFile(at: "log.zst", options: options)
    public struct Options: Sendable {
        /// The dictionary and the limits of the frames; its ranges are not used.
        public var decompression = Decompression()
        /// Bytes of decoded frames to keep; the last frame is kept in any case.
        public var cacheSize = 32 << 20
        /// Keeps an index if only decoding the whole file can find its frames.
        public var indexFile: IndexFile?
        /// The number of frames that are decoded at a time, at least 1; nil for one on each processor that the process
        /// may use.
        public var threads: Int?
        /// What is sent to the server of a URL.
        public var remote = RemoteOptions()

        /// Creates options, each with its default.
        ///
        /// - Parameters:
        ///   - decompression: the dictionary and the limits of the frames; its ranges are not used.
        ///   - cacheSize: bytes of decoded frames to keep; the last frame is kept in any case.
        ///   - indexFile: keeps an index if only decoding the whole file can find its frames.
        ///   - threads: frames that are decoded at a time; nil for one on each processor.
        public init(
            decompression: Decompression = Decompression(), cacheSize: Int = 32 << 20, indexFile: IndexFile? = nil,
            threads: Int? = nil
        ) {
            (self.decompression, self.cacheSize) = (decompression, cacheSize)
            (self.indexFile, self.threads) = (indexFile, threads)
        }
    }

    /// Bytes of the content.
    public let contentSize: Int
    let content: IndexedContent
    /// The file, if it was opened here.
    private let file: OpenFile?

    /// Opens a regular file, and finds its frames. The calling thread waits; `open(at:options:)` suspends a Task
    /// instead.
    ///
    /// - Throws: `notFound` or `file` if it can't be opened; `notSeekable` if it is not a regular file, or has no
    ///   frames; `truncated`, `corrupt` and others of a decompression if decoding the whole file is needed and fails;
    ///   `reading`, `sourceShrank`, `invalidOption`; for the index `wrongIndex`, `notAnIndex` and `file`.
    public convenience init(at path: FilePath, options: Options = Options()) throws(Failure) {
        try self.init(at: path, options, FailureLatch())
    }

    /// Opens a regular file by a path in a string, or a remote one by a URL (`RemoteLocation`), and finds its frames.
    ///
    ///     let backup = try CompressedFile(at: "https://example.org/backup.tar.zst")
    ///
    /// - Throws: as with a `FilePath`; for a URL `remote` and `remoteChanged`.
    public convenience init(at path: String, options: Options = Options()) throws(Failure) {
        try self.init(at: path, options, FailureLatch())
    }

    convenience init(at path: String, _ options: Options, _ latch: FailureLatch) throws(Failure) {
        guard let location = RemoteLocation(path) else {
            try self.init(at: FilePath(whole: path), options, latch)
            return
        }
        do throws(Failure) {
            let client = try RemoteClient(options: options.remote)
            let number = latch.onFailure { client.cancel() }
            defer { latch.forget(number) }
            try self.init(Source(try RemoteFile.open(location, client: client)), nil, options, latch)
        } catch {
            throw error.ofOpening(FilePath(location.name))
        }
    }

    /// Finds the frames of a file that lies anywhere else.
    ///
    /// - Throws: as the initializer that opens a file, and what the origin throws.
    public convenience init(_ origin: any RangeSource, options: Options = Options()) throws(Failure) {
        try self.init(Source(origin), nil, options, FailureLatch())
    }

    /// - Parameter latch: ends the decoding of the whole file, if that is needed, from elsewhere.
    convenience init(at path: FilePath, _ options: Options, _ latch: FailureLatch) throws(Failure) {
        do throws(Failure) {
            // O_NONBLOCK: a FIFO is refused, so don't wait for a writer.
            let flags = O_RDONLY | O_NOCTTY | O_NONBLOCK
            let descriptor = try Failure.file("open", path, FileDescriptor(opening: path, flags))
            let file = OpenFile(descriptor)
            try self.init(Source(descriptor), file, options, latch)
        } catch {
            throw error.ofOpening(path)
        }
    }

    /// Finds the frames of a regular file, from the position of its descriptor on.
    ///
    /// - Parameters:
    ///   - descriptor: it has to stay open. Its position does not change.
    ///   - options: how it is read.
    /// - Throws: as the initializer that opens a file.
    public convenience init(_ descriptor: FileDescriptor, options: Options = Options()) throws(Failure) {
        try self.init(Source(descriptor), nil, options, FailureLatch())
    }

    private init(
        _ source: Source, _ file: consuming OpenFile?, _ options: Options, _ latch: FailureLatch
    ) throws(Failure) {
        try RunOptions.check(threads: options.threads)
        guard source.isRandomAccess, CompressedInput(source).foreignFormat == nil else {
            throw .onlyForward(isFile: source.isRandomAccess)
        }
        self.file = file
        content = try IndexedContent(
            of: source, by: options.decompression, indexFile: options.indexFile, threads: Job.threads(options.threads),
            cacheSize: options.cacheSize, latch: latch)
        contentSize = Int(clamping: content.index.contentSize)
    }

    /// Decodes a range of the content, on the calling thread and, for several frames, on others (`Options.threads`).
    ///
    /// - Parameter range: bytes of the content; those outside it are left out.
    /// - Throws: `corrupt` for damage, or for a wrong index; `dictionary` and `windowTooLarge` for what a frame needs;
    ///   `reading`, `sourceShrank`, `outOfMemory`.
    public func read(_ range: Range<Int>) throws(Failure) -> [UInt8] {
        let wanted = range.clamped(to: 0..<contentSize)
        var bytes: [UInt8] = []
        // A hostile file may claim any size: memory is allocated for what was decoded, and one step more.
        while bytes.count < wanted.count {
            let step = min(IndexedContent.mostHeld, wanted.count - bytes.count)
            let first = wanted.lowerBound + bytes.count
            try bytes.append(addingCapacity: step) { memory throws(Failure) in
                try memory.append { room throws(Failure) in
                    try content.read(first..<first + step, into: room)
                    return step
                }
            }
        }
        return bytes
    }

    /// Decodes content into the caller's memory, such as a reused buffer: as many bytes as fit, and fewer at the end of
    /// the content.
    ///
    ///     try file.read(from: offset, into: &memory)
    ///
    /// - Parameters:
    ///   - offset: the first byte of the content. Before byte 0 there are none.
    ///   - memory: the bytes are appended.
    /// - Throws: as `read(_:)`; nothing is appended then.
    public func read(from offset: Int, into memory: inout OutputRawSpan) throws(Failure) {
        try memory.append { room throws(Failure) in try read(from: offset, into: room) }
    }

    /// Decodes content into the caller's memory that has a type, such as that of a new array.
    ///
    /// - Parameters:
    ///   - offset: the first byte of the content. Before byte 0 there are none.
    ///   - memory: the bytes are appended, as many as fit.
    /// - Throws: as `read(_:)`; nothing is appended then.
    public func read(from offset: Int, into memory: inout OutputSpan<UInt8>) throws(Failure) {
        try memory.append { room throws(Failure) in try read(from: offset, into: room) }
    }

    /// - Returns: how many bytes there were.
    private func read(from offset: Int, into memory: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        let end = offset.addingReportingOverflow(memory.count)
        let range = (offset..<(end.overflow ? .max : end.partialValue)).clamped(to: 0..<contentSize)
        try content.read(range, into: memory)
        return range.count
    }

    /// Divides the content into shares of whole frames, as even as the frames allow, for threads or machines that each
    /// process one: those that `sluice -d --part=K/N` writes. Frames that were made by
    /// `Compression.Framing.lines(end:)` have whole lines, and so have the shares.
    ///
    ///     for share in file.shares(4) { print(try file.read(share).count) }
    ///
    /// - Parameter count: from 1 to a million; other numbers count as the nearest of these.
    /// - Returns: ranges of the content in bytes, in order, without gaps. Some are empty if there are few frames, which
    ///   is not an error.
    public func shares(_ count: Int) -> [Range<Int>] {
        let count = min(max(1, count), PartNumber.mostParts)
        return (1...count).compactMap { PartNumber($0, of: count) }.map { share in
            let place = content.index.bytes(of: share)
            return Int(place.lowerBound)..<Int(place.upperBound)
        }
    }
}

extension Failure {
    /// The failure to open a file, whose message names it.
    fileprivate func ofOpening(_ file: FilePath) -> Failure { path != nil || self == .cancelled ? self : about(file) }
}

extension CompressedFile {
    /// The most bytes of a sparse file, whose holes take none in the archive.
    private static let mostSparse: UInt64 = 1 << 30

    /// Decodes the content of a member that is a file. Its headers in the archive must match it.
    ///
    /// - Parameter member: one of ``members``.
    /// - Returns: the content, with zeros for holes.
    /// - Throws: `archive` if the headers differ, or the member is not a file; `tooLarge` if it is sparse and has more
    ///   than 1 GiB; as `read(_:)` of a range.
    public func read(_ member: ArchiveMember) throws(Failure) -> [UInt8] {
        guard member.kind.isFile else { throw .archive("\(member.path.printable) is not a file") }
        guard member.start < member.data, member.data - member.start <= ArchiveMember.mostHeaders,
            member.data <= UInt64(contentSize), member.storedSize <= UInt64(contentSize) - member.data
        else { throw .damagedArchive("its index describes another member there", at: member.start) }
        let (start, data) = (Int(member.start), Int(member.data))
        let stored = data..<data + Int(member.storedSize)
        guard let map = try member.prove(try read(start..<data)) else { return try read(stored) }
        if member.contentSize > Self.mostSparse { throw .tooLargeToHold(limit: Self.mostSparse) }
        var sparse = try SparseContent(member, map)
        var content = try sparse.take(Bytes(try read(stored)))
        content.append(try sparse.finish())
        return content.elements
    }
}
