internal import ByteStreams
internal import Glibc

/// How an object of S3 is asked for: by a URL of HTTP, and with a signature if there are keys. All that is in the
/// environment, by the names that every tool for S3 reads.
struct ObjectStore {
    let location: RemoteLocation
    /// Signs requests; nil for an object that everyone may read.
    let keys: Keys?

    struct Keys: Sendable {
        let identifier: String
        let secret: String
        /// Of a temporary key.
        let token: String?
        let region: String
    }

    /// - Parameters:
    ///   - object: a URL with the scheme s3.
    ///   - value: looks up a variable of the environment.
    /// - Throws: if the URL has no key, or `AWS_ENDPOINT_URL` is not a URL.
    init(_ object: RemoteLocation, _ value: (String) -> String? = Self.variable) throws(Failure) {
        let (bucket, key) = (object.host, object.path)
        guard key.count > 1 else { throw .remote("the URL names no object, only a bucket") }
        let region = value("AWS_REGION") ?? value("AWS_DEFAULT_REGION") ?? "us-east-1"
        let endpoint = value("AWS_ENDPOINT_URL_S3") ?? value("AWS_ENDPOINT_URL")
        // Without an endpoint, the name becomes a part of the host, which gets the signature.
        let isName = bucket.utf8.allSatisfy { $0 < 0x80 && isalnum(Int32($0)) != 0 || "._-".utf8.contains($0) }
        guard endpoint != nil || isName, bucket != ".", bucket != ".." else {
            throw .remote("the URL has no name of a bucket")
        }
        if key.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) {
            throw .remote("the key has a part . or .., which no URL can name")
        }
        // The certificate of Amazon's hosts covers no further dots in the name of a bucket.
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

    /// Escapes all bytes of a key that a URL or its signature might take for something else.
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
