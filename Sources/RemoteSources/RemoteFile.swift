public import ByteStreams
internal import Glibc
internal import Synchronization

/// A file on a server that answers requests for ranges of it, or an object of S3.
///
/// The first request is for the end of the file: its answer has the size, and mostly the seek table. Later answers
/// must have the same size and version, so that a run fails if the file is replaced in the meantime. If the server
/// sends neither an `ETag` nor a `Last-Modified`, only the size is compared.
///
///     if let location = RemoteLocation("s3://backups/a.tar.zst") {
///         let origin = try RemoteFile.open(location, client: RemoteClient())
///         print("\(origin.size) bytes, \(try CompressedFile(origin).contentSize) decompressed")
///     }
public final class RemoteFile: RangeSource {
    /// How many bytes at the end are requested first.
    private static let tailSize: UInt64 = 64 << 10
    /// A small read that begins less than this before the kept end reads all bytes up to that end: a table or an index
    /// is read from its start on.
    private static let nearEnd: UInt64 = 4 << 20
    /// The most bytes that are kept of the end.
    private static let mostTail: UInt64 = 8 << 20
    /// A read of fewer bytes is small, and is extended to this size, because the next ones are mostly close by.
    private static let smallRead: UInt64 = 16 << 10
    /// How many answers a read may take: a few, and more if each has bytes worth a request.
    private static let mostAnswers = (few: 6, perBytes: 16 << 10)
    /// How many small reads are kept besides the end.
    private static let mostKept = 80
    /// How many requests `prepare` makes at the same time.
    private static let lanes = 8

    /// Bytes that were read, and their offset in the file.
    private struct Kept {
        let start: UInt64
        let bytes: [UInt8]

        func holds(_ range: Range<UInt64>) -> Bool {
            start <= range.lowerBound && range.upperBound <= start + UInt64(bytes.count)
        }
    }

    private struct State {
        /// The end of the file, as far back as it was read.
        var tail: Kept
        var others: [Kept] = []

        func kept(_ range: Range<UInt64>) -> Kept? {
            tail.holds(range) ? tail : others.last { $0.holds(range) }
        }
    }

    /// The size in bytes.
    public let size: Int
    private let client: RemoteClient
    private let address: Locked<RemoteAddress>
    let version: AnswerHeader.Version
    /// What the server says that the file is encoded in.
    private let coding: ContentCoding?
    /// Whether requests name the version: some servers refuse that.
    private let namesVersion = Atomic(true)
    private let state: Mutex<State>

    fileprivate init(
        _ client: RemoteClient, _ address: Locked<RemoteAddress>, size: UInt64, tail: [UInt8],
        _ version: AnswerHeader.Version, _ coding: ContentCoding?
    ) {
        self.coding = coding
        self.client = client
        self.address = address
        self.size = Int(clamping: size)
        self.version = version
        state = Mutex(State(tail: Kept(start: size - UInt64(tail.count), bytes: tail)))
    }

    /// Reads bytes; small reads are kept for later ones.
    ///
    /// - Throws: `reading` if the file has no such bytes; `remote`, `remoteChanged`, `notFound`, `cancelled`.
    public func read(from offset: Int, into memory: inout OutputRawSpan) throws {
        guard 0...size ~= offset, memory.freeCapacity <= size - offset else {
            throw Failure(.reading, "can't read: the file on the server has \(size) bytes, and not those asked for")
        }
        try memory.append { room throws(Failure) in
            try read(UInt64(offset)..<UInt64(offset) + UInt64(room.count), into: room)
            return room.count
        }
    }

