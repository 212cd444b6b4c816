package import ByteStreams
internal import Glibc
internal import SystemPackage

/// An object of a store that is written, with the requests that this takes. Any thread may make them, each waits for
/// its answer, and what may pass is tried again.
///
/// Nothing here decides in which order they are made: `ObjectUpload` does.
package final class WrittenObject: Sendable {
    /// What a store has.
    package struct Stored: Equatable, Sendable {
        /// It changes with the content.
        package let tag: [UInt8]?
        /// How often the store was asked before it was known.
        package var attempts = 1

        /// Whether both have the same tag, which has quotes in some answers only.
        package func hasTag(_ other: [UInt8]?) -> Bool {
            guard let tag, let other else { return false }
            return tag.filter { $0 != UInt8(ascii: "\"") } == other.filter { $0 != UInt8(ascii: "\"") }
        }
    }

    /// What a store says of an object.
    package enum Found: Equatable, Sendable {
        case absent
        /// This run has made it. Its mark is on no other: another run that has made one of the same file, and so with
        /// the same tag, has won.
        case own(Stored)
        case other
        /// The key of the run may not ask.
        case unknown
    }

    /// What may become of an object that is there.
    package enum Condition: Sendable {
        /// It is replaced.
        case any
        /// It stays, and the store is told so.
        case absent
    }

    /// An upload in parts that has begun.
    package struct Parts: Equatable, Sendable {
        package let identifier: String
        /// Whether the store compares each part with its checksum CRC-32C, or else with its MD5.
        package let hasChecksums: Bool
        /// Whether the tag of a part is its MD5, if it looks like one.
        package let areTagsHashes: Bool

        package init(identifier: String, hasChecksums: Bool, areTagsHashes: Bool = true) {
            (self.identifier, self.hasChecksums) = (identifier, hasChecksums)
            self.areTagsHashes = areTagsHashes
        }

        /// The most bytes of an identifier, which is a part of each URL.
        package static let mostBytes = 2048

        /// Whether a text of lines can have the identifier.
        package var isWord: Bool { identifier.utf8.allSatisfy { 0x21..<0x7F ~= $0 } }

        /// The identifier, if it can be shown: a store may send anything.
        var shownIdentifier: String? {
            let isShown = identifier.utf8.allSatisfy { byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || "._-+/=".utf8.contains(byte)
            }
            return isShown && identifier.utf8.count <= 1024 ? identifier : nil
        }
    }

    /// A part that the store has.
    package struct Part: Equatable, Sendable {
        package let number: Int
        package let tag: [UInt8]
        /// In base 64; nil without checksums.
        package let checksum: String?
        /// How often it was sent.
        package var attempts = 1

        package init(number: Int, tag: [UInt8], checksum: String?, attempts: Int = 1) {
            (self.number, self.tag, self.checksum, self.attempts) = (number, tag, checksum, attempts)
        }
    }

    /// The header with the mark of the run that has made an object: by it the run knows its own object again where the
    /// answer to the request that made it was lost.
    static let markName = "x-amz-meta-sluice-run"
    /// The most bytes of the tag of a part: those of 10,000 are kept.
    private static let mostOfTag = 1024
    /// How often a store may say that making the object has failed, within a success or because of another request.
    static let mostFailures = 5
    /// Seconds within which a store puts the parts together without a word.
    private static let patienceForCompletion = 120

    package let location: RemoteLocation
    /// What the content is; nil to leave that to the store.
    private let type: String?
    private let given: Locked<String>
    let client: RemoteClient
    private let address: Locked<RemoteAddress>

    /// - Parameter type: such as `application/zstd`; nil to leave it to the store.
    /// - Throws: `remote` if the settings for object stores make no sense, or a line of the options is one of ours.
    package convenience init(
        _ location: RemoteLocation, type: String? = nil, client: RemoteClient
    ) throws(Failure) {
        let mark = Self.newMark()
        if let line = client.options.headers.first(where: Message.isOwn) {
            throw .remote("\(Message.name(of: line)) is a line of ours, and can't be given")
        }
        let address = Locked(try client.address(of: location, isWritten: true))
        // Whoever ends the requests of the run does not end the one that makes the object: its answer counts.
        self.init(location, type, mark, client.apart(), address)
    }

    private init(
        _ location: RemoteLocation, _ type: String?, _ mark: String, _ client: RemoteClient,
        _ address: Locked<RemoteAddress>
    ) {
        (self.location, self.type, self.client, self.address) = (location, type, client, address)
        given = Locked(mark)
    }

    /// What the object has, by which a run knows it again.
    package private(set) var mark: String {
        get { given.withLock { $0 } }
        set { given.withLock { $0 = newValue } }
    }

    /// Takes over the mark of an earlier run, whose upload goes on.
    package func adopt(_ mark: String) { self.mark = mark }

    /// Takes a mark that no other run has.
    package func renewMark() { mark = Self.newMark() }

    private static func newMark() -> String {
        RequestContent.hexadecimal((0..<8).map { _ in UInt8.random(in: 0...255) })
    }

    /// The same object, whose requests go on after `cancel` was called here, and which are given up soon.
    ///
    /// - Parameter patience: seconds.
    package func after(patience: Int) -> WrittenObject {
        WrittenObject(location, type, mark, RemoteClient(after: client, patience: patience), address)
    }

    /// Another object, such as one that an earlier run has begun to write, whose requests end with those for this one.
    package func beside(_ location: RemoteLocation) throws(Failure) -> WrittenObject {
        WrittenObject(location, nil, mark, client, Locked(try client.address(of: location, isWritten: true)))
    }

    /// Ends all requests.
    package func cancel() { client.cancel() }

    /// Waits, before a request is made again.
    ///
    /// - Throws: `cancelled`, as soon as `cancel` is called.
    package func pause(_ seconds: Double) throws(Failure) { try client.pause(seconds) }

    /// Tells whoever wants to know everything.
    package func notice(_ sentence: String) { client.options.onNotice("\(location.name): \(sentence)") }

    /// Tells what may be left of the object.
    package func tell(_ sentence: String) {
        (client.options.onLeftover ?? client.options.onWarning)("\(location.name): \(sentence)")
    }

    /// The command of AWS's tools that ends an upload, as a shell takes it, or lists those that there are.
    package func command(toEnd parts: Parts) -> String {
        let (bucket, key) = (location.host, location.path.dropFirst())
        guard let identifier = parts.shownIdentifier, key.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) else {
            return "aws s3api list-multipart-uploads --bucket \(bucket) shows it"
        }
        let quoted = "'\(key.replacing("'", with: "'\\''"))'"
        let words = "--bucket \(bucket) --key \(quoted) --upload-id \(identifier)"
        return "aws s3api abort-multipart-upload \(words) ends it"
    }

    /// Bytes to send, which are known by nothing any more after `cancel`.
    package func content(_ memory: HeapMemory, count: Int) -> RequestContent {
        RequestContent(memory, count: count) { [client] in client.isCancelled }
    }
}

