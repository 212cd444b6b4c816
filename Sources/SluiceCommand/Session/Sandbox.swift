internal import CKernel
import Glibc
import SluiceEngine

/// Confines the process to its operands and outputs (Landlock), so that a hostile file that takes over the decoder gets
/// no further. docs/decisions/sandbox.md says what it may do, and why. A directory includes everything beneath it, and
/// descriptors that are already open, such as the standard ones, stay usable.
struct Sandbox {
    fileprivate struct Access: OptionSet {
        let rawValue: UInt32

        static let read = Access(SLUICE_READ)
        static let list = Access(SLUICE_LIST)
        static let write = Access(SLUICE_WRITE)
        /// Files are renamed before they are removed.
        static let remove: Access = [Access(SLUICE_CREATE), Access(SLUICE_REMOVE)]
        static let removeLinks = remove.union(Access(SLUICE_MAKE_LINKS))
        /// Files that get their names in a directory, which is synced at the end.
        static let make: Access = [.list, .write, Access(SLUICE_CREATE), .remove]
        static let makeFolders = Access(SLUICE_MAKE_FOLDERS)

        init(rawValue: UInt32) { self.rawValue = rawValue }
        private init(_ access: sluice_access) { rawValue = access.rawValue }
    }

    /// The number of operands up to which each is looked up.
    fileprivate static let few = 100

    private let settings: Settings
    /// A list, because building a dictionary of paths would take a tenth of a small run.
    private var allowed: [(path: FilePath, access: Access)] = [
        ("/proc", [.read, .list]), ("/sys/fs/cgroup", .read),
    ]
    /// TCP ports that may be connected to.
    private var ports: Set<UInt16> = []

    /// Collects the access that the operands and their outputs require.
    fileprivate init(for settings: Settings) {
        self.settings = settings
        if !settings.input.remote.isEmpty { allowServers() }
        let files = settings.operands.filter { operand in
            guard settings.input.remote[operand] != nil else { return !operand.isStandardInput }
            if let output = settings.derivedName(of: operand) { allowOutput(output) }
            return false
        }
        if files.count == 1 {
            allow(.read, files[0])
            if settings.decoding.following != nil { allowSuccessors(of: files[0]) }
            allowResults(of: files[0])
        } else {
            for (folder, files) in Dictionary(grouping: files, by: \.folder) { allow(files, in: folder) }
        }
        if let path = settings.output.destination.path { allowOutput(path) }
        // The note on an upload is beside its source.
        if settings.output.resumes, settings.output.destination.object != nil {
            for file in files { allow([.make, .read], file.folder) }
        }
        if let folder = settings.output.folder, settings.output.destination == .derived { allowOutputs(in: folder) }
        if settings.input.isRecursive { for file in files { allowContents(of: file) } }
    }

    /// Confines the process for good: this thread, which must be the only one, and those that it starts.
    ///
    /// - Returns: what is confined, and what is not because the kernel can't do it.
    /// - Throws: why the process is not confined: `noFunction` or `notSupported` from a kernel without Landlock,
    ///   `notPermitted` if the operands could not be read.
    func enter() throws(Errno) -> (closed: [String], open: [String]) {
        var sandbox = sluice_sandbox()
        guard sluice_create_sandbox(&sandbox) == 0 else { throw Errno(rawValue: errno) }
        defer { close(sandbox.rules) }
        for (path, access) in allowed {
            if path.withPlatformString({ sluice_allow(&sandbox, $0, Int32(access.rawValue)) }) == 0 { continue }
            // Missing or unreadable files are reported by the run itself.
            guard [ENOENT, ENOTDIR, EACCES, ELOOP, ENAMETOOLONG].contains(errno) else { throw Errno(rawValue: errno) }
        }
        for port in ports where sluice_allow_port(&sandbox, port) != 0 { throw Errno(rawValue: errno) }
        // Local times need the time zone, which the C library reads only once.
        tzset()
        guard sluice_enter_sandbox(&sandbox) == 0 else { throw Errno(rawValue: errno) }
        let version = Int(sandbox.version)
        let open = Self.reach.filter { $0.version > version }.map(\.what)
        let closed = Self.reach.filter { $0.version <= version }.map(\.what)
        return (closed, open)
    }

