public import ByteStreams
internal import CCurl
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Sends requests through libcurl, each on the thread that needs the answer, and reuses connections.
///
///     let client = try RemoteClient()
///     if let location = RemoteLocation("https://example.org/a.zst") {
///         let file = try CompressedFile(RemoteFile.open(location, client: client))
///         print(file.contentSize)
///     }
public final class RemoteClient: Sendable {
    /// How often a failed request is repeated.
    private static let mostRetries = 5
    /// The pause in seconds before the first repetition. It doubles each time.
    private static let firstPause = 0.25
    /// The longest pause in seconds that a server may ask for.
    private static let longestPause = 120
    private static let mostRedirections = 10
    /// The pause in seconds before an unknown host is asked for once more.
    private static let unknownPause = 2.0

    private struct State {
        var used: [ObjectIdentifier: Connection] = [:]
        /// Each wakes a thread that pauses before it repeats a request, or waits for a key.
        var pauses: [ObjectIdentifier: DispatchSemaphore] = [:]
        var isCancelled = false
        var warnings: Set<String> = []
    }

    let options: RemoteOptions
    /// Connections that are free for the next request, for any file, each with the server that it leads to.
    private let idle: Locked<[(server: String, connection: Connection)]>
    /// How many requests are made at the same time, for all files.
    private let limits: RequestLimits
    /// Where object stores are, and the key that signs requests to them, found when the first one is opened.
    private let keys: Locked<(settings: StoreSettings, ring: KeyRing)?>
    /// The client that this one for a single file was made from; nil for a client that a caller has made.
    private let parent: RemoteClient?
    private let state = Mutex(State())

    /// Loads libcurl, if that has not happened yet.
    ///
    /// - Throws: `remote` if there is no libcurl of version 7.85 or later.
    public init(options: RemoteOptions = RemoteOptions()) throws(Failure) {
        self.options = options
        idle = Locked([])
        limits = RequestLimits(most: options.connections)
        keys = Locked(options.store.map { ($0, KeyRing.ring(for: $0.place)) })
        parent = nil
        for line in options.headers + [options.userAgent]
        where line.utf8.contains(where: { $0 < 0x20 && $0 != 9 || $0 == 0x7F }) {
            throw .remote("a line of a header has characters that end it")
        }
        if let reason = sluice_curl_load() {
            throw .remote("can't ask servers: \(String(cString: reason)) (Debian's package is libcurl4)")
        }
    }

    /// The version of libcurl, such as `7.88.1`, which is loaded to ask; nil if there is none that can be used.
    package static var libraryVersion: String? {
        sluice_curl_load() == nil ? String(cString: sluice_curl_version()) : nil
    }

    private init(_ parent: RemoteClient) {
        (options, idle, limits, keys, self.parent) = (parent.options, parent.idle, parent.limits, parent.keys, parent)
    }

    /// A client that shares connections and keys with this one, but goes on after `cancel` was called here.
    func apart() -> RemoteClient { RemoteClient(apartFrom: self) }

    private init(apartFrom other: RemoteClient) {
        (options, idle, limits, keys, parent) = (other.options, other.idle, other.limits, other.keys, nil)
    }

    /// A client with the keys of another one, which has perhaps been cancelled.
    init(after other: RemoteClient, patience: Int) {
        var options = other.options
        (options.patience, options.onNotice, options.onPause) = (patience, { _ in }, { _ in })
        (self.options, keys, parent) = (options, other.keys, nil)
        (idle, limits) = (Locked([]), RequestLimits(most: nil))
    }

    /// A client that shares the connections, but whose `cancel` ends only the requests for one file.
    func forOneFile() -> RemoteClient { RemoteClient(parent ?? self) }