extension WrittenObject {
    /// Asks what there is.
    package func look() throws(Failure) -> Found {
        let header = try client.send(Message(method: "HEAD", headers: .withoutObject), to: address)
        switch header.status {
        case 200..<300: return header.mark == mark ? .own(Stored(tag: header.version.tag)) : .other
        case 404: return .absent
        // S3 says 400 of an object that has a key of its own, to whoever asks without it, and the other way round.
        case 400, 403, 405, 501: return .unknown
        default: throw refusal(header)
        }
    }

    /// Checks that the requests which make the object can be signed, with the lines of the options.
    ///
    /// - Throws: `remote`.
    package func checkLines() throws(Failure) {
        var message = Message(method: "PUT", content: try RequestContent([]))
        message.lines = lines(of: .absent) + linesOfObject
        _ = try address.withLock { $0 }.request(range: nil, message, client.options, client.key())
    }

    /// Opens the object, to read what was made.
    ///
    /// - Throws: `remoteChanged` if it is another one by now; `remote`, `notFound`.
    package func open(_ stored: Stored) throws(Failure) -> RemoteFile {
        var stored = stored
        if stored.tag == nil, case .own(let now) = try look() { stored = now }
        let file = try RemoteFile.open(written: address.withLock { $0 }, client.forOneFile())
        guard stored.hasTag(file.version.tag) else {
            throw Failure(.remoteChanged, "another object is there by now")
        }
        return file
    }

    /// Writes the object at once.
    ///
    /// - Parameter didSend: takes how many of its bytes are on their way; they may begin anew.
    /// - Throws: `fileExists` if the condition does not hold; `conditionUnknown` if the store does not know it.
    package func put(
        _ content: RequestContent, _ condition: Condition, didSend: @escaping (Int) -> Void = { _ in }
    ) throws(Failure) -> Stored {
        var message = Message(method: "PUT", content: content)
        message.lines = lines(of: condition) + linesOfObject
        if let md5 = content.md5 {
            message.lines.append(Array("Content-MD5: \(RequestContent.base64(md5))".utf8))
        } else {
            message.lines.append(Array("x-amz-checksum-crc32c: \(RequestContent.base64(content.crc32c))".utf8))
        }
        return try make(by: message, condition, didSend) { header, _ throws(Failure) in
            // What answers everything with a success, such as the gate of a network, has taken nothing.
            guard let tag = header.version.tag, Self.isUsable(tag) else {
                throw .remote("the store takes the object and gives no tag for it")
            }
            return Stored(tag: tag)
        }
    }

    /// Begins an upload in parts.
    package func begin() throws(Failure) -> Parts {
        var (header, answer) = try beginning(["x-amz-checksum-algorithm: CRC32C"])
        if [400, 501].contains(header.status) { (header, answer) = try beginning([]) }
        guard 200..<300 ~= header.status else { throw refusal(header) }
        guard let identifier = XMLText.text("UploadId", in: answer[...]), 1...Parts.mostBytes ~= identifier.utf8.count
        else { throw .remote("the store begins an upload without an ID that can be used") }
        return Parts(
            identifier: identifier, hasChecksums: header.checksum?.uppercased() == "CRC32C",
            areTagsHashes: header.areTagsHashes)
    }

