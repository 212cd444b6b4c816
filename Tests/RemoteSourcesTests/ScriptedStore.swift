import ByteStreams
import Glibc
import RemoteSources
import StreamTestSupport
import Synchronization

/// An object store in this process: it keeps objects and uploads, and fails where a closure says.
final class ScriptedStore: Sendable {
    enum Kind: Sendable { case look, put, begin, part, complete, abort, remove, list }

    /// How a request fails.
    enum Fault: CaseIterable, Sendable {
        case refused, overloaded
        /// The connection ends before all of the request has come.
        case dropped
        /// What is asked for is done, and the answer is lost.
        case lost
        /// A success with an error in its body.
        case inside
        /// To another object of the same server.
        case redirected
        /// Another request for the same object is under way.
        case conflicting
        /// A success that says nothing, of what is not done.
        case hollow
        /// A success with the word in its body that another object is there.
        case insideExists
        /// The store refuses the parts.
        case uneven
        /// The content came too slowly, or was changed on the way.
        case stalled, damaged
        /// The key has expired, which an answer to HEAD can't say.
        case expired
        /// The store does not know a line of the request, such as the storage class.
        case unimplemented
        /// A status of 404 without a word, as of a gate that knows no such place.
        case missing
        /// The object is made a second later, and no answer says so. Meanwhile there is no upload any more.
        case late
        /// What is asked for is done, and nothing is answered from then on.
        case last
    }

    struct State: Sendable {
        var objects: [String: (content: [UInt8], mark: String)] = [:]
        var uploads: [String: (key: String, mark: String, parts: [Int: [UInt8]], sums: [Int: String])] = [:]
        /// Whether parts have checksums.
        var hasChecksums = false
        var kinds: [Kind] = []
        var isGone = false
        /// Whether a part survives the first end of its upload.
        var survives = false
        var survivors: Set<String> = []
        /// What was asked for, without the queries.
        var keys: Set<String> = []
    }

    let port: UInt16
    private let listening: Int32
    private let state = Mutex(State())
    private let fault: @Sendable (Kind, Int) -> Fault?
    /// How fast it takes the content of each request; nil for as fast as it comes.
    private let bytesPerSecond: Int?

    var now: State { state.withLock { $0 } }

    /// Connections that are open.
    private let open = Atomic(0)
    /// How many keys were given.
    private let keys = Mutex(0)