    /// Reads small ranges at the same time, and keeps them. One read serves those that lie close together.
    public func prepare(_ ranges: [Range<Int>]) {
        var wanted: [Range<UInt64>] = []
        for range in ranges.map({ $0.clamped(to: 0..<size) }) where !range.isEmpty {
            let range = UInt64(range.lowerBound)..<UInt64(range.upperBound)
            if let last = wanted.last, range.upperBound <= last.lowerBound + Self.smallRead { continue }
            if state.withLock({ $0.kept(range) }) == nil { wanted.append(range) }
        }
        // Ignore failures: `read` reports them if it needs the range. But stop after one, so that a server which does
        // not respond is not waited for once per range.
        let hasFailed = Atomic(false)
        _ = try? runLanes(Self.lanes, over: wanted.count) { [self, wanted] number, _ throws(Failure) in
            if hasFailed.load(ordering: .relaxed) { return }
            do throws(Failure) { try keep(wanted[number], extendsTail: false) } catch {
                hasFailed.store(true, ordering: .relaxed)
                throw error
            }
        }
    }

    /// Ends all requests for this file.
    public func cancel() { client.cancel() }

    /// The same version of the file, which can be read even after `cancel` was called here.
    package func reopened() -> RemoteFile {
        let tail = state.withLock { $0.tail }
        return RemoteFile(client.forOneFile(), address, size: UInt64(size), tail: tail.bytes, version, coding)
    }

    private func read(_ range: Range<UInt64>, into room: UnsafeMutableRawBufferPointer) throws(Failure) {
        if copy(range, to: room) { return }
        // A table at the end of the file is read more than once.
        let isKept = range.count < Self.smallRead || range.upperBound == size && range.count <= Self.nearEnd
        if !isKept { return try fetch(range, into: room) }
        try keep(range, extendsTail: true)
        // A read that crosses the start of the old tail lies within the new one.
        if !copy(range, to: room) { try fetch(range, into: room) }
    }

    /// Reads a range and some bytes after it, and keeps them.
    ///
    /// - Parameter extendsTail: whether a read near the kept end of the file becomes a part of it.
    private func keep(_ range: Range<UInt64>, extendsTail: Bool) throws(Failure) {
        let tail = state.withLock { $0.tail.start }
        let isNearEnd =
            extendsTail && tail > range.lowerBound && tail - range.lowerBound <= Self.nearEnd
            && UInt64(size) - range.lowerBound <= Self.mostTail
        let end = isNearEnd ? tail : min(UInt64(size), max(range.upperBound, range.lowerBound + Self.smallRead))
        var bytes = [UInt8](repeating: 0, count: Int(end - range.lowerBound))
        var span = bytes.mutableSpan
        try span.withUnsafeMutableBytes { memory throws(Failure) in try fetch(range.lowerBound..<end, into: memory) }
        state.withLock { state in
            if end == state.tail.start {
                state.tail = Kept(start: range.lowerBound, bytes: bytes + state.tail.bytes)
            } else {
                if state.others.count == Self.mostKept { state.others.removeFirst() }
                state.others.append(Kept(start: range.lowerBound, bytes: bytes))
            }
        }
    }

    /// - Returns: whether the bytes are kept.
    private func copy(_ range: Range<UInt64>, to room: UnsafeMutableRawBufferPointer) -> Bool {
        guard let kept = state.withLock({ $0.kept(range) }) else { return false }
        room.copyBytes(from: kept.bytes[Int(range.lowerBound - kept.start)...].prefix(room.count))
        return true
    }

