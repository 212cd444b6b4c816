internal import CKernel
internal import Glibc
internal import SystemPackage

/// A file that is written before it gets its name.
///
/// Until then it has none at all, so that nothing is left of it however the process ends. Where the file system does not
/// have such files, it has another one beside, and goes when the value does.
struct TemporaryFile: ~Copyable, Sendable {
    /// To be written from the start.
    let descriptor: FileDescriptor
    /// The name that it gets.
    private let target: FilePath
    /// `.NAME.RANDOM.tmp`: the name until then, if there is one.
    private let path: FilePath?
    private var isOpen = true

    /// Creates the file, readable by its owner only.
    ///
    /// - Parameter isNamed: whether it has another name in any case.
    /// - Throws: `file`.
    init(for target: FilePath, isNamed: Bool) throws(Failure) {
        guard target.lastComponent?.kind == .regular else {
            throw .file(action: "create", path: target, .isDirectory)
        }
        (descriptor, path) = try Self.create(for: target, isNamed: isNamed)
        self.target = target
    }

    deinit {
        if isOpen { Glibc.close(descriptor.rawValue) }
        // After `rename` there is none.
        if let path { TemporaryFiles.remove(path) }
    }

    /// Nothing more is written.
    ///
    /// - Throws: `file`.
    mutating func close() throws(Failure) {
        // Without a name it lasts as long as it is open: a duplicate tells what closing it would.
        isOpen = path == nil
        let closing = path == nil ? dup(descriptor.rawValue) : descriptor.rawValue
        // Linux has closed the descriptor also when it reports EINTR.
        guard closing < 0 || Glibc.close(closing) == 0 || errno == EINTR else {
            throw .file(action: "close", path: target, Errno(rawValue: errno))
        }
    }

    /// Gives the file its name.
    ///
    /// - Parameter isReplacing: whether a file that has the name may be replaced.
    /// - Throws: `file`, or `cancelled` if the process is about to die.
    consuming func rename(isReplacing: Bool) throws(Failure) {
        let (descriptor, target, path) = (descriptor, target, path)
        try TemporaryFiles.finish(path) { () throws(Failure) in
            if let path { return try Self.rename(path, to: target, isReplacing: isReplacing) }
            let link = { (name: FilePath) in
                name.withPlatformString { sluice_link_unnamed(descriptor.rawValue, $0) }
            }
            do throws(Failure) { return try Failure.check("create", target) { link(target) } } catch {
                guard isReplacing, case .file(_, _, .fileExists) = error else { throw error }
            }
            // Linking never replaces: it is linked beside, and renamed.
            let path = try Self.name(beside: target)
            try Self.register(path, for: target) { link(path) }
            defer { TemporaryFiles.remove(path) }
            try TemporaryFiles.finish(path) { () throws(Failure) in
                try Self.rename(path, to: target, isReplacing: true)
            }
        }
    }

    private static func rename(_ path: FilePath, to target: FilePath, isReplacing: Bool) throws(Failure) {
        try Failure.check("create", target) {
            target.withPlatformString { target in
                path.withPlatformString { path in
                    isReplacing ? Glibc.rename(path, target) : sluice_rename_exclusively(path, target)
                }
            }
        }
    }

    /// So short that the file system takes it; the 64 random bits are nobody else's.
    private static func name(beside target: FilePath) throws(Failure) -> FilePath {
        let stem = String(decoding: (target.lastComponent?.string ?? "").utf8.prefix(200), as: UTF8.self)
        var random: UInt64 = 0
        guard sluice_random(&random, MemoryLayout.size(ofValue: random)) else {
            throw .file(action: "create", path: target, Errno(rawValue: errno))
        }
        let component = FilePath.Component(".\(stem).\(String(random, radix: 36)).tmp")
        return component.map { target.removingLastComponent().appending($0) } ?? target
    }

    /// - Returns: the file, and the name that it has, if it has one.
    private static func create(for target: FilePath, isNamed: Bool) throws(Failure) -> (FileDescriptor, FilePath?) {
        // Where the file system has none without a name, this fails.
        let unnamed = isNamed ? -1 : target.folder.withPlatformString(sluice_create_unnamed)
        if unnamed >= 0 { return (FileDescriptor(rawValue: unnamed), nil) }
        let path = try name(beside: target)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = try register(path, for: target) { path.withPlatformString { open($0, flags, 0o600) } }
        return (FileDescriptor(rawValue: descriptor), path)
    }

    /// Runs `make`, which puts the file under its temporary name.
    @discardableResult
    private static func register(
        _ path: FilePath, for target: FilePath, _ make: () -> Int32
    ) throws(Failure) -> Int32 {
        do throws(Errno) { return try TemporaryFiles.create(path, make) } catch {
            throw .file(action: "create", path: target, error)
        }
    }
}