    func put(_ content: [UInt8], as key: String) { state.withLock { $0.objects[key] = (content, "") } }
    /// Answers nothing any more.
    func vanish() { state.withLock { $0.isGone = true } }
    /// Answers again.
    func comeBack() { state.withLock { $0.isGone = false } }
    /// Waits until it has done all that it was asked for, and nobody holds a connection.
    func settle() { _ = eventually { open.load(ordering: .acquiring) == 0 } }
    /// Changes what there is.
    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// - Parameters:
    ///   - bytesPerSecond: how fast the content of each request comes through; nil for no limit.
    ///   - survives: whether a part survives the first end of its upload.
    ///   - hasChecksums: whether it knows CRC-32C.
    ///   - fault: how a request fails, by its kind and its number, from 0; nil for one that does not.
    init(
        bytesPerSecond: Int? = nil, survives: Bool = false, hasChecksums: Bool = false,
        _ fault: @escaping @Sendable (Kind, Int) -> Fault? = { _, _ in nil }
    ) throws {
        (listening, port) = try ScriptedServer.listen()
        (self.fault, self.bytesPerSecond) = (fault, bytesPerSecond)
        state.withLock { ($0.survives, $0.hasChecksums) = (survives, hasChecksums) }
        // Otherwise the kernel would take all of it at once.
        var room: Int32 = 32 << 10
        if bytesPerSecond != nil {
            setsockopt(listening, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        }
        // Dispatch's pool would have as many threads as there are processors for a while.
        try startThread { [self] in
            while true {
                let connection = accept(listening, nil, nil)
                if connection < 0 { return }
                open.add(1, ordering: .acquiringAndReleasing)
                try? startThread {
                    while self.serve(connection) {}
                    Glibc.close(connection)
                    self.open.subtract(1, ordering: .acquiringAndReleasing)
                }
            }
        }
    }

    func close() { shutdown(listening, Int32(SHUT_RDWR)) }

    /// Options with which the store is asked.
    func options() throws -> RemoteOptions {
        var options = RemoteOptions()
        options.patience = 10
        // Each time another one.
        options.accessKey = { [self] in
            let number = keys.withLock { keys in
                keys += 1
                return keys
            }
            return AccessKey(identifier: "AKID\(number)", secret: "hidden")
        }
        let endpoint = "http://127.0.0.1:\(port)"
        let value = { (name: String) in name == "AWS_ENDPOINT_URL" ? endpoint : nil }
        options.store = try StoreSettings(isGiven: true, value, reading: { _ in nil })
        return options
    }

    private func read(_ connection: Int32, _ count: Int) -> [UInt8]? {
        var (bytes, done) = ([UInt8](repeating: 0, count: count), 0)
        while done < count {
            let most = bytesPerSecond.map { min($0 / 10, count - done) } ?? count - done
            let taken = bytes[done...].withUnsafeMutableBytes { Glibc.read(connection, $0.baseAddress, most) }
            if taken <= 0 { return nil }
            done += taken
            if let bytesPerSecond, count > 1 { usleep(UInt32(1_000_000 * taken / bytesPerSecond)) }
        }
        return bytes
    }

    private func carryOutLate(_ request: StoreRequest, _ body: [UInt8]) {
        let upload = state.withLock { $0.uploads.removeValue(forKey: request.upload) }
        try? startThread { [self] in
            usleep(1_000_000)
            state.withLock { state in
                state.uploads[request.upload] = upload
                _ = state.carryOut(request, body)
            }
        }
    }

    /// - Returns: whether another request may follow.
    private func serve(_ connection: Int32) -> Bool {
        var header: [UInt8] = []
        while !header.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard let byte = read(connection, 1) else { return false }
            header += byte
        }
        let request = StoreRequest(String(decoding: header, as: UTF8.self))
        let number = state.withLock { state in
            state.kinds.append(request.kind)
            state.keys.insert(request.key)
            return state.kinds.count - 1
        }
        let fault = fault(request.kind, number)
        if state.withLock({ $0.isGone }) { return false }
        if fault == .dropped {
            _ = read(connection, request.length / 2)
            return false
        }
        guard let body = read(connection, request.length), !state.withLock({ $0.isGone }) else { return false }
        let answer: (status: Int, lines: [String], body: String)
        switch fault {
        case .refused: answer = (403, [], "<Error><Code>AccessDenied</Code></Error>")
        case .overloaded: answer = (503, [], "<Error><Code>SlowDown</Code></Error>")
        case .redirected: answer = (302, ["Location: http://127.0.0.1:\(port)/elsewhere/x"], "")
        case .conflicting: answer = (409, [], "<Error><Code>ConditionalRequestConflict</Code></Error>")
        case .expired: answer = (400, [], "<Error><Code>ExpiredToken</Code></Error>")
        case .unimplemented:
            answer = (501, [], "<Error><Code>NotImplemented</Code><Header>x-amz-storage-class</Header></Error>")
        case .late:
            carryOutLate(request, body)
            return false
        case .hollow: answer = (200, [], "")
        case .missing: answer = (404, [], "")
        case .insideExists: answer = (200, [], "<Error><Code>PreconditionFailed</Code></Error>")
        case .uneven: answer = (400, [], "<Error><Code>InvalidPart</Code></Error>")
        case .stalled: answer = (400, [], "<Error><Code>RequestTimeout</Code></Error>")
        case .damaged: answer = (400, [], "<Error><Code>BadDigest</Code></Error>")
        case .inside: answer = (200, [], "<Error><Code>InternalError</Code></Error>")
        case _ where !request.isSignedInOrder:
            answer = (403, [], "<Error><Code>SignatureDoesNotMatch</Code></Error>")
        case .lost, .last, .dropped, nil:
            answer = state.withLock { state in
                if fault == .last { state.isGone = true }
                return state.carryOut(request, body)
            }
        }
        if fault == .lost || fault == .last { return false }
        let length = request.kind == .look ? "" : "Content-Length: \(answer.body.utf8.count)\r\n"
        let lines = answer.lines.map { $0 + "\r\n" }.joined()
        let text = "HTTP/1.1 \(answer.status) X\r\n\(length)\(lines)\r\n" + (request.kind == .look ? "" : answer.body)
        return send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL)) == text.utf8.count
    }
}

/// What a request asks for.
struct StoreRequest: Sendable {
    let kind: ScriptedStore.Kind
    let key: String
    let upload: String
    let part: Int
    let length: Int
    let mark: String
    let isConditional: Bool
    let sum: String?
    /// The part after which a list begins.
    let marker: Int
    /// Whether the names of the lines that are signed are in their order.
    let isSignedInOrder: Bool

