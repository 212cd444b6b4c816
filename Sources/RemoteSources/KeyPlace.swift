internal import ByteStreams
internal import CCurl
internal import Glibc

/// Where the key of an object store comes from.
enum KeyPlace: Sendable, Equatable {
    /// It was read, from what the second value names, and is not renewed.
    case known(AccessKey, String)
    /// The security token service gives one for a token in a file (Kubernetes).
    case webIdentity(WebIdentity)
    /// A program prints it; the second value names the setting.
    case command([[UInt8]], String)
    /// An endpoint within a container has it (ECS, EKS).
    case container(ContainerEndpoint)
    /// The machine has it (EC2).
    case machine(MachineEndpoint)
    /// The program that uses the library gives it.
    case program
    case none

    /// For a sentence.
    var name: String {
        switch self {
        case .known(_, let origin), .command(_, let origin): origin
        case .webIdentity(let identity): "web identity, by \(identity.service.name)"
        case .container: "the container"
        case .machine: "the machine's metadata"
        case .program: "the program"
        case .none: "nowhere"
        }
    }

    var isRenewed: Bool {
        switch self {
        case .known, .none: false
        default: true
        }
    }

    /// Whether it is one for all files of the process, and is asked.
    var isShared: Bool {
        switch self {
        case .known, .program, .none: false
        case .webIdentity, .command, .container, .machine: true
        }
    }

    /// Files that are read each time.
    var files: [String] {
        switch self {
        case .webIdentity(let identity): [identity.file]
        case .container(let container): container.file.map { [$0] } ?? []
        default: []
        }
    }

    /// Ports of servers that are asked.
    var ports: [UInt16] {
        switch self {
        case .webIdentity(let identity): [identity.service.port]
        case .container(let container): [container.place.port]
        case .machine(let machine): [machine.base.port]
        default: []
        }
    }
}

/// A role that whoever has a token may assume (AssumeRoleWithWebIdentity).
struct WebIdentity: Sendable, Equatable {
    let file: String
    let role: String
    /// The name of the session; nil for one with the time.
    let session: String?
    let service: RemoteLocation

    /// Nil if nothing names a token.
    ///
    /// - Throws: `remote` if the role, or the address of the service, is missing.
    init?(_ value: (String) -> String?, _ profile: Profile, _ region: String) throws(Failure) {
        guard let file = value("AWS_WEB_IDENTITY_TOKEN_FILE") ?? profile["web_identity_token_file"] else { return nil }
        guard let role = value("AWS_ROLE_ARN") ?? profile["role_arn"] else {
            throw .remote(
                "there is a web identity (AWS_WEB_IDENTITY_TOKEN_FILE or web_identity_token_file), and no role "
                    + "(AWS_ROLE_ARN or role_arn)")
        }
        (self.file, self.role) = (file, role)
        session = value("AWS_ROLE_SESSION_NAME") ?? profile["role_session_name"]
        let named = try profile.endpoint(of: "STS", value)
        let (address, origin) = if let named { named } else { try Self.service(of: region) }
        guard let service = RemoteLocation(address), service.scheme != .s3 else {
            throw .remote("the token service can't be asked: \(origin) is not a URL of HTTP")
        }
        self.service = service
    }

    /// The address of Amazon's service, and what it was made of.
    private static func service(of region: String) throws(Failure) -> (address: String, origin: String) {
        let isName = region.utf8.allSatisfy { $0 < 0x80 && isalnum(Int32($0)) != 0 || $0 == UInt8(ascii: "-") }
        guard isName else {
            throw .remote("the token service can't be asked: the region \(region.printable) is not a name of letters")
        }
        let suffix = region.utf8.starts(with: "cn-".utf8) ? ".cn" : ""
        return ("https://sts.\(region).amazonaws.com\(suffix)", "that of the region")
    }
}

/// An endpoint that gives a container its key.
struct ContainerEndpoint: Sendable, Equatable {
    let place: RemoteLocation
    /// The file with the token for it; nil if there is none.
    let file: String?
    private let token: String?
    /// Hosts that may be asked without TLS, beside those that are this machine.
    private static let hosts = ["localhost", "169.254.170.2", "169.254.170.23", "[fd00:ec2::23]", "[::1]"]

    /// Nil if no variable names one.
    ///
    /// - Throws: `remote` if it is on a host that could be anyone's, and is to be asked without TLS.
    init?(_ value: (String) -> String?) throws(Failure) {
        let relative = value("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI")
        guard let address = relative.map({ "http://169.254.170.2\($0)" }) ?? value("AWS_CONTAINER_CREDENTIALS_FULL_URI")
        else { return nil }
        let name = relative == nil ? "AWS_CONTAINER_CREDENTIALS_FULL_URI" : "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"
        guard let place = RemoteLocation(address), place.scheme != .s3,
            relative.map({ $0.utf8.first == UInt8(ascii: "/") }) ?? true
        else { throw .remote("\(name) is not a URL of HTTP") }
        guard place.scheme == .https || Self.isNear(place.hostName) else {
            throw .remote("\(name) names a host that is neither this machine nor the container's, and no https")
        }
        self.place = place
        file = value("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE")
        token = file == nil ? value("AWS_CONTAINER_AUTHORIZATION_TOKEN") : nil
    }

    private static func isNear(_ host: String) -> Bool {
        if hosts.contains(host.lowercased()) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil && $0.utf8.count < 4 }
    }

    /// The line that proves who asks; nil if none is needed.
    func authorization() throws(Failure) -> [UInt8]? {
        var token = token
        if let file { token = try readToken(file) }
        guard let token else { return nil }
        if token.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw .remote("the token for the container's key has characters that end a line")
        }
        return Array("Authorization: \(token)".utf8)
    }
}

/// The metadata of a machine (IMDSv2).
struct MachineEndpoint: Sendable, Equatable {
    let base: RemoteLocation

    /// - Throws: `remote` if a variable names something other than a server.
    init(_ value: (String) -> String?) throws(Failure) {
        let isNew = value("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE")?.lowercased() == "ipv6"
        let usual = isNew ? "http://[fd00:ec2::254]" : "http://169.254.169.254"
        guard let base = RemoteLocation(value("AWS_EC2_METADATA_SERVICE_ENDPOINT") ?? usual), base.scheme != .s3 else {
            throw .remote("AWS_EC2_METADATA_SERVICE_ENDPOINT is not a URL of HTTP")
        }
        self.base = base
    }
}

/// The token in a file, which may be another one each time.
func readToken(_ file: String) throws(Failure) -> String {
    guard let bytes = try StoreSettings.contents(of: file) else { throw .remote("there is no \(file.printable)") }
    // As whoever wrote it by hand has ended the line.
    let end = bytes.lastIndex { $0 > 0x20 }
    guard let end, let token = String(validating: bytes[...end], as: UTF8.self) else {
        throw .remote("\(file.printable) has no token")
    }
    return token
}
