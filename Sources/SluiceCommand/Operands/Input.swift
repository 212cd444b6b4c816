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
    private let operand: Operand

    /// The file that is read; nil for what is no file, and for standard input, whose name nobody knows.
    var file: SourceFile? {
        source.isFile && path != nil ? SourceFile(operand: operand, identity: source.identity) : nil
    }

    /// - Parameter entry: what lies under the name, if that is known already.
    /// - Throws: what keeps the operand from being read, in one sentence.
    init(_ operand: Operand, _ settings: Settings, entry: FileIdentity? = nil) throws(Complaint) {
        let isStandardInput = operand.path == Operand.standardInput
        if isStandardInput, !settings.isForced, StandardDescriptors.isTerminal(.standardInput) {
            throw Complaint("standard input is a terminal", hint: "name a file, or use a pipe; -f reads the terminal")
        }
        source =
            try isStandardInput
            ? Self.look(at: .standardInput, operand.path, isFresh: false) : Self.open(operand, settings, entry)
        self.operand = operand
        name = isStandardInput ? "standard input" : operand.path
        path = isStandardInput ? nil : operand.path
    }

    deinit {
        if path != nil { try? source.descriptor.close() }
    }

    private static func open(
        _ operand: Operand, _ settings: Settings, _ entry: FileIdentity?
    ) throws(Complaint) -> Source {
        let path = operand.path
        let entry =
            if let entry {
                entry
            } else {
                try opening(path) { () throws(Errno) in try operand.identity(followingLinks: false) }
            }
        let identity =
            entry.isSymbolicLink
            ? try opening(path) { () throws(Errno) in try operand.identity(followingLinks: true) } : entry
        try check(operand, settings, isLink: entry.isSymbolicLink, identity)
        if settings.verb.activity.content == .input, settings.references.contain(identity) {
            throw Complaint(path, "is also what its frames would refer to, without which they are lost")
        }
        // To open a FIFO is to wait for its writer: what keeps it from having an output is told before.
        if identity.kind != .file { _ = try Output.name(for: path, settings) }
        let descriptor = try opening(path) { () throws(Errno) in
            try operand.open(isLink: entry.isSymbolicLink)
        }
        let source = try look(at: descriptor, path, isFresh: true)
        if operand.folder == nil || source.isFile { return source }
        try? descriptor.close()
        throw Complaint(path, "is not the file any more that it was when its folder was read")
    }

    private static func opening<Result>(
        _ path: FilePath, _ call: () throws(Errno) -> Result
    ) throws(Complaint) -> Result {
        do throws(Errno) { return try call() } catch { throw Complaint(path, "can't open: \(error.sentence)") }
    }

    /// How a folder is packed, into the current one, if its name needs no quotes.
    private static func packing(_ folder: FilePath) -> String? {
        let isDot = folder.lastComponent?.kind == .currentDirectory
        guard let name = (isDot ? folder.removingLastComponent() : folder).lastComponent, name.kind == .regular,
            folder.string.utf8.allSatisfy({ "/._-+".utf8.contains($0) || $0 > 127 || isalnum(Int32($0)) != 0 })
        else { return nil }
        return "tar -I sluice -cf \(name.string).tar.zst \(folder.printable)"
    }

    private static func look(
        at descriptor: FileDescriptor, _ path: FilePath, isFresh: Bool
    ) throws(Complaint) -> Source {
        try Complaint.about(source: path, target: path) { () throws(Failure) in
            try Source(descriptor, isFresh: isFresh)
        }
    }

    /// Directories, devices and links are named by mistake more often than not.
    private static func check(
        _ operand: Operand, _ settings: Settings, isLink: Bool, _ identity: FileIdentity
    ) throws(Complaint) {
        let path = operand.path
        let content = settings.verb.activity.content
        if identity.kind == .directory {
            if isLink, settings.isRecursive {
                throw Complaint(path, "is a symbolic link to a folder: skipped", hint: "-f follows it")
            }
            let packing = content == .input ? packing(path).map { ", or \($0)" } ?? "" : ""
            throw Complaint(path, "is a directory", hint: "-r takes the files in it" + packing)
        }
        if settings.isForced { return }
        if identity.kind == .device { throw Complaint(path, "is a device", hint: "-f reads it all the same") }
        let followsLinks = (settings.output == .standardOutput || content == .both) && operand.folder == nil
        // Process substitutions are links to pipes, and /dev/stdin stands for what is open.
        if isLink, !followsLinks, !path.isInDevOrProc, identity.kind == .file {
            var complaint = Complaint(path, "is a symbolic link: skipped", hint: "-f or -c follows it")
            complaint.isSkipped = true
            throw complaint
        }
    }
}
