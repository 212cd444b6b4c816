import SluiceEngine

/// The operands that are URLs, and how their servers are asked.
///
/// An operand is a path everywhere. That of a URL is its name without secrets, as `FilePath` spells it: with one slash
/// after the scheme, where messages show two. No path of a file begins so: it has a `.` in front, if it needs one.
struct RemoteInputs: Sendable {
    private struct Servers: Sendable {
        var locations: [FilePath: RemoteLocation] = [:]
        /// Tells the files on servers apart, as device and inode do with others.
        var identities: [FilePath: FileIdentity] = [:]
        /// The sizes of the files that were opened, in bytes; nil for an unknown one.
        let sizes = Locked<[FilePath: UInt64?]>([:])
        /// Nil until they are prepared.
        var client: RemoteClient?
        /// Runs the command that prints keys; nil if there is none.
        var keyHelper: ProgramOutput.Helper?
    }

    var options = RemoteOptions()
    /// Nil if there are no URLs: other runs make none of these types.
    private var servers: Servers?
    /// The objects that `-o` names and no operand does: the last output counts.
    private var named: Set<FilePath> = []

    var isEmpty: Bool { servers == nil }

    /// The ports of the servers, also of those that give keys.
    var ports: Set<UInt16> { Set((servers?.locations.values.map(\.port) ?? []) + (options.store?.needs.ports ?? [])) }

    /// Directories of files with what keys are given for, which are read again when these are renewed.
    var folders: [FilePath] { options.store?.needs.folders.map { FilePath($0) } ?? [] }

    /// The URL that a path stands for; nil for a file.
    subscript(path: FilePath) -> RemoteLocation? { servers?.locations[path] }

    /// Tells a file on a server from others, as device and inode do; nil for a file.
    func identity(of path: FilePath) -> FileIdentity? { servers?.identities[path] }

    /// The path that stands for a word, which may be a URL. So no path that is printed has the secrets of a URL.
    mutating func path(of word: [UInt8]) throws(Complaint) -> FilePath {
        guard URLParts.isMeant(by: word) else {
            let path = FilePath(word: word)
            return Self.looksRemote(path) ? FilePath(".").pushing(path) : path
        }
        guard let text = String(validating: word, as: UTF8.self), let location = RemoteLocation(text) else {
            throw .unusableURL(word)
        }
        let path = FilePath(location.name)
        named.remove(path)
        var servers = servers ?? Servers()
        if let other = servers.locations[path], other != location {
            throw Complaint(path, "is named twice, with other secrets or queries", hint: "process one after the other")
        }
        servers.identities[path] = servers.identities[path] ?? FileIdentity(number: servers.identities.count)
        servers.locations[path] = location
        self.servers = servers
        return path
    }

    /// The path that stands for an object that is written.
    mutating func object(_ word: [UInt8]) throws(Complaint) -> FilePath {
        let name = String(decoding: word, as: UTF8.self).withoutSecrets.printable
        guard let text = String(validating: word, as: UTF8.self), let location = RemoteLocation(text) else {
            throw .unusableURL(word)
        }
        let example = "such as -o s3://bucket/backup.zst"
        guard location.scheme == .s3 else { throw .usage("-o \(name): nothing is written there", hint: example) }
        if location.path.utf8.last ?? UInt8(ascii: "/") == UInt8(ascii: "/") {
            throw .usage("-o \(name): names no object", hint: example)
        }
        let isNew = servers?.locations[FilePath(location.name)] == nil
        let path = try path(of: word)
        if isNew { named.insert(path) }
        return path
    }

    /// Begins to write an object.
    func written(_ path: FilePath, type: String?) throws(Failure) -> WrittenObject {
        guard let servers, let location = servers.locations[path], let client = servers.client else {
            preconditionFailure("the run begins by preparing its URLs")
        }
        return try WrittenObject(location, type: type, client: client)
    }

    /// Whether a path is spelled as that of a URL would be.
    private static func looksRemote(_ path: FilePath) -> Bool {
        let text = path.string.utf8
        return ["http:", "https:", "s3:"].contains { text.elementsEqual($0.utf8) || text.starts(with: "\($0)/".utf8) }
    }

