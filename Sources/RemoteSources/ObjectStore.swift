internal import ByteStreams
internal import Glibc

/// How to request an S3 object: its HTTP URL, and the keys that sign requests, if there are any. Server, region and
/// keys come from the environment variables that other S3 tools read too.
struct ObjectStore {
    let location: RemoteLocation
    /// Signs requests; nil for an object that everyone may read.
    let keys: Keys?

    struct Keys: Sendable {
        let identifier: String
        let secret: String
        /// The session token; nil unless the key is temporary.
        let token: String?
        let region: String
    }

    /// - Parameters:
    ///   - object: a URL with the scheme s3.
    ///   - value: looks up a variable of the environment.
    /// - Throws: `remote` if the URL has no valid bucket and key, or `AWS_ENDPOINT_URL` is not an HTTP URL.
    init(_ object: RemoteLocation, _ value: (String) -> String? = Self.variable) throws(Failure) {
        let (bucket, key) = (object.host, object.path)
        guard key.count > 1 else { throw .remote("the URL names no object, only a bucket") }
        let region = value("AWS_REGION") ?? value("AWS_DEFAULT_REGION") ?? "us-east-1"
        let endpoint = value("AWS_ENDPOINT_URL_S3") ?? value("AWS_ENDPOINT_URL")
        // Without an endpoint, the bucket is part of the host, which gets the signature: it must not name another host.
        let isHostName = bucket.utf8.allSatisfy { $0 < 0x80 && isalnum(Int32($0)) != 0 || "._-".utf8.contains($0) }
        guard endpoint != nil || isHostName, bucket != ".", bucket != ".." else {
            throw .remote("the URL has no name of a bucket")
        }
        if key.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) {
            throw .remote("the key has a part . or .., which no URL can name")
        }
        // The certificate of Amazon's hosts does not match bucket names with dots, so these go into the path.
        let base =
            if let endpoint { "\(endpoint.trimmingSlashes)/\(bucket)" } else if bucket.contains(".") {
                "https://s3.\(region).amazonaws.com/\(bucket)"
            } else { "https://\(bucket).s3.\(region).amazonaws.com" }
        guard let location = RemoteLocation(base + Self.encode(key)), location.scheme != .s3 else {
            throw .remote("AWS_ENDPOINT_URL is not a URL of HTTP")
        }
        self.location = location
        if let identifier = value("AWS_ACCESS_KEY_ID"), let secret = value("AWS_SECRET_ACCESS_KEY") {
            keys = Keys(identifier: identifier, secret: secret, token: value("AWS_SESSION_TOKEN"), region: region)
        } else {
            keys = nil
        }
    }

    /// Nil for a variable that is not set, or empty.
    static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Percent-encodes all bytes of a key except slashes and the unreserved characters of RFC 3986.
    private static func encode(_ key: String) -> String {
        key.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || "-._~/".contains(character) {
                return String(character)
            }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }
}

extension String {
    fileprivate var trimmingSlashes: Substring {
        var text = self[...]
        while text.last == "/" { text.removeLast() }
        return text
    }
}