    /// Ends all requests, and makes later ones fail. Any thread may call it.
    public func cancel() {
        state.withLock { state in
            state.isCancelled = true
            // Within the lock: a connection that was given back may serve another file.
            for connection in state.used.values { connection.cancel() }
            for wake in state.pauses.values { wake.signal() }
        }
        limits.wakeAll()
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } || parent?.isCancelled == true }

    /// Makes a request, and repeats it after failures that may be temporary.
    ///
    /// - Parameters:
    ///   - address: where to send it. Redirections are recorded there.
    ///   - isLong: whether the body may take as long as the run: such a request is not counted among those that are
    ///     made at the same time, since others would wait for it.
    ///   - range: returns the value of `Range` without its unit, or nil for everything; called before each attempt,
    ///     with the status of the answer to the one before, 0 for none.
    ///   - lines: further header lines.
    ///   - judge: called with the header of a successful answer, before the body; throws if the body is not wanted.
    ///   - receive: takes bytes of the body. After a failure, `range` must return only those still missing.
    ///   - isComplete: whether all bytes have arrived, so that a failure after them does not matter.
    /// - Returns: the header of a success, or of an error that repeating the request would not change.
    func get(
        _ address: Locked<RemoteAddress>, isLong: Bool = false, range: (Int) -> String?, lines: [[UInt8]] = [],
        judge: @escaping (AnswerHeader) throws(Failure) -> Void = { _ in },
        receive: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void, isComplete: () -> Bool = { false }
    ) throws(Failure) -> AnswerHeader {
        try ask(
            address, isLong: isLong, range,
            Message(lines: lines, headers: options.writesObject ? .withoutObject : .all), isComplete,
            { Exchange(judge: judge, receive: receive) })
    }

    /// Sends a message, and sends it again after failures that may be temporary.
    ///
    /// - Parameters:
    ///   - receive: takes the body of a successful answer; called before each attempt, so that each begins anew.
    ///   - didSend: takes how many bytes of the content are on their way.
    /// - Returns: the header of a success, or of an error that repeating the message would not change.
    func send(
        _ message: Message, to address: Locked<RemoteAddress>,
        receive: () -> (UnsafeRawBufferPointer) throws(Failure) -> Void = { { _ in } },
        didSend: @escaping (Int) -> Void = { _ in }
    ) throws(Failure) -> AnswerHeader {
        try ask(
            address, isLong: false, { _ in nil }, message, { false },
            { Exchange(judge: { _ in }, receive: receive(), didSend: didSend) })
    }

    private func ask(
        _ address: Locked<RemoteAddress>, isLong: Bool, _ range: (Int) -> String?, _ message: Message,
        _ isComplete: () -> Bool, _ exchange: () -> Exchange
    ) throws(Failure) -> AnswerHeader {
        var course = Course()
        while true {
            let attempt = Attempt(
                target: address.withLock { $0 }, range: course.isWithoutRange ? nil : range(course.status),
                message: message, isLong: isLong, exchange: exchange())
            switch try make(attempt, &course, address, isComplete) {
            case .done(var header):
                header.attempts = course.attempts
                return header
            case .again(let seconds): if seconds > 0 { try pause(seconds) }
            case .expired(let header, let refused):
                if try key(insteadOf: refused) == nil { return header }
            }
        }
    }

    /// One request and its answer.
    private struct Attempt {
        let target: RemoteAddress
        let range: String?
        let message: Message
        let isLong: Bool
        let exchange: Exchange
    }

    /// What comes after an answer.
    private enum Step {
        case done(AnswerHeader)
        /// Another attempt, after so many seconds.
        case again(after: Double)
        /// Another attempt, if there is a key that has not expired.
        case expired(AnswerHeader, AccessKey)
    }

    /// Makes a request, and decides what comes then. The turn and the connection are given back before any pause:
    /// others can use them meanwhile.
    private func make(
        _ attempt: Attempt, _ course: inout Course, _ address: Locked<RemoteAddress>, _ isComplete: () -> Bool
    ) throws(Failure) -> Step {
        let (target, exchange) = (attempt.target, attempt.exchange)
        let turn = attempt.isLong ? nil : try limits.begin(at: target.server, unless: { isCancelled })
        defer { if let turn { limits.end(turn) } }
        // Now, since a key may have expired while the request waited for its turn.
        let request = try target.request(
            range: attempt.range, attempt.message, options, target.isSigned ? key() : nil)
        let connection = try take(for: target.server)
        defer { give(connection, for: target.server) }
        try connection.perform(request, exchange)
        let header = try answer(to: attempt, request.signer, &course)
        if let next = try course.place(after: header, from: target, isSigned: request.signer != nil) {
            if target.isEncrypted, !next.isEncrypted { warnOnce(target.location.name, Self.isDecrypted) }
            // Another thread may have been led there meanwhile.
            address.withLock { $0 = next }
            return .again(after: 0)
        }
        if let signer = request.signer, course.mayRenew(after: header, to: attempt.message) {
            return .expired(header, signer.key)
        }
        if course.hasRetracted(header, target, address) { return .again(after: 0) }
        let isOneOfMany = mayBeTooMany(header, attempt, course)
        if isOneOfMany, let turn, let most = limits.lower(after: turn) {
            connection.retire()
            idle.withLock { $0.removeAll() }
            return .again(after: try pauseAfterLowering(to: most, header, exchange, target))
        }
        let isCrowded = header.status == 403 && isOneOfMany && limits.isLowered(target.server)
        guard exchange.trouble != nil || isCrowded || Self.mayPass(header, attempt.message), !isComplete() else {
            return .done(header)
        }
        return .again(after: try course.pause(self, header, exchange, target.location.name))
    }

    /// The header of an answer, with what is known beside it.
    ///
    /// - Throws: what those who take the answer have thrown.
    private func answer(to attempt: Attempt, _ signer: Signer?, _ course: inout Course) throws(Failure) -> AnswerHeader
    {
        var header = attempt.exchange.header
        course.status = header.status
        course.attempts += attempt.exchange.isRepeated ? 2 : 1
        // An unsigned request is not for any region, so it can follow a redirection to another one.
        header.ignore(region: signer.map(\.region) ?? header.bucketRegion)
        if attempt.target.isSigned, signer == nil { header.searched = keys.withLock { $0?.settings.searched } }
        if let failure = attempt.exchange.failure { throw failure }
        if 200..<300 ~= header.status { limits.noteSuccess(at: attempt.target.server) }
        return header
    }

    /// Says that fewer requests are made at a time. That is no retry, so it does not count as one.
    ///
    /// - Returns: the seconds to wait: a server that limits how many requests come within some time would refuse the
    ///   next one, too, if it came at once.
    /// - Throws: `remote` if the server wants too long a pause.
    private func pauseAfterLowering(
        to most: Int, _ header: AnswerHeader, _ exchange: Exchange, _ target: RemoteAddress
    ) throws(Failure) -> Double {
        let sentence = "\(target.location.name): \(Self.words(header, exchange)); \(Self.fewer(most))"
        options.onNotice(sentence)
        guard [429, 503].contains(header.status) else { return 0 }
        options.onPause(sentence)
        return max(Self.firstPause * Double.random(in: 1...1.5), try Self.wantedPause(header, exchange))
    }

    /// The seconds that the server asks to wait.
    ///
    /// - Throws: `remote` if they are too many.
    private static func wantedPause(_ header: AnswerHeader, _ exchange: Exchange) throws(Failure) -> Double {
        let seconds = header.retryAfter ?? 0
        if seconds > longestPause {
            throw .remote("\(words(header, exchange)), and wants to be asked again in \(seconds) seconds")
        }
        return Double(seconds)
    }

    /// Waits before a request is repeated.
    ///
    /// - Throws: `cancelled`, as soon as `cancel` is called.
    func pause(_ seconds: Double) throws(Failure) {
        try wait(for: DispatchSemaphore(value: 0), until: .now() + seconds) { true }
    }

    /// Waits for a semaphore.
    ///
    /// - Parameter begin: called when `cancel` can end the wait; returns false if there is nothing to wait for.
    /// - Throws: `cancelled`, as soon as `cancel` is called.
    func wait(
        for wake: DispatchSemaphore, until deadline: DispatchTime = .distantFuture, _ begin: () -> Bool
    ) throws(Failure) {
        let clients = [self, parent].compactMap(\.self)
        for client in clients { client.state.withLock { $0.pauses[ObjectIdentifier(wake)] = wake } }
        defer { for client in clients { client.state.withLock { $0.pauses[ObjectIdentifier(wake)] = nil } } }
        // Whoever cancels has said so before it wakes those that wait.
        if !isCancelled, begin() { _ = wake.wait(timeout: deadline) }
        if isCancelled { throw .cancelled }
    }

    /// Whether the server may have refused the request only because it is one of several. It has answered others.
    private func mayBeTooMany(_ header: AnswerHeader, _ attempt: Attempt, _ course: Course) -> Bool {
        let target = attempt.target
        return switch header.status {
        case 429, 503: true
        case 403:
            // Not keys or a URL whose time is over: an object store says so in a word, and a first server was asked
            // again for the URL. The answer to HEAD has no room for a word: the key may not ask.
            header.errorCode == nil && (course.hasReturned || !target.mayExpire) && limits.hasServed(target.server)
                && attempt.message.method != "HEAD"
        default: attempt.exchange.isTurnedAway && limits.hasServed(target.server)
        }
    }

    private static func fewer(_ most: Int) -> String {
        "trying again, with at most \(most == 1 ? "1 request" : "\(most) requests") at a time"
    }

    /// Whether an answer reports a problem that repeating the request may solve.
    private static func mayPass(_ header: AnswerHeader, _ message: Message) -> Bool {
        if [408, 425, 429, 500, 502, 503, 504].contains(header.status) { return true }
        guard header.status >= 400, let code = header.errorCode else { return false }
        return mayPass(code) || message.content != nil && isOfTheWay.contains(code)
    }

    /// The same of the word that a store has for the problem. A body that stalls gets 400 and RequestTimeout.
    static func mayPass(_ code: String) -> Bool {
        ["InternalError", "RequestTimeout", "ServiceUnavailable", "SlowDown"].contains(code)
    }

    /// What a store says of a content that was changed on the way.
    private static let isOfTheWay = ["BadDigest", "XAmzContentSHA256Mismatch"]

    /// What went wrong, as part of a sentence.
    private static func words(_ header: AnswerHeader, _ exchange: Exchange) -> String {
        let code = header.errorCode.map { ", \($0)" } ?? ""
        return exchange.trouble ?? "the server answered with status \(header.status)\(code)"
    }

    /// The key that signs requests; nil if there is none.
    ///
    /// - Parameter refused: one that the store calls expired.
    func key(insteadOf refused: AccessKey? = nil) throws(Failure) -> AccessKey? {
        guard let (settings, ring) = keys.withLock({ $0 }) else { return nil }
        return try ring.key(insteadOf: refused, for: self) { () throws(Failure) in
            try fetchKey(from: settings.place)
        }
    }

    /// Where requests for a file are sent.
    ///
    /// - Parameter isWritten: whether it is written: then it has no version yet.
    /// - Throws: `remote` if it is an object, and the settings for object stores make no sense.
    func address(of location: RemoteLocation, isWritten: Bool = false) throws(Failure) -> RemoteAddress {
        guard location.scheme == .s3 else { return RemoteAddress(location) }
        let settings = try keys.withLock { keys throws(Failure) in
            if let keys { return keys.settings }
            let settings = try StoreSettings(isGiven: options.accessKey != nil)
            keys = (settings, KeyRing.ring(for: settings.place))
            return settings
        }
        var address = RemoteAddress(
            try ObjectStore(location, version: isWritten ? nil : options.objectVersion, settings))
        address.isFixed = isWritten
        return address
    }

    private static let isDecrypted = "the server redirects from https to http: what comes from there can be changed"

    /// Warns of a server, once for each file.
    func warnOnce(_ name: String, _ sentence: String) {
        let isNew = state.withLock { $0.warnings.insert(sentence).inserted }
        if isNew { options.onWarning("\(name): \(sentence)") }
    }

    func take(for server: String) throws(Failure) -> Connection {
        let waiting = idle.withLock { idle in
            idle.lastIndex { $0.server == server }.map { idle.remove(at: $0).connection }
        }
        let connection = if let waiting { waiting } else { try Connection() }
        note(connection)
        parent?.note(connection)
        return connection
    }

    private func note(_ connection: Connection) {
        state.withLock { state in
            state.used[ObjectIdentifier(connection)] = connection
            if state.isCancelled { connection.cancel() }
        }
    }

    func give(_ connection: Connection, for server: String) {
        for client in [self, parent].compactMap(\.self) {
            client.state.withLock { $0.used[ObjectIdentifier(connection)] = nil }
        }
        if !connection.isReusable { return }
        idle.withLock { idle in
            if limits.allowsIdle(server, beside: idle.count { $0.server == server }) {
                idle.append((server, connection))
            }
        }
    }
}

