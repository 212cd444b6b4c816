internal import ByteStreams
internal import CCurl
internal import Glibc

/// Where requests for one file are sent: to the server that was named, or one that it redirects to.
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

    func request(range: String?, _ lines: [String], _ options: RemoteOptions) -> Request {
        // What can't be told to be home is not.
        let isHome = target.map { RemoteLocation($0).map(location.isOnSameServer) ?? false } ?? true
        return Request(
            url: target ?? location.url, range: range, lines: lines + (isHome ? options.headers : []),
            keys: isHome ? keys : nil, isHome: isHome, patience: min(86_400, max(1, options.patience)))
    }

    /// Where this place redirects to; other threads may have changed the address since it was asked.
    ///
    /// - Throws: if it is not to a URL of HTTP.
    func redirected(to next: String) throws(Failure) -> RemoteAddress {
        guard let text = sluice_resolve_url(target ?? location.url, next) else {
            throw .remote("the server redirects to something other than a URL of HTTP")
        }
        defer { free(text) }
        var address = self
        let url = String(cString: text)
        address.target = RemoteLocation(url)?.url(asGivenTo: location) ?? url
        return address
    }

    /// Goes back to the server that was named, unless another thread has done so and was redirected anew.
    mutating func forgetRedirection(of other: RemoteAddress) {
        if target == other.target { target = nil }
    }
}