    /// What Landlock confines, with the version of its interface that brought it.
    private static let reach: [(version: Int, what: String)] = [
        (1, "files"), (2, "renaming"), (3, "truncating"), (4, "TCP"), (5, "devices"), (6, "sockets and signals"),
    ]

    fileprivate mutating func allow(_ access: Access, _ path: FilePath) {
        // The kernel combines rules for one path. Neighbours in the list are combined here.
        if let index = allowed.indices.suffix(Self.few).last(where: { allowed[$0].path == path }) {
            allowed[index].access.formUnion(access)
        } else {
            allowed.append((path, access))
        }
    }

    /// Files that TLS and the lookup of host names read: settings, certificates, and the libraries that
    /// `nsswitch.conf` names.
    private static let serverFiles: [FilePath] = [
        "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services",
        "/etc/protocols", "/run/systemd/resolve", "/run/NetworkManager", "/etc/ssl/certs", "/etc/ssl/cert.pem",
        "/etc/ssl/openssl.cnf",
        "/etc/pki/tls/certs", "/etc/pki/tls/cert.pem", "/etc/pki/tls/openssl.cnf", "/etc/pki/ca-trust", "/etc/gnutls",
        "/usr/share/ca-certificates", "/usr/local/share/ca-certificates", "/etc/crypto-policies", "/etc/ld.so.cache",
        "/lib", "/lib64", "/usr/lib", "/usr/lib64",
    ]

    /// Servers may redirect to the usual ports; a proxy has its own.
    private mutating func allowServers() {
        ports = settings.input.remote.ports.union([80, 443, 53])
        for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
            guard let value = getenv(name).map({ String(cString: $0) }) else { continue }
            // Such as socks5h://user:secret@host:1080; without a port, 1080 is libcurl's default.
            let end = value.utf8.split(separator: UInt8(ascii: ":")).last ?? value.utf8[...]
            let digits = String(decoding: end.prefix(while: \.isDigit), as: UTF8.self)
            ports.formUnion([UInt16(digits) ?? 1080, 1080])
        }
        // Whoever renews a token replaces its file.
        for folder in settings.input.remote.folders { allow([.read, .list], folder) }
        for path in Self.serverFiles { allow([.read, .list], path) }
        if let home = getenv("HOME") { allow(.read, FilePath(platformString: home).appending(".netrc")) }
        for name in ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"] {
            // OpenSSL takes several folders, with colons between them.
            for path in getenv(name).map({ String(cString: $0).split(separator: ":") }) ?? [] {
                allow([.read, .list], FilePath(String(path)))
            }
        }
    }

    /// Where the loader looks for ISA-L, which is loaded when a member of gzip comes.
    fileprivate static let gzipFiles: [FilePath] = {
        #if arch(x86_64)
            let folder = "x86_64-linux-gnu"
        #else
            let folder = "aarch64-linux-gnu"
        #endif
        let folders = ["/usr/lib/\(folder)", "/usr/lib64", "/usr/lib", "/usr/local/lib"]
        return ["/etc/ld.so.cache"] + folders.map { FilePath("\($0)/libisal.so.2") }
    }()

    /// Allows several files by allowing their directory. A symbolic link leads elsewhere, so its target is allowed.
    private mutating func allow(_ files: [FilePath], in folder: FilePath) {
        // Looking up ten thousand files takes as long as processing several hundred.
        if files.count > Self.few, !folder.withPlatformString(sluice_may_have_links) {
            allow(.read, folder)
            if files.contains(where: { settings.derivedName(of: $0) != nil }) { allow(.make, folder) }
            if settings.removesSources { allow(.remove, folder) }
            return
        }
        for file in files {
            let entry = try? FileIdentity(at: file, followingLinks: false)
            allow(.read, entry?.kind ?? .file == .file ? folder : file)
            allowResults(of: file)
        }
    }

    /// Allows what may take a file's place: in its directory, and in that of the file that it is a link to.
    private mutating func allowSuccessors(of file: FilePath) {
        var name = file
        // The target of a link may still come. The kernel follows 40 links.
        for _ in 0..<40 {
            allow(.read, name.folder)
            guard let target = Self.target(ofLink: name) else { break }
            name = name.folder.pushing(target)
        }
        guard let target = file.withPlatformString({ realpath($0, nil) }) else { return }
        defer { free(target) }
        allow(.read, FilePath(platformString: target).folder)
    }

    /// What a symbolic link contains; nil for anything else.
    private static func target(ofLink path: FilePath) -> FilePath? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = path.withPlatformString { readlink($0, &target, target.count - 1) }
        return count > 0 ? FilePath(platformString: target) : nil
    }

    /// Allows the files beneath a directory, and their outputs there.
    private mutating func allowContents(of file: FilePath) {
        guard (try? FileIdentity(at: file))?.kind == .directory else { return }
        allow([.read, .list], file)
        if settings.output.destination == .derived, settings.output.folder == nil, settings.activity.hasOutput {
            allow(.make, file)
        }
        if settings.removesSources { allow(.remove, file) }
    }

    /// A missing directory is created beneath its closest existing ancestor.
    private mutating func allowOutputs(in folder: OutputFolder) {
        var path = folder.path
        while folder.isMirror, (try? FileIdentity(at: path)) == nil, path != path.folder { path = path.folder }
        allow(folder.isMirror ? making.union(.makeFolders) : making, path)
    }

    /// Allows an operand's output, and its removal with `--rm`.
    private mutating func allowResults(of file: FilePath) {
        if let output = settings.derivedName(of: file) { allowOutput(output) }
        guard settings.removesSources else { return }
        let isLink = (try? FileIdentity(at: file, followingLinks: false))?.isSymbolicLink ?? false
        allow(isLink ? .removeLinks : .remove, file.folder)
    }

    /// FIFOs and devices are written in place; files are renamed within their directory.
    fileprivate mutating func allowOutput(_ path: FilePath) {
        let existing = try? FileIdentity(at: path)
        let isInPlace = existing.map { $0.kind != .file || path.isOpenDescriptor } ?? false
        allow(isInPlace ? .write : making, isInPlace ? path : path.folder)
    }

    /// Some outputs are read too: unfinished ones, and those that are read back.
    private var making: Access {
        // A part is compared with an existing one.
        let readsPart = settings.command.part != nil
        return settings.output.resumes || settings.readsOutput || readsPart ? [.make, .read] : .make
    }
}