extension RemoteClient {
    /// What one call of `get` has tried.
    private struct Course {
        /// The status of the last answer; 0 for none.
        var status = 0
        /// How often the server was asked.
        var attempts = 0
        private var hasRenewed = false
        private var retries = 0
        private var redirections = 0
        /// Whether the first server was asked for another target of its redirection.
        private(set) var hasReturned = false
        /// Whether to ask for all of the file, to be redirected.
        private(set) var isWithoutRange = false
        private var corrections = 0
        private var isUnknown = false

        /// The address to ask instead, as the answer says; nil if it says none.
        mutating func place(
            after header: AnswerHeader, from target: RemoteAddress, isSigned: Bool
        ) throws(Failure) -> RemoteAddress? {
            if corrections < 2, let next = target.corrected(by: header, isSigned: isSigned) {
                corrections += 1
                return next
            }
            guard 300..<400 ~= header.status, header.bucketRegion == nil, let next = header.location else { return nil }
            redirections += 1
            if redirections > mostRedirections { throw .remote("the server redirects without end") }
            isWithoutRange = false
            return try target.redirected(to: next)
        }

        /// Whether the key has expired, as the store says for the first time: its clock counts. The answer to HEAD has
        /// no room for the word; S3 then says 400.
        mutating func mayRenew(after header: AnswerHeader, to message: Message) -> Bool {
            let isExpired =
                [400, 401, 403].contains(header.status) && header.errorCode?.hasPrefix("ExpiredToken") == true
                || header.status == 400 && message.method == "HEAD"
            guard isExpired, !hasRenewed else { return false }
            hasRenewed = true
            return true
        }

