/// A key that signs requests to an object store, and what belongs to it.
///
///     var options = RemoteOptions()
///     options.accessKey = { AccessKey(identifier: "AKIA…", secret: readLine() ?? "") }
public struct AccessKey: Sendable, Equatable {
    /// The identifier, which requests name.
    public let identifier: String
    /// The secret, which requests are signed with.
    public let secret: String
    /// The session token of a temporary key; nil for another one.
    public let token: String?
    /// When it expires, in seconds since 1970; nil if it does not.
    public let expiration: Int?

    /// Creates a key of its parts.
    public init(identifier: String, secret: String, token: String? = nil, expiration: Int? = nil) {
        (self.identifier, self.secret, self.token, self.expiration) = (identifier, secret, token, expiration)
    }

    /// Whether each part can stand in the line of a header.
    var isUsable: Bool {
        [identifier, secret, token ?? "x"].allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        }
    }
}

extension AccessKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Says nothing of the key.
    public var description: String { "an access key" }
    /// Says nothing of the key.
    public var debugDescription: String { description }
    /// Has nothing of the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What a request is signed with.
struct Signer: Sendable {
    let key: AccessKey
    let region: String
}
