internal import ByteStreams
internal import CCurl
internal import Glibc
internal import Synchronization

/// A connection of libcurl. One thread at a time makes requests; any thread may call `cancel`.
final class Connection: Sendable {
    /// Owned by this object, whose user makes one request at a time; cancelling sets an atomic flag of it.
    nonisolated(unsafe) private let handle: OpaquePointer
    private let cancellation = Atomic(false)
    private let hasFailed = Atomic(false)

    /// - Throws: `outOfMemory`.
    init() throws(Failure) {
        guard let handle = sluice_connection_create() else { throw .outOfMemory }
        self.handle = handle
    }

    deinit { sluice_connection_destroy(handle) }

    /// Makes a request and waits for its end.
    func perform(_ request: Request, _ exchange: Exchange) throws(Failure) {
        var answer = sluice_answer()
        answer.outcome = SLUICE_FAILED
        request.withLibraryRequest { lines, range, texts in
            var raw = sluice_request()
            raw.url = texts.url
            raw.range = range
            raw.agent = texts.agent
            raw.lines = lines.baseAddress
            raw.line_count = lines.count
            raw.user = texts.name
            raw.password = texts.password
            raw.signature = texts.signature
            raw.uses_netrc = request.isToNamedServer
            raw.certificates = Self.variable("CURL_CA_BUNDLE") ?? Self.variable("SSL_CERT_FILE")
            raw.certificate_folder = Self.variable("SSL_CERT_DIR")
            (raw.patience, raw.limit, raw.is_direct) = (request.patience, request.limit, request.isDirect)
            (raw.method, raw.body_sent, raw.body_size) = (
                texts.method, texts.body.map { UnsafeRawPointer($0) }, request.body?.count ?? 0
            )
            if let content = request.content {
                // An empty content is not nil, so that it has the length 0.
                raw.content = UnsafeRawPointer(content.memory.bytes.baseAddress)
                raw.content_size = content.count
                raw.sent = { context, count in Exchange.of(context).didSend(count) }
            }
            raw.context = Unmanaged.passUnretained(exchange).toOpaque()
            raw.header = { context, line, count in Exchange.of(context).takeHeader(line, count) }
            raw.body = { context, bytes, count in Exchange.of(context).takeBody(bytes, count) }
            sluice_connection_perform(handle, &raw, &answer)
        }
        exchange.isRepeated = answer.is_repeated
        switch answer.outcome {
        case SLUICE_CANCELLED: throw .cancelled
        case SLUICE_ANSWERED, SLUICE_REFUSED: return
        default: hasFailed.store(true, ordering: .relaxed)
        }
        let error = Self.error(of: answer)
        exchange.trouble = error
        switch answer.outcome {
        case SLUICE_UNREACHABLE: break
        case SLUICE_TURNED_AWAY: exchange.isTurnedAway = true
        case SLUICE_UNKNOWN_HOST: exchange.isOfUnknownHost = true
        case SLUICE_NOT_PERMITTED: throw .notPermitted(port: request.port, isRedirected: request.isRedirected)
        default: throw .remote(error)
        }
    }

    /// Nil for a variable that is not set, or empty.
    private static func variable(_ name: String) -> UnsafePointer<CChar>? {
        getenv(name).flatMap { $0.pointee == 0 ? nil : UnsafePointer($0) }
    }

    /// libcurl's message. `CCurl.c` has dropped messages that may contain a URL.
    private static func error(of answer: sluice_answer) -> String {
        var error = withUnsafeBytes(of: answer.error) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        // The message becomes part of a sentence, but "SSL" stays as it is.
        if let first = error.first, error.dropFirst().first?.isLowercase == true {
            error = first.lowercased() + error.dropFirst()
        }
        return answer.is_of_proxy ? "the proxy can't be reached: \(error)" : error
    }

    /// Whether other requests may use it: libcurl's handle keeps some state of a request that failed.
    var isReusable: Bool { !isCancelled && !hasFailed.load(ordering: .relaxed) }

    /// Keeps other requests from using it.
    func retire() { hasFailed.store(true, ordering: .relaxed) }

    /// Whether it makes no further requests.
    var isCancelled: Bool { cancellation.load(ordering: .acquiring) }

    /// Ends the current request, and makes later ones fail. Any thread may call it.
    func cancel() {
        cancellation.store(true, ordering: .releasing)
        sluice_connection_cancel(handle)
    }
}

/// A request to a server.
struct Request {
    var url: String
    /// Such as `0-99`; nil for everything.
    var range: String?
    /// Who asks.
    var agent: String
    /// Further header lines.
    var lines: [[UInt8]]
    /// Signs it; nil for one that is not signed.
    var signer: Signer?
    /// Whether it goes to the server of the original URL. Others, to which that redirects, must not learn passwords.
    var isToNamedServer: Bool
    /// Whether another server, or the same one, has named this place.
    var isRedirected: Bool
    /// After how many seconds without a byte the request fails.
    var patience: Int
    /// After how many seconds it fails, however much has come; 0 for none.
    var limit = 0
    /// Nil for the usual one.
    var method: String?
    /// A form that is sent; nil for none.
    var body: [UInt8]?
    /// What is sent as it is; nil for nothing.
    var content: RequestContent?
    /// Whether no proxy is asked.
    var isDirect = false

    typealias Texts = (
        url: UnsafePointer<CChar>, name: UnsafePointer<CChar>?, password: UnsafePointer<CChar>?,
        signature: UnsafePointer<CChar>?, agent: UnsafePointer<CChar>?, method: UnsafePointer<CChar>?,
        body: UnsafePointer<CChar>?
    )

