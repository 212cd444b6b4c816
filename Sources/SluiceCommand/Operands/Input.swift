import Glibc
import Sluice
import SystemPackage

/// An operand that was opened to be read.
struct Input: ~Copyable {
    /// The name in messages.
    let name: FilePath
    /// Nil for standard input.
    let path: FilePath?
    let source: Source

    static let standardInput: FilePath = "-"

    /// - Parameter entry: what lies under the name, if that is known already.
    /// - Throws: what keeps the operand from being read, in one sentence.
    init(_ operand: FilePath, _ settings: Settings, entry: FileIdentity? = nil) throws(Complaint) {
        let isStandardInput = operand == Self.standardInput
        if isStandardInput, !settings.isForced, StandardDescriptors.isTerminal(.standardInput) {
            throw Complaint("standard input is a terminal", hint: "name a file, or use a pipe; -f reads the terminal")
        }
        source = try isStandardInput ? Self.look(at: .standardInput, operand) : Self.open(operand, settings, entry)
        name = isStandardInput ? "standard input" : operand
        path = isStandardInput ? nil : operand
    }

    /// How an operand is told to a person.
    static func name(of operand: FilePath) -> String {
        operand == standardInput ? "standard input" : operand.printable
    }

    /// What an operand is, if it is there.
    static func identity(of operand: FilePath) -> FileIdentity? {
        operand == standardInput ? try? FileIdentity(.standardInput) : try? FileIdentity(at: operand)
    }

    deinit {
        if path != nil { try? source.descriptor.close() }
    }

    private static func open(
        _ path: FilePath, _ settings: Settings, _ entry: FileIdentity?
    ) throws(Complaint) -> Source {
        let descriptor: FileDescriptor
        do throws(Errno) {
            let known = if let entry { entry } else { try FileIdentity(at: path, followingLinks: false) }
            try check(path, settings, known)
            descriptor = try open(path)
        } catch .isDirectory {
            throw Complaint(
                path, "is a directory",
                hint: settings.verb.operation.content == .input ? packing(path) : nil)
        } catch .notBlockDevice {
            throw Complaint(path, "is a device", hint: "-f reads it all the same")
        } catch .tooManySymbolicLinkLevels {
            throw Complaint(path, "is a symbolic link: skipped", hint: "-f or -c follows it")
        } catch {
            throw Complaint(path, "can't open: \(error.sentence)")
        }
        return try look(at: descriptor, path)
    }

    /// How a folder is packed, into the current one, if its name needs no quotes.
    private static func packing(_ folder: FilePath) -> String? {
        guard let name = folder.lastComponent, name.kind == .regular,
            folder.string.utf8.allSatisfy({ "/._-+".utf8.contains($0) || $0 > 127 || isalnum(Int32($0)) != 0 })
        else { return nil }
        return "tar -I sluice -cf \(name.string).tar.zst \(folder.printable)"
    }

    private static func look(at descriptor: FileDescriptor, _ path: FilePath) throws(Complaint) -> Source {
        try Complaint.about(source: path, target: path) { () throws(Failure) in try Source(descriptor) }
    }

    /// - Throws: what `open` says.
    static func open(_ path: FilePath) throws(Errno) -> FileDescriptor {
        FileDescriptor(
            rawValue: try systemCall { path.withPlatformString { Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY) } })
    }

    /// Directories, devices and links are named by mistake more often than not.
    private static func check(_ path: FilePath, _ settings: Settings, _ entry: FileIdentity) throws(Errno) {
        let identity = entry.isSymbolicLink ? try FileIdentity(at: path) : entry
        if identity.kind == .directory { throw .isDirectory }
        let followsLinks =
            settings.isForced || settings.output == .standardOutput || settings.verb.operation.content == .both
        if settings.isForced { return }
        if identity.kind == .device { throw .notBlockDevice }
        // Process substitutions are links to pipes, and /dev/stdin stands for what is open.
        if entry.isSymbolicLink, !followsLinks, !path.starts(with: "/dev"), !path.starts(with: "/proc"),
            identity.kind == .file
        {
            throw .tooManySymbolicLinkLevels
        }
    }
}
