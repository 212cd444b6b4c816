internal import Glibc

/// The location of a file on a server: an HTTP URL, or one for an object in an S3 bucket.
///
///     if let location = RemoteLocation("https://example.org/a.zst?key=secret") {
///         print("reading \(location.name)")  // https://example.org/a.zst
///     }
public struct RemoteLocation: Hashable, Sendable {
    package enum Scheme: String, Sendable {
        case http, https, s3
    }

    package let scheme: Scheme
    /// The URL as it was given. It may contain secrets.
    package let url: String
    /// The host and, after a colon, the port; the bucket for S3.
    package let host: String
    /// The path, without the query: empty, or beginning with a slash.
    package let path: String

    /// Nil for anything that does not begin with `http://`, `https://` or `s3://` and the name of a host, and for text
    /// with blanks or control characters.
    public init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://"),
            let scheme = Scheme(rawValue: text[..<colon].lowercased()),
            !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F })
        else { return nil }
        let rest = text[colon...].dropFirst(3)
        // In S3, a key may contain these characters.
        let main = scheme == .s3 ? rest : rest.prefix { $0 != "?" && $0 != "#" }
        let authority = main.prefix { $0 != "/" }
        host = String(authority.split(separator: "@", omittingEmptySubsequences: false).last ?? "")
        path = String(main[authority.endIndex...])
        self.scheme = scheme
        url = text
        if host.isEmpty { return nil }
    }

    /// The URL without its query and credentials, for messages.
    public var name: String { "\(scheme.rawValue)://\(host)\(path)" }

    /// The last component of the path, after which outputs are named; nil if there is none.
    public var fileName: String? {
        let last = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        return last.isEmpty || last == "." || last == ".." ? nil : last
    }

    /// Whether both are on the same server, which may therefore receive the same secrets.
    package func isOnSameServer(as other: RemoteLocation) -> Bool {
        (scheme, hostName.lowercased(), port) == (other.scheme, other.hostName.lowercased(), other.port)
    }

    /// The host without its port; the colons of an address of IPv6 are in brackets.
    private var hostName: Substring {
        guard let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") else { return host[...] }
        return host[..<colon]
    }

    /// The URL, with the name and password of another one on the same server unless it has its own: servers redirect to
    /// themselves without them.
    package func url(asGivenTo other: RemoteLocation) -> String {
        guard isOnSameServer(as: other), credentials == nil, let own = other.credentials else { return url }
        return url.prefix(schemeLength) + own + "@" + url.dropFirst(schemeLength)
    }

    /// Characters up to the host, or to the name and password before it.
    private var schemeLength: Int { scheme.rawValue.count + 3 }

    /// The name and password before the host; nil if there are none.
    private var credentials: Substring? {
        guard scheme != .s3 else { return nil }
        let authority = url.dropFirst(schemeLength).prefix { !"/?#".contains($0) }
        return authority.lastIndex(of: "@").map { authority[..<$0] }
    }

    /// The port to connect to.
    package var port: UInt16 {
        // The colons of an address of IPv6 are in brackets.
        let end = host.split(separator: "]", omittingEmptySubsequences: false).last ?? ""
        let digits = end.split(separator: ":", omittingEmptySubsequences: false).dropFirst().last
        return digits.flatMap { UInt16($0) } ?? (scheme == .http ? 80 : 443)
    }
}

/// What requests to servers contain, and how long to wait for an answer.
///
///     var options = CompressedFile.Options()
///     options.remote.headers = ["Authorization: Bearer 123"]
///     options.remote.patience = 5
///     let file = try CompressedFile(at: "https://example.org/a.zst", options: options)
public struct RemoteOptions: Sendable {
    /// Further header lines of each request, such as `Authorization: Bearer …`. Only the server of the URL receives
    /// them, not others that it redirects to.
    public var headers: [String] = []
    /// Seconds without a byte after which a request has failed, at least 1.
    public var patience = 30
    /// Receives a sentence, without secrets, each time a request is repeated, and if only the size of a file can show
    /// whether it changes.
    public var onNotice: @Sendable (String) -> Void = { _ in }

    /// Creates options, each with its default.
    public init() {}
}
