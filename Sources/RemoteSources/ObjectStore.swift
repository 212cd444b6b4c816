internal import ByteStreams
internal import Glibc

/// How to request an S3 object: its HTTP URL, and the region for which requests are signed.
struct ObjectStore {
    private let bucket: String
    /// With a slash before it.
    private let key: String
    /// The version of the object; nil for the current one.
    private let version: String?
    /// The server; nil for Amazon's.
    private let endpoint: String?
    /// Where the bucket lies.
    private(set) var region: String
    /// Whether the bucket is a part of the host of an endpoint, rather than of the path.
    private(set) var isInHost: Bool
    /// The object as a URL of HTTP.
    private(set) var location: RemoteLocation

    /// - Parameters:
    ///   - object: a URL with the scheme s3.
    ///   - version: of the object; nil for the current one.
    ///   - settings: what variables and files say about stores.
    /// - Throws: `remote` if the URL has no valid bucket and key, or `AWS_ENDPOINT_URL` is not an HTTP URL.
    init(_ object: RemoteLocation, version: String? = nil, _ settings: StoreSettings) throws(Failure) {
        (bucket, key, self.version) = (object.host, object.path, version)
        guard key.count > 1 else { throw .remote("the URL names no object, only a bucket") }
        (region, endpoint, isInHost) = (settings.region, settings.endpoint, settings.isInHost)
        location = object
        guard endpoint != nil && !isInHost || canBeInHost, bucket != ".", bucket != ".." else {
            throw .remote("the URL has no name of a bucket")
        }
        if key.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) {
            throw .remote("the key has a part . or .., which no URL can name")
        }
        guard let location = place else { throw .remote("AWS_ENDPOINT_URL is not a URL of HTTP") }
        self.location = location
    }

    /// Whether the bucket's name can be a part of a host. That host gets the signature, so the name must not have
    /// characters that end a host, and would make another one of its beginning.
    private var canBeInHost: Bool {
        bucket.utf8.allSatisfy { $0 < 0x80 && isalnum(Int32($0)) != 0 || "._-".utf8.contains($0) }
    }

    /// The same object where a refusal says that it is, on a host of the same store; nil if the refusal says nothing
    /// new.
    ///
    /// - Parameter isSigned: whether the request was: another one is not for any region.
    func corrected(by header: AnswerHeader, isSigned: Bool) -> ObjectStore? {
        var other = self
        if isSigned, let region = header.bucketRegion, region != self.region,
            [301, 307, 400, 403].contains(header.status)
        {
            other.region = region
        } else if endpoint != nil, !isInHost, canBeInHost, Self.hostRequired.contains(header.errorCode ?? "") {
            other.isInHost = true
        } else {
            return nil
        }
        guard let place = other.place, isOfStore(place) else { return nil }
        other.location = place
        return other
    }

    /// Whether a place is on a host of the store: no answer may lead the signature and the headers to others.
    private func isOfStore(_ place: RemoteLocation) -> Bool {
        let store = endpoint.flatMap { RemoteLocation(String($0.trimmingSlashes))?.host } ?? "amazonaws.com"
        return place.host == store || place.host.hasSuffix("." + store)
    }

    /// The words for "the bucket must be in the host" of Alibaba's, Tencent's and Huawei's stores.
    private static let hostRequired = [
        "SecondLevelDomainForbidden", "PathStyleDomainForbidden", "VirtualHostDomainRequired",
    ]

    /// The URL of HTTP; nil if the endpoint has none.
    private var place: RemoteLocation? {
        guard let base else { return nil }
        let query = version.map { "?versionId=" + $0.percentEncoded(keeping: "") } ?? ""
        return RemoteLocation(base + key.percentEncoded(keeping: "/") + query)
    }

    /// The URL that all keys of the bucket follow.
    private var base: String? {
        if let endpoint {
            guard let server = RemoteLocation(String(endpoint.trimmingSlashes)), server.scheme != .s3 else {
                return nil
            }
            return isInHost ? server.url(onHostBefore: bucket) : "\(server.url)/\(bucket)"
        }
        // The certificate of Amazon's hosts does not match bucket names with dots, so these go into the path.
        return bucket.contains(".")
            ? "https://s3.\(region).amazonaws.com/\(bucket)" : "https://\(bucket).s3.\(region).amazonaws.com"
    }
}

extension String {
    /// The text with all bytes percent-encoded except some, and the unreserved characters of RFC 3986.
    func percentEncoded(keeping kept: String) -> String {
        utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || "-._~\(kept)".contains(character) {
                return String(character)
            }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }

    fileprivate var trimmingSlashes: Substring {
        var text = self[...]
        while text.last == "/" { text.removeLast() }
        return text
    }
}

extension RemoteLocation {
    /// The URL with another label before the host: `http://bucket.host:1/path`.
    fileprivate func url(onHostBefore label: String) -> String {
        guard let parts = URLParts(Array(url.utf8)) else { return url }
        let bytes = Array(url.utf8)
        let start = parts.host.lowerBound
        return String(decoding: bytes[..<start] + Array("\(label).".utf8) + bytes[start...], as: UTF8.self)
    }
}