        /// Whether to ask the first server again, in another way: the target of a redirection may have expired, and
        /// that server may look for the range in its own answer.
        mutating func hasRetracted(
            _ header: AnswerHeader, _ target: RemoteAddress, _ address: Locked<RemoteAddress>
        ) -> Bool {
            if target.isRedirected, !hasReturned, [400, 401, 403, 404, 410].contains(header.status) {
                (redirections, hasReturned) = (0, true)
                address.withLock { $0.forgetRedirection(of: target) }
                return true
            }
            guard header.status == 416, hasReturned, !target.isRedirected, !isWithoutRange else { return false }
            isWithoutRange = true
            return true
        }

        /// Decides about the next attempt, and says so.
        ///
        /// - Returns: the seconds to wait before it.
        /// - Throws: why there is none.
        mutating func pause(
            _ client: RemoteClient, _ header: AnswerHeader, _ exchange: Exchange, _ name: String
        ) throws(Failure) -> Double {
            let trouble = RemoteClient.words(header, exchange)
            var (seconds, count) = (unknownPause, "")
            if exchange.isOfUnknownHost {
                // A name server may just have started, with the machine or its network.
                if isUnknown { throw .remote(trouble) }
                isUnknown = true
            } else {
                retries += 1
                if retries > mostRetries {
                    let isForbidden = exchange.trouble == nil && header.status == 403
                    throw isForbidden ? .refusal(header) : .remote("\(trouble), \(retries) times")
                }
                let wanted = try RemoteClient.wantedPause(header, exchange)
                // Random, so that processes which failed together do not all return together.
                let own = firstPause * Double(1 << (retries - 1)) * Double.random(in: 1...1.5)
                seconds = max(own, wanted)
                count = " (\(retries) of \(mostRetries))"
            }
            let sentence = "\(name): \(trouble); trying again in \((seconds * 10).rounded() / 10) s\(count)"
            client.options.onNotice(sentence)
            client.options.onPause(sentence)
            return seconds
        }
    }
}