    /// Requests a range, and after a partial answer or a failure the bytes that are still missing.
    private func fetch(_ range: Range<UInt64>, into room: UnsafeMutableRawBufferPointer) throws(Failure) {
        // What has come, and how much comes with the answer under way.
        var (done, end) = (0, 0)
        let checkHeader = { [self] (header: AnswerHeader) throws(Failure) in
            end = done + (try check(header, range.lowerBound + UInt64(done)..<range.upperBound))
        }
        let take = { (bytes: UnsafeRawBufferPointer) throws(Failure) in
            if bytes.count > end - done {
                throw .remote("the server answered with more bytes than it was asked for")
            }
            room.extracting(done...).copyMemory(from: bytes)
            done += bytes.count
        }
        for _ in 1...Self.mostAnswers.few + room.count / Self.mostAnswers.perBytes {
            let tag = namesVersion.load(ordering: .relaxed) ? version.strongTag : nil
            let header = try client.get(
                address, range: { _ in "\(range.lowerBound + UInt64(done))-\(range.upperBound - 1)" },
                lines: tag.map { [Array("If-Match: ".utf8) + $0] } ?? [], judge: checkHeader, receive: take,
                isComplete: { done == room.count })
            if done == room.count, header.status == 206 { return }
            // A server may not know `If-Match`, or refuse its own tag. The next answer shows whether the file changed.
            if tag != nil, [400, 412, 501].contains(header.status) {
                namesVersion.store(false, ordering: .relaxed)
            } else if header.status != 206 {
                throw .refusal(header)
            }
        }
        throw .remote("the server answered with fewer bytes than it was asked for")
    }

    /// - Returns: how many bytes are answered: a server may send fewer than it was asked for (RFC 9110, 15.3.7).
    /// - Throws: `remote`, `remoteChanged` if the answer is not from the start of the requested range of the file that
    ///   was opened.
    private func check(_ header: AnswerHeader, _ wanted: Range<UInt64>) throws(Failure) -> Int {
        if header.status == 200 { throw .remote("the server no longer answers requests for ranges") }
        guard header.totalSize ?? UInt64(size) == UInt64(size), header.version == version else {
            throw .remoteChanged
        }
        guard let range = header.range, range.lowerBound == wanted.lowerBound, range.upperBound <= wanted.upperBound,
            header.coding == nil || header.coding == coding,
            header.contentLength ?? UInt64(range.count) == UInt64(range.count)
        else { throw .remote("the server answered with other bytes than it was asked for") }
        return range.count
    }
}

extension RemoteFile {
    /// A file, opened in the way that its server allows.
    package enum Opened {
        /// The server answers requests for ranges.
        case ranges(RemoteFile)
        /// It does not, so the file can only be read from its start on.
        case inOrder(RemoteBody)
    }

    /// Opens a file any range of which can be read.
    ///
    /// - Throws: `remote`, also if the server does not answer requests for ranges; `notFound`.
    public static func open(_ location: RemoteLocation, client: RemoteClient) throws(Failure) -> RemoteFile {
        guard case .ranges(let file) = try find(location, client: client) else { throw noRanges }
        return file
    }

    /// Opens a file, in the way that its server allows.
    ///
    /// - Throws: `remote`, `notFound`, `cancelled`.
    package static func find(_ location: RemoteLocation, client: RemoteClient) throws(Failure) -> Opened {
        try find(Locked(try client.address(of: location)), client.forOneFile())
    }

    /// Opens an object that was written, as it is at its store now.
    static func open(written address: RemoteAddress, _ client: RemoteClient) throws(Failure) -> RemoteFile {
        guard case .ranges(let file) = try find(Locked(address), client) else { throw noRanges }
        return file
    }

    private static func find(
        _ address: Locked<RemoteAddress>, _ client: RemoteClient
    ) throws(Failure) -> Opened {
        let tail = try ask(client, address, for: "-\(tailSize)", orAfterError: "0-\(tailSize - 1)")
        if let file = try tail.file(client, address) { return .ranges(try file.checkingCoding(tail)) }
        var last = tail
        // Some servers don't support ranges that count from the end.
        if !tail.isOfUnknownSize, tail.header.acceptsRanges || tail.header.status != 200 {
            last = try ask(client, address, for: "0-\(tailSize - 1)")
            if let file = try last.file(client, address) { return .ranges(try file.checkingCoding(last)) }
            if !last.isOfUnknownSize, last.header.status != 200 { throw unusable(last.header) }
        }
        return .inOrder(RemoteBody(client, address, size: last.isOfUnknownSize ? nil : last.header.contentLength))
    }