    private func beginning(_ more: [String]) throws(Failure) -> (AnswerHeader, [UInt8]) {
        var message = Message(method: "POST", query: "?uploads=", content: try RequestContent([]))
        message.lines = linesOfObject + more.map { Array($0.utf8) }
        return try ask(message)
    }

    /// Sends a part.
    ///
    /// - Parameter didSend: takes how many of its bytes are on their way; they may begin anew.
    package func send(
        _ content: RequestContent, as number: Int, of parts: Parts, didSend: @escaping (Int) -> Void = { _ in }
    ) throws(Failure) -> Part {
        let query = "?partNumber=\(number)&uploadId=\(parts.identifier.percentEncoded(keeping: ""))"
        var message = Message(method: "PUT", query: query, content: content, headers: .withoutObject)
        let checksum = parts.hasChecksums ? RequestContent.base64(content.crc32c) : nil
        if let checksum {
            message.lines = [Array("x-amz-checksum-crc32c: \(checksum)".utf8)]
        } else if let md5 = content.md5 {
            message.lines = [Array("Content-MD5: \(RequestContent.base64(md5))".utf8)]
        }
        let header = try client.send(message, to: address, didSend: didSend)
        guard 200..<300 ~= header.status else { throw refusal(header) }
        guard let tag = header.version.tag, Self.isUsable(tag) else {
            throw .remote("the store takes a part and gives no tag for it that can be used")
        }
        return Part(number: number, tag: tag, checksum: checksum, attempts: header.attempts)
    }

    /// Whether a tag can be kept, and said in an answer.
    static func isUsable(_ tag: some Collection<UInt8>) -> Bool {
        1...mostOfTag ~= tag.count && !tag.contains { $0 < 0x20 || $0 == 0x7F }
    }

    /// Makes the object of its parts. Where the answer is lost, it is asked for again.
    ///
    /// - Throws: as `put`.
    package func complete(_ parts: Parts, of all: [Part], _ condition: Condition) throws(Failure) -> Stored {
        let query = "?uploadId=\(parts.identifier.percentEncoded(keeping: ""))"
        let content = try RequestContent(XMLText.completion(all))
        var message = Message(method: "POST", query: query, content: content, headers: .withoutObject)
        (message.lines, message.patience) = (lines(of: condition), Self.patienceForCompletion)
        return try make(by: message, condition) { _, answer in
            // A store begins to answer before it has put the parts together, and may fail then; or what it said is cut.
            XMLText.content(of: "CompleteMultipartUploadResult", in: answer[...]).map { result in
                Stored(tag: XMLText.text("ETag", in: result).map { Array($0.utf8) })
            }
        }
    }

    /// Ends an upload in parts, and drops what was sent.
    ///
    /// - Parameter isAgain: whether it was ended already, so that the store need not say more than that it has none.
    /// - Returns: whether there was such an upload.
    package func discard(_ parts: Parts, again isAgain: Bool = false) throws(Failure) -> Bool {
        let query = "?uploadId=\(parts.identifier.percentEncoded(keeping: ""))"
        let header = try client.send(
            Message(method: "DELETE", query: query, headers: .withoutObject), to: address)
        if 200..<300 ~= header.status { return true }
        let refusal = refusal(header)
        if refusal == .uploadIsGone || isAgain && header.status == 404 { return false }
        throw refusal
    }

    /// Removes the object.
    package func remove() throws(Failure) {
        let header = try client.send(Message(method: "DELETE", headers: .withoutObject), to: address)
        guard 200..<300 ~= header.status || header.status == 404 else { throw refusal(header) }
    }

    /// The answer and its body, of which a store sends little.
    func ask(
        _ message: Message, _ didSend: @escaping (Int) -> Void = { _ in }
    ) throws(Failure) -> (AnswerHeader, [UInt8]) {
        var answer: [UInt8] = []
        let receive = {
            answer = []
            return { (bytes: UnsafeRawBufferPointer) throws(Failure) in
                answer += bytes
                if answer.count > 4 << 20 { throw .remote("the store answered at length") }
            }
        }
        let header = try client.send(message, to: address, receive: receive, didSend: didSend)
        return (header, answer)
    }

    /// What the object is to be, unless the options say it.
    private var linesOfObject: [[UInt8]] {
        (linesOfType + ["\(Self.markName): \(mark)"]).map { Array($0.utf8) }
    }

    var linesOfType: [String] {
        let isTyped = client.options.headers.contains { $0.lowercased().hasPrefix("content-type:") }
        return isTyped ? [] : type.map { ["Content-Type: \($0)"] } ?? []
    }

    private func lines(of condition: Condition) -> [[UInt8]] {
        switch condition {
        case .any: []
        case .absent: [Array("If-None-Match: *".utf8)]
        }
    }
}