    init(_ header: String) {
        let lines = header.split(separator: "\r\n").map(String.init)
        let words = lines[0].split(separator: " ").map(String.init)
        let target = words[1].split(separator: "?", maxSplits: 1).map(String.init)
        var query: [String: String] = [:]
        for pair in target.count > 1 ? target[1].split(separator: "&") : [] {
            let sides = pair.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            query[sides[0]] = sides[1]
        }
        func line(_ name: String) -> String? {
            lines.first { $0.lowercased().hasPrefix(name + ":") }.map { String($0.dropFirst(name.count + 2)) }
        }
        kind =
            switch words[0] {
            case "HEAD": .look
            case "DELETE": query["uploadId"] == nil ? .remove : .abort
            case "GET": .list
            case "POST": query["uploads"] == nil ? .complete : .begin
            default: query["partNumber"] == nil ? .put : .part
            }
        let path = target[0].replacing("%20", with: " ").replacing("%2B", with: "+")
        (key, upload, part) = (path, query["uploadId"] ?? "", Int(query["partNumber"] ?? "") ?? 0)
        length = line("content-length").flatMap { Int($0) } ?? 0
        mark = line("x-amz-meta-sluice-run") ?? ""
        isConditional = line("if-none-match") != nil
        sum = line("x-amz-checksum-crc32c")
        marker = Int(query["part-number-marker"] ?? "") ?? 0
        let names = line("authorization")?.components(between: "SignedHeaders=", and: ",").first?.split(separator: ";")
        isSignedInOrder = names.map { $0 == $0.sorted() } ?? false
    }
}

extension ScriptedStore.State {
    fileprivate mutating func carryOut(
        _ request: StoreRequest, _ body: [UInt8]
    ) -> (status: Int, lines: [String], body: String) {
        let gone = (404, [String](), "<Error><Code>NoSuchUpload</Code></Error>")
        switch request.kind {
        case .look:
            guard let object = objects[request.key] else { return (404, [], "") }
            return (200, ["x-amz-meta-sluice-run: \(object.mark)", "ETag: \"\(object.content.count)\""], "")
        case .begin:
            let number = "u\(kinds.count)"
            uploads[number] = (request.key, request.mark, [:], [:])
            let lines = hasChecksums ? ["x-amz-checksum-algorithm: CRC32C"] : []
            return (200, lines, "<R xmlns=\"x\"><UploadId>\(number)</UploadId></R>")
        case .part:
            if uploads[request.upload]?.parts.updateValue(body, forKey: request.part) == nil,
                uploads[request.upload] == nil
            {
                return gone
            }
            uploads[request.upload]?.sums[request.part] = request.sum
            return (200, ["ETag: \"\(request.part)\""], "")
        case .list:
            guard let upload = uploads[request.upload] else { return gone }
            // Few at a time, so that there are several lists.
            let numbers = upload.parts.keys.filter { $0 > request.marker }.sorted()
            let rows = numbers.prefix(2).map { number in
                let sum = upload.sums[number].map { "<ChecksumCRC32C>\($0)</ChecksumCRC32C>" } ?? ""
                let size = upload.parts[number]?.count ?? 0
                let words = "<PartNumber>\(number)</PartNumber><ETag>\"\(number)\"</ETag><Size>\(size)</Size>"
                return "<Part>\(words)\(sum)</Part>"
            }
            let next = numbers.count > 2 ? "<NextPartNumberMarker>\(numbers[1])</NextPartNumberMarker>" : ""
            let head = "<IsTruncated>\(numbers.count > 2)</IsTruncated>\(next)"
            return (200, [], "<ListPartsResult xmlns=\"x\">\(head)\(rows.joined())</ListPartsResult>")
        case .abort:
            if survives, uploads[request.upload] != nil, survivors.insert(request.upload).inserted {
                uploads[request.upload]?.parts = [1: [1]]
                return (204, [], "")
            }
            return uploads.removeValue(forKey: request.upload) == nil ? gone : (204, [], "")
        case .remove: return objects.removeValue(forKey: request.key) == nil ? gone : (204, [], "")
        case .put, .complete:
            if request.kind == .complete, uploads[request.upload] == nil { return gone }
            if request.isConditional, objects[request.key] != nil {
                return (412, [], "<Error><Code>PreconditionFailed</Code></Error>")
            }
            if request.kind == .put {
                objects[request.key] = (body, request.mark)
                return (200, ["ETag: \"\(body.count)\""], "")
            }
            let asked = String(decoding: body, as: UTF8.self).components(between: "<PartNumber>", and: "<")
                .compactMap { Int($0) }
            guard let upload = uploads.removeValue(forKey: request.upload) else { return gone }
            let content = asked.flatMap { upload.parts[$0] ?? [] }
            objects[request.key] = (content, upload.mark)
            let tag = "<ETag>\"\(content.count)\"</ETag>"
            return (200, [], "<CompleteMultipartUploadResult>\(tag)</CompleteMultipartUploadResult>")
        }
    }
}

extension String {
    fileprivate func components(between start: String, and end: Character) -> [String] {
        split(separator: start).dropFirst().map { String($0.prefix { $0 != end }) }
    }
}
