package import ByteStreams
internal import Glibc

/// What the variables and files of AWS's tools say about object stores: where they are, and where the key is from which
/// requests are signed. It is found before anything is asked for, so that a process can confine itself afterwards.
package struct StoreSettings: Sendable {
    let region: String
    /// The server; nil for Amazon's.
    let endpoint: String?
    /// Whether the bucket is a part of the host of an endpoint, rather than of the path.
    let isInHost: Bool
    /// Where the key comes from.
    let place: KeyPlace
    /// Where no key was found, in words.
    let searched: [String]

    /// Looks into variables and files.
    ///
    /// - Parameters:
    ///   - isGiven: whether the program gives the key by itself.
    ///   - value: looks up a variable of the environment; nil if it is not set, or empty.
    ///   - read: reads a small file; nil if there is none.
    /// - Throws: `remote` if they contradict themselves, or name something that can't be read.
    package init(
        isGiven: Bool = false, _ value: (String) -> String? = Self.variable,
        reading read: (String) throws(Failure) -> [UInt8]? = Self.contents
    ) throws(Failure) {
        let profile = try Profile(value, read)
        region = value("AWS_REGION") ?? value("AWS_DEFAULT_REGION") ?? profile["region"] ?? "us-east-1"
        endpoint = try profile.endpoint(of: "S3", value)?.address
        isInHost = value("AWS_VIRTUAL_HOSTED_STYLE_REQUEST")?.lowercased() == "true"
        if isGiven {
            (place, searched) = (.program, ["what the program gives"])
            return
        }
        (place, searched) = try Self.place(value, profile, region)
    }

    /// Nil for a variable that is not set, or empty.
    package static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The largest file that is read, in bytes.
    private static let mostBytes = 1 << 20

    /// The contents of a file; nil if there is no such file.
    ///
    /// - Throws: `remote` if it can't be read, or is large.
    package static func contents(of path: String) throws(Failure) -> [UInt8]? {
        // O_NONBLOCK: a FIFO is no file of settings, so don't wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        if descriptor < 0, [ENOENT, ENOTDIR].contains(errno) { return nil }
        guard descriptor >= 0 else {
            throw .remote("can't read \(path.printable): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var (bytes, count) = ([UInt8](repeating: 0, count: mostBytes), 0)
        while count < bytes.count {
            let taken = bytes[count...].withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if taken < 0, errno == EINTR { continue }
            if taken < 0 { throw .remote("can't read \(path.printable): \(String(cString: strerror(errno)))") }
            if taken == 0 { return Array(bytes[..<count]) }
            count += taken
        }
        throw .remote("\(path.printable) is too large for a file of settings")
    }
}

extension StoreSettings {
    /// What a process needs that confines itself: files that are read again, by their directories, since whoever renews
    /// one replaces it; and the ports of servers.
    package var needs: (folders: [String], ports: [UInt16]) {
        let own = endpoint.flatMap { RemoteLocation($0)?.port }.map { [$0] } ?? []
        return (place.files.flatMap(Self.folders), own + place.ports)
    }

    /// The program that prints a key, and its arguments; nil if the key comes from elsewhere.
    package var command: [[UInt8]]? {
        if case .command(let words, _) = place { words } else { nil }
    }

    /// The directory of a file, and that of the file that a link leads to.
    private static func folders(_ path: String) -> [String] {
        let target = realpath(path, nil)
        defer { free(target) }
        return [path, target.map { String(cString: $0) } ?? path].map { path in
            let end = path.utf8.lastIndex(of: UInt8(ascii: "/"))
            return end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        }
    }
}
