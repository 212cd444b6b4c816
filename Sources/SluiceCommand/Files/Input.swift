import Glibc
import SluiceEngine

/// An operand that is open for reading.
struct Input: ~Copyable {
    let source: Source
    /// Decodes the operand for `--recompress`, whose content `source` is.
    private let decoded: DecodedSource?
    private let operand: Operand
    private let command: InputCommand?
    /// The operand, if it is followed.
    let followed: FollowedFile?

    /// Nil for standard input, and for the output of a command.
    var path: FilePath? { operand.path.isStandardInput ? nil : operand.path }
    /// The name in messages.
    var name: FilePath { command?.name ?? Operand.name(of: operand.path) }
    var file: SourceFile { SourceFile(operand: operand, identity: source.identity) }

    /// The state of the operand when it was opened.
    var identity: FileIdentity { followed?.identity ?? source.identity }

    /// XXH64 of the content that was decoded; nil if nothing was.
    var decodedChecksum: UInt64? { decoded?.checksum }

    /// Where zeros begin that follow what was decoded, and were ignored; nil if there are none.
    var decodedZeros: UInt64? { decoded?.ignoredZeros }

    /// - Parameter entry: the operand's identity, or that of the link itself, if it was looked up already.
    /// - Throws: why the operand can't be read.
    init(
        _ operand: Operand, _ settings: Settings, entry: FileIdentity? = nil
    ) throws(Complaint) {
        let isStandardInput = operand.path.isStandardInput
        command = settings.input.command
        if isStandardInput, command == nil, !settings.input.isForced, StandardDescriptors.isTerminal(.standardInput) {
            throw Complaint("standard input is a terminal", hint: "name a file, or use a pipe; -f reads the terminal")
        }
        let name = command?.name ?? Operand.name(of: operand.path)
        let followed = settings.decoding.following == nil ? nil : try Self.follow(operand, settings)
        var source =
            if let command { try Complaint.about(source: name, command.source()) } else if isStandardInput {
                try Complaint.about(source: name, Source(.standardInput))
            } else if let followed {
                try Complaint.about(source: name, followed.input())
            } else if let location = settings.input.remote[operand.path] {
                try Self.open(location, as: operand.path, settings)
            } else { try Self.open(operand, settings, entry) }
        source.ignoresZeros = settings.input.ignoresZeros
        decoded =
            settings.input.isDecoded
            ? try Complaint.about(source: name, DecodedSource(source, by: settings.decodingJob)) : nil
        self.source = decoded.map { source.content(from: $0) } ?? source
        (self.operand, self.followed) = (operand, followed)
    }

    deinit {
        // Standard input stays open, a command's source closes its pipe, and a remote file has no descriptor.
        if path != nil { try? source.descriptor?.close() }
    }

    private static func follow(_ operand: Operand, _ settings: Settings) throws(Complaint) -> FollowedFile {
        let path = operand.path
        // A name may still come, but hardly its directory.
        _ = try Complaint.about(path, cant: "open", FileIdentity(at: path.folder))
        if let kind = try? operand.identity(followingLinks: true).kind, kind != .file {
            throw Complaint(path, kind == .directory ? "is a directory" : "is not a file: --follow needs one")
        }
        let until = settings.decoding.following
        return try Complaint.about(
            source: path,
            FollowedFile(FollowedName(path, staysWithFile: until == .stream)) { () throws(Failure) in
                try FileWatch(path, output: .standardOutput)
            })
    }

    private static func open(
        _ location: RemoteLocation, as path: FilePath, _ settings: Settings
    ) throws(Complaint) -> Source {
        // A server may take a while to answer, so a missing output name is reported before.
        _ = try settings.outputName(for: path)
        let isRecovery = settings.command.optionGroups.isSuperset(of: [.recovery, .json])
        let option =
            settings.command.part != nil
            ? "--part"
            : settings.decoding.indexFile != nil
                ? "--index" : settings.decoding.tailLines != nil ? "--tail-lines" : isRecovery ? "--recover" : nil
        return try settings.input.remote.open(path, location, for: option)
    }

    private static func open(
        _ operand: Operand, _ settings: Settings, _ entry: FileIdentity?
    ) throws(Complaint) -> Source {
        let path = operand.path
        func identity(followingLinks followsLinks: Bool) throws(Complaint) -> FileIdentity {
            try Complaint.about(path, cant: "open", operand.identity(followingLinks: followsLinks))
        }
        let entry = if let entry { entry } else { try identity(followingLinks: false) }
        let target = entry.isSymbolicLink ? try identity(followingLinks: true) : entry
        try check(operand, settings, isLink: entry.isSymbolicLink, target)
        if settings.activity.content == .input, settings.references.contain(target) {
            throw Complaint(path, "is also the dictionary or reference of this run")
        }
        // Opening a FIFO waits for its writer, so a missing output name is reported before.
        if target.kind != .file { _ = try settings.outputName(for: path) }
        let descriptor = try Complaint.about(path, cant: "open", operand.open(isLink: entry.isSymbolicLink))
        let source = try Complaint.about(source: path, Source(descriptor, isFresh: true))
        if operand.folder == nil || source.isFile { return source }
        try? descriptor.close()
        throw Complaint(path, "was replaced after its directory was read")
    }

    /// A command that packs a directory; nil if the path has no name for the archive.
    static func packing(_ folder: FilePath) -> String? {
        guard let name = (folder.endsInDot ? folder.parent : folder).lastComponent, name.kind == .regular else {
            return nil
        }
        return "tar -I sluice -cf \(FilePath(name.string + ".tar.zst").quoted) \(folder.quoted)"
    }

    /// Refuses directories, devices and links, which are usually named by mistake.
    private static func check(
        _ operand: Operand, _ settings: Settings, isLink: Bool, _ identity: FileIdentity
    ) throws(Complaint) {
        let path = operand.path
        let content = settings.activity.content
        if identity.kind == .directory {
            if isLink, settings.input.isRecursive {
                throw Complaint(path, "is a symbolic link to a directory: skipped", hint: "-f follows it")
            }
            let isPackable = content == .input && !settings.command.optionGroups.contains(.training)
            let packing = isPackable ? packing(path).map { ", or \($0)" } ?? "" : ""
            throw Complaint(path, "is a directory", hint: "-r processes the files in it" + packing)
        }
        if settings.input.isForced { return }
        if identity.kind == .device { throw Complaint(path, "is a device", hint: "-f reads it anyway") }
        let followsLinks = (settings.output.destination == .standardOutput || content == .both) && operand.folder == nil
        // Process substitutions are links to pipes, and /dev/stdin is a link to an open file.
        if isLink, !followsLinks, !path.isOpenDescriptor, identity.kind == .file {
            var complaint = Complaint(path, "is a symbolic link: skipped", hint: "-f or -c follows it")
            complaint.fate = .skipped
            throw complaint
        }
    }
}