    /// The port of the server.
    var port: UInt16? { RemoteLocation(url)?.port }

    /// What is hashed for the signature, since nothing else would keep it from being changed; nil for nothing.
    private var hashed: RequestContent? { RemoteLocation(url)?.scheme == .http ? content : nil }

    /// - Throws: `remote` if stores would refuse the signature, or it would say nothing of what is sent in the clear.
    func checkSignature() throws(Failure) {
        guard signer != nil else { return }
        if !sluice_curl_sorts_names() {
            // libcurl adds the first two, and others are added with the token.
            let names =
                ["host", "x-amz-date", "x-amz-content-sha256"]
                + (signer?.key.token == nil ? [] : ["x-amz-security-token"])
            if let (one, other) = Message.misplaced(in: names + lines.map { String(decoding: $0, as: UTF8.self) }) {
                throw .remote("this libcurl can't sign \(one) together with \(other): version 8.10 can")
            }
        }
        if let hashed, hashed.sha256 == nil, !hashed.isOver() {
            throw .remote("nothing computes the hash of what is sent without TLS (libcrypto or libgnutls)")
        }
    }

    /// Calls a body with C strings that are valid until it returns: the header lines, the range, and the others.
    fileprivate func withLibraryRequest(
        _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>, UnsafePointer<CChar>?, Texts) -> Void
    ) {
        var lines = lines
        // S3 requires this header, and libcurl 7.88 signs it, but does not add it.
        if signer != nil {
            lines.append(Array("x-amz-content-sha256: \(hashed?.sha256 ?? "UNSIGNED-PAYLOAD")".utf8))
        }
        if let token = signer?.key.token { lines.append(Array("x-amz-security-token: \(token)".utf8)) }
        let signature = signer.map { "aws:amz:\($0.region):s3" }
        let texts = [url, range, signer?.key.identifier, signer?.key.secret, signature, agent, method]
        var words: [[UInt8]?] = texts.map { $0.map { Array($0.utf8) } }
        words.append(self.body)
        words += lines
        // One region of memory for all, so that none can be missing.
        var (bytes, starts) = ([CChar](), [Int?]())
        for word in words {
            starts.append(word.map { _ in bytes.count })
            if let word { bytes += word.map { CChar(bitPattern: $0) } + [0] }
        }
        bytes.withUnsafeBufferPointer { bytes in
            guard let first = bytes.baseAddress else { return }
            let copies = starts.map { $0.map { first + $0 } }
            copies.withUnsafeBufferPointer { copies in
                body(
                    copies.extracting(8...), copies[1],
                    (first, copies[2], copies[3], copies[4], copies[5], copies[6], copies[7]))
            }
        }
    }
}

/// The answer to one request, as it arrives. Only the thread that makes the request uses it.
final class Exchange {
    /// The size of the longest header that is accepted, in bytes.
    private static let mostHeader = 256 << 10
    /// The number of bytes of an error's body that are read for its code.
    private static let mostOfError = 4096

    private(set) var header = AnswerHeader()
    private var headerSize = 0
    /// Called with a successful header when it is complete; throws if the body is not wanted.
    private let judge: (AnswerHeader) throws(Failure) -> Void
    /// Takes bytes of the body.
    private let receive: (UnsafeRawBufferPointer) throws(Failure) -> Void
    /// What `judge` or `receive` has thrown.
    private(set) var failure: Failure?
    /// Why the answer is missing or incomplete, if repeating the request may help; otherwise nil.
    var trouble: String?
    /// Whether the server closed the connection, or refused it, before it answered.
    var isTurnedAway = false
    /// Whether no name server knows the host.
    var isOfUnknownHost = false
    /// Whether libcurl has sent the content once more by itself.
    var isRepeated = false
    /// Takes how many bytes of the content are on their way.
    private let didSendBytes: (Int) -> Void

    init(
        judge: @escaping (AnswerHeader) throws(Failure) -> Void,
        receive: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void, didSend: @escaping (Int) -> Void = { _ in }
    ) {
        self.judge = judge
        self.receive = receive
        didSendBytes = didSend
    }

    fileprivate func didSend(_ count: Int) { didSendBytes(count) }

    fileprivate static func of(_ context: UnsafeMutableRawPointer?) -> Exchange {
        guard let context else { preconditionFailure("libcurl passes on the exchange") }
        return Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    }

    fileprivate func takeHeader(_ line: UnsafePointer<CChar>?, _ count: Int) -> Bool {
        headerSize += count
        return catching { () throws(Failure) in
            if headerSize > Self.mostHeader { throw .remote("the server's answer has no end of its header") }
            let line = UnsafeRawBufferPointer(start: line, count: count)
            // Ignore trailers: header lines that follow the body.
            if header.isComplete, header.status >= 200 { return }
            header.add(line)
            if header.isComplete, 200..<300 ~= header.status { try judge(header) }
        }
    }

    fileprivate func takeBody(_ bytes: UnsafeRawPointer?, _ count: Int) -> Bool {
        catching { () throws(Failure) in
            let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
            if 200..<300 ~= header.status { return try receive(bytes) }
            // Skip the body of a redirection, and all but the first bytes of an error's: more might never come.
            if header.status >= 400 { header.addError(bytes.prefix(Self.mostOfError)) }
            throw Self.unwanted
        }
    }

    private static let unwanted = Failure(.remote, "the body is not wanted")

    /// Runs a body, and records its failure.
    ///
    /// - Returns: whether the request should continue.
    private func catching(_ body: () throws(Failure) -> Void) -> Bool {
        do throws(Failure) {
            try body()
            return true
        } catch {
            if error != Self.unwanted { failure = error }
            return false
        }
    }
}
