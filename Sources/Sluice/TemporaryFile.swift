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
    /// `.NAME.RANDOM.tmp`: the name until then, or if there is none, the one from which it is renamed.
    private let path: FilePath
    private let isNamed: Bool
    private var isOpen = true

    /// Creates the file, readable by its owner only.
    ///
    /// - Parameter isNamed: whether it has another name in any case.
    /// - Throws: `file`.
    init(for target: FilePath, isNamed: Bool) throws(Failure) {
        let path = try Self.name(beside: target)
        let unnamed = isNamed ? nil : Self.createUnnamed(in: target.folder)
        descriptor = if let unnamed { unnamed } else { try Self.create(path, for: target) }
        self.isNamed = unnamed == nil
        self.target = target
        self.path = path
    }

    deinit {
        if isOpen { Glibc.close(descriptor.rawValue) }
        // After `rename` there is none.
        TemporaryFiles.remove(path)
    }

    /// Nothing more is written.
    ///
    /// - Throws: `file`.
    mutating func close() throws(Failure) {
        // Without a name it lasts as long as it is open: a duplicate tells what closing it would.
        isOpen = !isNamed
        let closing = isNamed ? descriptor.rawValue : dup(descriptor.rawValue)
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
        let (descriptor, target, path, isNamed) = (descriptor, target, path, isNamed)
        try TemporaryFiles.finish(path) { () throws(Failure) in
            if !isNamed {
                let link = { (name: FilePath) in
                    name.withPlatformString { sluice_link_unnamed(descriptor.rawValue, $0) }
                }
                do throws(Failure) { return try Failure.check("create", target) { link(target) } } catch {
                    // Linking never replaces: it is linked beside, and renamed.
                    guard isReplacing, case .file(_, _, .fileExists) = error else { throw error }
                    try Self.register(path, for: target) { link(path) }
                }
            }
            try Failure.check("create", target) { Self.rename(path, to: target, isReplacing: isReplacing) }
        }
    }

    private static func rename(_ path: FilePath, to target: FilePath, isReplacing: Bool) -> Int32 {
        target.withPlatformString { target in
            path.withPlatformString { path in
                isReplacing ? Glibc.rename(path, target) : sluice_rename_exclusively(path, target)
            }
        }
    }

    /// So short that the file system takes it; the 64 random bits are nobody else's.
    private static func name(beside target: FilePath) throws(Failure) -> FilePath {
        guard let name = target.lastComponent, name.kind == .regular else {
            throw .file(action: "create", path: target, .isDirectory)
        }
        let stem = String(decoding: name.string.utf8.prefix(200), as: UTF8.self)
        var random: UInt64 = 0
        guard sluice_random(&random, MemoryLayout.size(ofValue: random)) else {
            throw .file(action: "create", path: target, Errno(rawValue: errno))
        }
        let component = FilePath.Component(".\(stem).\(String(random, radix: 36)).tmp")
        return component.map { target.removingLastComponent().appending($0) } ?? target
    }

    /// Nil where the file system does not have such files.
    private static func createUnnamed(in folder: FilePath) -> FileDescriptor? {
        let descriptor = folder.withPlatformString(sluice_create_unnamed)
        return descriptor < 0 ? nil : FileDescriptor(rawValue: descriptor)
    }

    private static func create(_ path: FilePath, for target: FilePath) throws(Failure) -> FileDescriptor {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        return FileDescriptor(
            rawValue: try register(path, for: target) { path.withPlatformString { open($0, flags, 0o600) } })
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
