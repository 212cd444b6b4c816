public import ByteStreams
internal import CCurl
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

    private struct State {
        var used: [ObjectIdentifier: Connection] = [:]
        var isCancelled = false
        var warnings: Set<String> = []
    }

    let options: RemoteOptions
    /// Connections that are free for the next request, for any file.
    private let idle: Locked<[Connection]>
    /// The client that this one for a single file was made from; nil for a client that a caller has made.
    private let parent: RemoteClient?
    private let state = Mutex(State())

    /// Loads libcurl, if that has not happened yet.
    ///
    /// - Throws: `remote` if there is no libcurl of version 7.85 or later.
    public init(options: RemoteOptions = RemoteOptions()) throws(Failure) {
        self.options = options
        idle = Locked([])
        parent = nil
        for line in options.headers where line.utf8.contains(where: { $0 < 0x20 && $0 != 9 || $0 == 0x7F }) {
            throw .remote("a line of a header has characters that end it")
        }
        if let reason = sluice_curl_load() {
            throw .remote("can't read from servers: \(String(cString: reason)) (Debian's package is libcurl4)")
        }
    }

    /// The version of libcurl, such as `7.88.1`, which is loaded to ask; nil if there is none that can be used.
    package static var libraryVersion: String? {
        sluice_curl_load() == nil ? String(cString: sluice_curl_version()) : nil
    }

    private init(_ parent: RemoteClient) { (options, idle, self.parent) = (parent.options, parent.idle, parent) }

    /// A client that shares the connections, but whose `cancel` ends only the requests for one file.
    func forOneFile() -> RemoteClient { RemoteClient(parent ?? self) }

    /// Ends all requests, and makes later ones fail. Any thread may call it.
    public func cancel() {
        state.withLock { state in
            state.isCancelled = true
            // Within the lock: a connection that was given back may serve another file.
            for connection in state.used.values { connection.cancel() }
        }
    }

    /// Makes a request, and repeats it after failures that may be temporary.
    ///
    /// - Parameters:
    ///   - address: where to send it. Redirections are recorded there.
    ///   - range: returns the value of `Range` without its unit, or nil for everything; called before each attempt.
    ///   - lines: further header lines.
    ///   - judge: called with the header of a successful answer, before the body; throws if the body is not wanted.
    ///   - receive: takes bytes of the body. After a failure, `range` must return only those still missing.
    ///   - isComplete: whether all bytes have arrived, so that a failure after them does not matter.
    /// - Returns: the header of a success, or of an error that repeating the request would not change.
    func get(
        _ address: Locked<RemoteAddress>, range: () -> String?, lines: [[UInt8]] = [],
        judge: @escaping (AnswerHeader) throws(Failure) -> Void = { _ in },
        receive: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void, isComplete: () -> Bool = { false }
    ) throws(Failure) -> AnswerHeader {
        let connection = try take()
        defer { give(connection) }
        var (retries, redirections, hasReturned) = (0, 0, false)
        while true {
            let target = address.withLock { $0 }
            let exchange = Exchange(judge: judge, receive: receive)
            let request = target.request(range: range(), lines, options)
            try connection.perform(request, exchange)
            var header = exchange.header
            // An unsigned request is not for any region, so it can follow a redirection to another one.
            header.ignore(region: request.keys == nil ? header.bucketRegion : request.keys?.region)
            if let failure = exchange.failure { throw failure }
            if 300..<400 ~= header.status, header.bucketRegion == nil, let next = header.location {
                redirections += 1
                if redirections > Self.mostRedirections { throw .remote("the server redirects without end") }
                let redirected = try target.redirected(to: next)
                if target.isEncrypted, !redirected.isEncrypted { warnOnce(target.location.name, Self.isDecrypted) }
                address.withLock { $0 = redirected }
                continue
            }
            if target.isRedirected, !hasReturned, [400, 401, 403, 404, 410].contains(header.status) {
                // The target of a redirection may have expired: ask the first server once for a new one.
                (redirections, hasReturned) = (0, true)
                address.withLock { $0.forgetRedirection(of: target) }
                continue
            }
            guard let trouble = exchange.trouble ?? Self.trouble(header.status), !isComplete() else { return header }
            retries += 1
            if retries > Self.mostRetries { throw .remote("\(trouble), \(retries) times") }
            try pause(connection, before: retries, header.retryAfter, trouble, target.location.name)
        }
    }

    private static let isDecrypted = "the server redirects from https to http: what comes from there can be changed"

    /// Warns of a server, once for each file.
    func warnOnce(_ name: String, _ sentence: String) {
        let isNew = state.withLock { $0.warnings.insert(sentence).inserted }
        if isNew { options.onWarning("\(name): \(sentence)") }
    }

    /// The problem that a status reports, if repeating the request may help; otherwise nil.
    private static func trouble(_ status: Int) -> String? {
        [408, 425, 429, 500, 502, 503, 504].contains(status) ? "the server answered with status \(status)" : nil
    }

    private func pause(
        _ connection: Connection, before retry: Int, _ wanted: Int?, _ trouble: String, _ name: String
    ) throws(Failure) {
        if let wanted, wanted > Self.longestPause {
            throw .remote("\(trouble), and wants to be asked again in \(wanted) seconds")
        }
        // Random, so that processes which failed together do not all return together.
        let own = Self.firstPause * Double(1 << (retry - 1)) * Double.random(in: 1...1.5)
        let pause = max(own, Double(wanted ?? 0))
        let seconds = (pause * 10).rounded() / 10
        options.onNotice("\(name): \(trouble); trying again in \(seconds) s (\(retry) of \(Self.mostRetries))")
        if !connection.pause(pause) { throw .cancelled }
    }

    private func take() throws(Failure) -> Connection {
        let waiting = idle.withLock { $0.popLast() }
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

    private func give(_ connection: Connection) {
        for client in [self, parent].compactMap(\.self) {
            client.state.withLock { $0.used[ObjectIdentifier(connection)] = nil }
        }
        if connection.isReusable { idle.withLock { $0.append(connection) } }
    }
}
