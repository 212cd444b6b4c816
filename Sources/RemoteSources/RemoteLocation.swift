package import ByteStreams

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
    /// The port to connect to.
    package let port: UInt16
    /// The host without its port.
    let hostName: String
    /// The name and password before the host; nil if there are none.
    private let credentials: String?

    /// Nil for anything that does not begin with `http://`, `https://` or `s3://` and the name of a host, and for text
    /// with control characters, or with blanks: only what follows the bucket of S3, which is a key, may have these.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let scheme = Scheme(rawValue: String(decoding: bytes[..<colon], as: UTF8.self).lowercased()),
            let parts = URLParts(bytes, isObject: scheme == .s3),
            !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }),
            // The key of an object may have blanks.
            !bytes[..<(scheme == .s3 ? parts.path.lowerBound : bytes.endIndex)].contains(0x20)
        else { return nil }
        func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        (self.scheme, url, path) = (scheme, text, part(parts.path))
        hostName = part(parts.host)
        host = part(parts.host.lowerBound..<(parts.port ?? parts.host).upperBound)
        port = parts.port.flatMap { UInt16(part($0)) } ?? (scheme == .http ? 80 : 443)
        credentials = scheme == .s3 ? nil : parts.credentials.map(part)
    }

    /// The URL without its query and credentials, for messages.
    public var name: String {
        String(decoding: URLParts.shown(Array(url.utf8), isObject: scheme == .s3), as: UTF8.self)
    }

    /// The last component of the path, after which outputs are named; nil if there is none. Of an HTTP URL it is
    /// decoded (`my%20file` is `my file`), unless that would give something else than one name, or hidden characters.
    public var fileName: String? {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let last = slash.map { String(decoding: path.utf8[$0...].dropFirst(), as: UTF8.self) } ?? ""
        if last.isEmpty || last == "." || last == ".." { return nil }
        guard scheme != .s3, let decoded = Self.decoded(last), !["", ".", ".."].contains(decoded),
            !decoded.utf8.contains(UInt8(ascii: "/")), decoded.printable.utf8.elementsEqual(decoded.utf8)
        else { return last }
        return decoded
    }

    /// A text without percent-encoding; nil if it has none, or what it stands for is no text.
    private static func decoded(_ text: String) -> String? {
        var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
            rest.removeFirst(2)
        }
        return bytes.count < text.utf8.count ? String(validating: bytes, as: UTF8.self) : nil
    }

    /// Whether both are on the same server, which may therefore receive the same secrets.
    package func isOnSameServer(as other: RemoteLocation) -> Bool {
        (scheme, hostName.lowercased(), port) == (other.scheme, other.hostName.lowercased(), other.port)
    }

    /// The URL, with the name and password of another one on the same server unless it has its own: servers redirect to
    /// themselves without them.
    package func url(asGivenTo other: RemoteLocation) -> String {
        guard isOnSameServer(as: other), credentials == nil, let own = other.credentials else { return url }
        let (bytes, start) = (Array(url.utf8), scheme.rawValue.utf8.count + 3)
        return String(decoding: bytes[..<start] + Array("\(own)@".utf8) + bytes[start...], as: UTF8.self)
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
    /// them, not others that it redirects to. Of an object of S3 these are the hosts of one store: where the store
    /// answers that the bucket lies in another region, or belongs into the host, the host for that receives them, which
    /// ends in the name of the endpoint, or in `.amazonaws.com`.
    public var headers: [String] = []
    /// Seconds without a byte after which a request has failed, at least 1.
    public var patience = 30
    /// The most requests to a server at the same time; nil for as many as are of use, and fewer where it refuses some.
    public var connections: Int?
    /// The version of the object that is read, if a bucket of S3 keeps several; nil for the current one.
    public var objectVersion: String?
    /// Gives the key that signs requests to object stores; nil for the places of AWS's tools, in their order, whose
    /// keys the files of a process share. It is called for each file: at the first request, five minutes before its
    /// key expires, and when a store says that it has; by one thread at a time, which waits. If it returns nil,
    /// requests are not signed.
    public var accessKey: (@Sendable () throws -> AccessKey?)?
    /// What each request says about who makes it (`User-Agent`). Some servers refuse requests that don't say, and ask
    /// for a URL or an address of those who can be told about a mistake: a program should name its own.
    public var userAgent = "sluice (\(RemoteOptions.home))"
    /// Receives a sentence, without secrets, each time a request is repeated, and about where the key is from.
    public var onNotice: @Sendable (String) -> Void = { _ in }
    /// Receives the sentences of `onNotice` before a pause.
    package var onPause: @Sendable (String) -> Void = { _ in }
    /// Receives a sentence, without secrets, about a server that keeps less than was asked for: one that redirects from
    /// https to http, or does not say by what its file can be told from another of the same size.
    public var onWarning: @Sendable (String) -> Void = { _ in }

    /// Receives a sentence, without secrets, about what a failed run may have left on a server; nil for `onWarning`.
    package var onLeftover: (@Sendable (String) -> Void)?
    /// Whether the run writes an object: then the lines of headers that say what an object is to be are not about what
    /// is read.
    package var writesObject = false
    /// Whether the run asks object stores and other servers: then each gets the lines of its kind only.
    package var asksBothKinds = false
    /// What is known about object stores already; nil to look when the first object is opened.
    package var store: StoreSettings?
    /// Runs the command that prints a key, within so many seconds, and asks now and then whether it is cancelled; nil
    /// for one that this process starts.
    package var runKeyCommand: (@Sendable (Int, () -> Bool) -> ProgramOutput)?

    /// Where people find this project.
    package static let home = "https://example.org/sluice"

    /// Creates options, each with its default.
    public init() {}
}