extension Settings {
    /// Why the run is not confined; nil if it is.
    var reasonWithoutSandbox: String? {
        if !limits.isSandboxed { return "--no-sandbox" }
        if input.isRecursive, input.isForced { return "-f follows links to directories that are not known yet" }
        // It would take a fifteenth longer, to protect against a decoder that it does not use.
        let isLarge = operands.count > Sandbox.few || input.isRecursive
        return isLarge && activity.content == .input && !input.isDecoded ? "nothing is decoded" : nil
    }

    /// What the run may access.
    var sandbox: Sandbox {
        var sandbox = Sandbox(for: self)
        if mayReadGzip { for path in Sandbox.gzipFiles { sandbox.allow(.read, path) } }
        if let path = limits.rate?.file { sandbox.allow(.read, path.folder) }
        if let index = decoding.indexFile { sandbox.allowOutput(index) }
        for path in [verification.reference, decoding.indexFile].compactMap(\.self) {
            sandbox.allow(.read, path)
        }
        let exports = exports()
        if exports.contains(where: { $0.text != nil }) { sandbox.allow(.read, Machine.systemFile) }
        for path in exports.compactMap(\.file?.path) {
            sandbox.allowOutput(path)
            // An existing file is inspected before it is replaced.
            if (try? FileIdentity(at: path))?.kind == .file { sandbox.allow(.read, path) }
        }
        return sandbox
    }

    /// Whether ISA-L may compute parity, or repair files with it.
    var computesParity: Bool { compression.parity != nil || command.repairs }

    /// Whether what is decoded may be gzip, as far as names tell.
    private var mayReadGzip: Bool {
        (activity.content == .output || input.isDecoded) && operands.contains { !FileName.isZstandard($0) }
    }
}