    /// The failure for an answer to the first request from which no file can be opened.
    private static func unusable(_ header: AnswerHeader) -> Failure {
        switch header.status {
        case 206: .remote("the server answers with other bytes than it was asked for, or does not say of how many")
        // Unlike in `refusal`, no file was open yet that could have changed.
        case 416: .remote("the server says that the file has no such bytes (status 416)")
        default: .refusal(header)
        }
    }

    /// Requests a range. If the answer is not a range, its body is not read.
    ///
    /// - Parameter other: what to ask for after an error of the server that may be about the range; nil for the same.
    private static func ask(
        _ client: RemoteClient, _ address: Locked<RemoteAddress>, for range: String, orAfterError other: String? = nil
    ) throws(Failure) -> FirstAnswer {
        var answer = FirstAnswer()
        do throws(Failure) {
            let startOver = { (last: Int) -> String? in
                answer.bytes = []
                return [500, 502, 504].contains(last) ? other ?? range : range
            }
            let checkHeader = { (header: AnswerHeader) throws(Failure) in
                answer.header = header
                if header.status != 206 || answer.isOfUnknownSize { throw noRanges }
            }
            let take = { (bytes: UnsafeRawBufferPointer) throws(Failure) in
                answer.bytes += bytes
                if answer.bytes.count > tailSize { throw noRanges }
            }
            answer.header = try client.get(
                address, range: startOver, judge: checkHeader, receive: take, isComplete: { answer.isWhole })
        } catch {
            if error != noRanges { throw error }
        }
        return answer
    }

    private static let noRanges = Failure(.remote, "the server does not answer requests for ranges")

    /// Makes sure that what the server says about the coding is about the file.
    ///
    /// - Parameter answer: the first one.
    /// - Throws: `remote` if the bytes of the file are not in that coding.
    private func checkingCoding(_ answer: FirstAnswer) throws(Failure) -> RemoteFile {
        guard let coding, size > 0, !coding.isOfFile(named: address.withLock { $0.location.path }) else { return self }
        var start = answer.bytes
        if answer.header.range?.lowerBound != 0 {
            let count = min(size, ContentCoding.startSize)
            start = [UInt8](repeating: 0, count: count)
            var span = start.mutableSpan
            try span.withUnsafeMutableBytes { memory throws(Failure) in try fetch(0..<UInt64(count), into: memory) }
        }
        if coding.isOfFile(startingWith: start) { return self }
        throw .encoded(coding)
    }

    /// The answer to the first request.
    private struct FirstAnswer {
        var header = AnswerHeader()
        var bytes: [UInt8] = []

        /// Whether all bytes that the header announces have arrived.
        var isWhole: Bool { header.range.map { $0.upperBound - $0.lowerBound == UInt64(bytes.count) } ?? false }

        /// Whether the server answers with a range, and does not say of how many bytes.
        var isOfUnknownSize: Bool { header.status == 206 && header.range != nil && header.totalSize == nil }

        /// The file that the answer is about; nil if another request, or reading in order, may work.
        ///
        /// - Throws: `remote`, `notFound` for the error that the server reports.
        func file(_ client: RemoteClient, _ address: Locked<RemoteAddress>) throws(Failure) -> RemoteFile? {
            // An empty file has no range.
            if header.status == 416, header.totalSize == 0 {
                return RemoteFile(client, address, size: 0, tail: [], header.version, nil)
            }
            if header.status == 206, let size = header.totalSize, let range = header.range, isWhole {
                let tail = range.upperBound == size ? bytes : []
                if header.version == AnswerHeader.Version() {
                    client.warnOnce(
                        address.withLock { $0.location.name },
                        "the server sends neither ETag nor Last-Modified: "
                            + "if the file is replaced by one of the same size, parts of both are read")
                }
                return RemoteFile(client, address, size: size, tail: tail, header.version, header.coding)
            }
            if ![200, 206, 400, 416, 501].contains(header.status) { throw .refusal(header) }
            return nil
        }
    }
}