    /// Loads what reads URLs, before the process confines itself.
    ///
    /// - Parameter object: that is written; nil for none.
    mutating func prepare(
        _ console: Console, _ reporting: ReportingSettings, writing object: FilePath?
    ) throws(Complaint) {
        for path in named where path != object { servers?.locations[path] = nil }
        if servers?.locations.isEmpty == true { servers = nil }
        options.writesObject = object != nil
        let isRead = servers?.locations.contains { $0.key != object && $0.value.scheme == .s3 } ?? false
        if object != nil, options.objectVersion != nil, !isRead {
            throw .usage("--object-version is for an object that is read, and none is")
        }
        let schemes = servers?.locations.values.map { $0.scheme == .s3 } ?? []
        options.asksBothKinds = Set(schemes).count > 1
        guard let name = servers?.locations.keys.first else { return }
        if reporting.verbosity > 0 {
            options.onNotice = { console.notice($0) }
        } else if reporting.quietness == 0, StandardDescriptors.isTerminal(.standardError) {
            // Someone waits.
            options.onPause = { console.notice($0) }
        }
        options.userAgent = "sluice/\(Version.number) (\(RemoteOptions.home))"
        options.onWarning = { console.warn($0) }
        // It costs money, whoever wants no warnings.
        if reporting.quietness < 2 { options.onLeftover = { console.notice($0) } }
        // Tokens and passwords are in the memory of this process.
        keepMemoryOutOfCores()
        try prepareKeys()
        servers?.client = try Complaint.about(source: name, RemoteClient(options: options))
    }

    /// Looks where the keys of object stores come from, while this process may read any file and start others.
    private mutating func prepareKeys() throws(Complaint) {
        guard let object = servers?.locations.first(where: { $0.value.scheme == .s3 })?.key else { return }
        let store = try Complaint.about(source: object, StoreSettings())
        options.store = store
        guard let words = store.command else { return }
        do throws(Errno) {
            let helper = try ProgramOutput.Helper(words)
            servers?.keyHelper = helper
            options.runKeyCommand = { helper.run(within: $0, unless: $1) }
        } catch {
            throw Complaint(object, "can't run credential_process: \(error.sentence)")
        }
    }

    /// Ends the process that runs the command which prints keys.
    func dismissHelper() { servers?.keyHelper?.dismiss() }

    /// Ends all requests when the run fails: once for the call, however many URLs it has.
    func endRequests(with latch: FailureLatch) {
        if let client = servers?.client { latch.onFailure { client.cancel() } }
    }

    /// Opens a file on a server.
    ///
    /// - Parameter option: one that can't do with a file which is read in order; nil if there is none.
    func open(
        _ path: FilePath, _ location: RemoteLocation, for option: String? = nil
    ) throws(Complaint) -> Source {
        guard let servers, let client = servers.client else {
            preconditionFailure("the run begins by preparing its URLs")
        }
        let source: Source =
            switch try Complaint.about(source: path, RemoteFile.find(location, client: client)) {
            case .ranges(let file): Source(file, identity: identity(of: path))
            case .inOrder(let body): Source(body, size: body.size, identity: identity(of: path))
            }
        if source.ranges == nil, let option {
            throw Complaint(.noRanges(for: option, location, path), source: path)
        }
        servers.sizes.withLock { $0[path] = .some(source.size) }
        return source
    }

    /// Opens a file whose server has to answer requests for ranges.
    ///
    /// - Parameter option: what needs that.
    func openRanges(_ path: FilePath, _ location: RemoteLocation, for option: String) throws(Failure) -> Source {
        guard let client = servers?.client else { throw .cancelled }
        guard case .ranges(let file) = try RemoteFile.find(location, client: client) else {
            throw .noRanges(for: option, location, path)
        }
        return Source(file)
    }

    /// Bytes of a file that was opened; nil if it was not yet, or its server does not say.
    func size(of path: FilePath) -> UInt64? { servers?.sizes.withLock { $0[path] ?? nil } }
}

extension Failure {
    fileprivate static func noRanges(for option: String, _ location: RemoteLocation, _ path: FilePath) -> Failure {
        let words = location.scheme == .s3 ? "aws s3 cp \(path.quoted) ." : "curl -LO \(path.quoted)"
        return Failure(
            .remote, "the server does not answer requests for ranges, which \(option) needs",
            cause: NeedsFile(hint: "\(words) makes a file of it here"))
    }
}

extension Console {
    /// Says how much was read of a file of which a part was asked for, since its server has no ranges.
    func warnOfReading(_ path: FilePath, _ count: Int) {
        warn(
            "\(path.printable): the server does not answer requests for ranges: "
                + "\(ByteCount.format(count)) of it were read, from its start on")
    }
}

extension Complaint {
    /// A URL that can't be read, or is not meant to be.
    ///
    /// - Parameter option: the option whose value it is; nil for an operand.
    static func unusableURL(_ word: [UInt8], of option: String? = nil) -> Complaint {
        let name = String(decoding: word, as: UTF8.self).withoutSecrets.printable
        let isKnown = ["http:", "https:", "s3:"].contains { name.utf8.starts(with: $0.utf8) }
        let sentence =
            if let option {
                "\(option) takes no URL (\(name))"
            } else if isKnown, word.contains(UInt8(ascii: " ")) {
                "\(name): a blank in a URL is written as %20"
            } else if isKnown {
                "\(name): is not a valid URL"
            } else {
                "\(name): URLs are http, https or s3"
            }
        return .usage(sentence, hint: "a file of such a name is written as ./NAME")
    }
}
