internal import ByteStreams
internal import CCurl
internal import Glibc

/// Where requests for one file are sent: to the server of the original URL, or to one that it redirects to.
struct RemoteAddress: Sendable {
    private(set) var location: RemoteLocation
    /// The object, if the original URL names one.
    private var object: ObjectStore?
    private var target: String?
    /// Whether no redirection is followed: an object that is written is asked for, sent, and removed at its store only.
    var isFixed = false

    init(_ location: RemoteLocation) { self.location = location }

    init(_ object: ObjectStore) { (location, self.object) = (object.location, object) }

    /// Whether requests are signed, if there is a key.
    var isSigned: Bool { object != nil && isToNamedServer }
    /// Whether it is the server of the original URL. A target that can't be parsed counts as another one.
    private var isToNamedServer: Bool {
        target.map { RemoteLocation($0).map(location.isOnSameServer) ?? false } ?? true
    }

    var isRedirected: Bool { target != nil }
    /// Whether the connection is encrypted. libcurl has made a target lower case.
    var isEncrypted: Bool { target.map { $0.utf8.starts(with: "https:".utf8) } ?? (location.scheme == .https) }
    /// Names the server that is asked: its scheme, host and port.
    var server: String {
        guard let place = target.map(RemoteLocation.init) ?? location else { return "" }
        return "\(place.scheme)://\(place.host.lowercased())"
    }

    /// Whether the URL may be valid for a while only: it is signed, or has a token.
    var mayExpire: Bool {
        let query = (target ?? location.url).lowercased().split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        return ["signature=", "sig=", "expires=", "token="].contains { query.contains($0) }
    }

    /// - Parameter key: nil for a request that is not signed.
    /// - Throws: `remote` if it can't be signed as a store wants it.
    func request(
        range: String?, _ message: Message, _ options: RemoteOptions, _ key: AccessKey?
    ) throws(Failure) -> Request {
        let signer = signer(key)
        let ours = options.headers.filter { message.takes($0) && takes($0, options) }
        var request = Request(
            url: (target ?? location.url) + message.query, range: range, agent: options.userAgent,
            lines: message.lines + ours.map { Array($0.utf8) }, signer: signer,
            isToNamedServer: isToNamedServer, isRedirected: isRedirected,
            patience: min(86_400, max(1, options.patience, message.patience)))
        (request.method, request.content) = (message.method, message.content)
        try request.checkSignature()
        return request
    }

    /// Whether a line of the options goes to the server that is asked. Those that a redirection names get none. Where
    /// the run asks object stores and other servers, each gets those of its kind.
    private func takes(_ line: String, _ options: RemoteOptions) -> Bool {
        guard isToNamedServer else { return false }
        return switch Message.Receiver(Message.name(of: line)) {
        case .both: true
        case .store: object != nil || !options.asksBothKinds
        case .server: object == nil || !options.asksBothKinds
        }
    }

    private func signer(_ key: AccessKey?) -> Signer? {
        guard isSigned, let key, let object else { return nil }
        return Signer(key: key, region: object.region)
    }

    /// The address after a redirection, relative to this one.
    ///
    /// - Throws: `remote` if the target is not an HTTP URL, or the address is fixed.
    func redirected(to next: [UInt8]) throws(Failure) -> RemoteAddress {
        if isFixed { throw .writtenElsewhere }
        let next = next.map { CChar(bitPattern: $0) } + [0]
        guard let text = sluice_resolve_url(target ?? location.url, next) else {
            throw .remote("the server redirects to something other than a URL of HTTP")
        }
        defer { free(text) }
        var address = self
        let url = String(cString: text)
        address.target = RemoteLocation(url)?.url(asGivenTo: location) ?? url
        return address
    }

    /// The address where a refusal of an object store says that the object is; nil if it says nothing new. It is on a
    /// host of the same store, which therefore receives the headers of the options, too.
    func corrected(by header: AnswerHeader, isSigned: Bool) -> RemoteAddress? {
        guard !isRedirected, let object = object?.corrected(by: header, isSigned: isSigned) else { return nil }
        var address = self
        (address.location, address.object) = (object.location, object)
        return address
    }

    /// Returns to the server of the original URL, unless another thread has done so and was redirected again.
    mutating func forgetRedirection(of other: RemoteAddress) {
        if target == other.target { target = nil }
    }
}
