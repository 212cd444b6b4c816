internal import ByteStreams
internal import CCurl
internal import Glibc

/// Where requests for one file are sent: to the server of the original URL, or to one that it redirects to.
struct RemoteAddress: Sendable {
    let location: RemoteLocation
    private let keys: ObjectStore.Keys?
    private var target: String?

    init(_ location: RemoteLocation) throws(Failure) {
        if location.scheme == .s3 {
            let object = try ObjectStore(location)
            (self.location, keys) = (object.location, object.keys)
        } else {
            (self.location, keys) = (location, nil)
        }
    }

    var isRedirected: Bool { target != nil }
    /// Whether the connection is encrypted. libcurl has made a target lower case.
    var isEncrypted: Bool { target.map { $0.utf8.starts(with: "https:".utf8) } ?? (location.scheme == .https) }

    func request(range: String?, _ lines: [[UInt8]], _ options: RemoteOptions) -> Request {
        // A target that can't be parsed counts as another server.
        let isToNamedServer = target.map { RemoteLocation($0).map(location.isOnSameServer) ?? false } ?? true
        return Request(
            url: target ?? location.url, range: range,
            lines: lines + (isToNamedServer ? options.headers.map { Array($0.utf8) } : []),
            keys: isToNamedServer ? keys : nil, isToNamedServer: isToNamedServer,
            patience: min(86_400, max(1, options.patience)))
    }

    /// The address after a redirection, relative to this one.
    ///
    /// - Throws: `remote` if the target is not an HTTP URL.
    func redirected(to next: [UInt8]) throws(Failure) -> RemoteAddress {
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

    /// Returns to the server of the original URL, unless another thread has done so and was redirected again.
    mutating func forgetRedirection(of other: RemoteAddress) {
        if target == other.target { target = nil }
    }
}
