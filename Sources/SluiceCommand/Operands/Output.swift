import Glibc
import Sluice
import SystemPackage

/// Where the data of one or several operands goes.
struct Output: ~Copyable {
    /// The name in messages.
    let name: FilePath
    /// Nil when nothing is written.
    let sink: Sink?
    /// How the file is made, if it is kept unfinished.
    let note: ResumeNote?
    /// Whether the folder of a new file can be synced.
    let canSyncFolder: Bool
    private var file: OutputFile?
    private var closesDescriptor: Bool

    /// For tests: nothing is written.
    init() {
        self.init("nothing", nil, file: nil, closesDescriptor: false)
    }

    /// Where an output of this name goes; nil is standard output, if anything is written.
    ///
    /// - Parameters:
    ///   - inputs: what is read, and must not be written.
    ///   - canAsk: whether standard input is there to answer a question.
    init(
        to target: FilePath?, inputs: [FileIdentity], _ settings: Settings, canAsk: Bool, console: Console
    ) throws(Complaint) {
        if !settings.verb.activity.hasOutput {
            self.init()
        } else if let target {
            if let growing = settings.references.growing {
                if let old = growing.source?.identity, inputs.contains(where: old.isSameFile) {
                    throw Complaint(target, "is the input and the output")
                }
                try self.init(newFileAt: target, isReplacing: growing.source != nil, settings)
                return
            }
            let repeats = inputs.first.flatMap { settings.verb.repeats(target, of: $0) }
            try self.init(
                at: target, inputs: inputs, isReplacing: settings.isForced || repeats == true,
                isNamed: settings.output != .derived, settings, canAsk: canAsk && repeats == nil, console: console)
        } else {
            try self.init(standardOutputFor: settings, inputs: inputs)
        }
    }

    /// Standard output, from where it stands.
    private init(standardOutputFor settings: Settings, inputs: [FileIdentity]) throws(Complaint) {
        let name: FilePath = "standard output"
        try Self.refuseReadingBack(name, settings)
        if settings.verb.activity.content == .input, !settings.isForced,
            StandardDescriptors.isTerminal(.standardOutput)
        {
            throw Complaint(
                "standard output is a terminal: compressed data is not written to it",
                hint: "-o FILE, or -f to write it")
        }
        let sink = try Self.sink(.standardOutput, name, settings)
        if sink.isFile, inputs.contains(where: { $0.isSameFile(as: sink.identity) }) {
            throw Complaint("standard output is also the input")
        }
        self.init(name, sink, file: nil, closesDescriptor: false)
    }

    /// A file, a FIFO or a device.
    ///
    /// - Parameters:
    ///   - inputs: what is read, and must not be written.
    ///   - isReplacing: whether a file of that name is replaced without asking.
    ///   - isNamed: whether somebody wrote the name, and may mean a FIFO or a device.
    ///   - canAsk: whether standard input is there to answer a question.
    init(
        at path: FilePath, inputs: [FileIdentity], isReplacing: Bool, isNamed: Bool = true, _ settings: Settings,
        canAsk: Bool = false, console: Console
    ) throws(Complaint) {
        let entry = try? FileIdentity(at: path, followingLinks: false)
        let existing = entry?.isSymbolicLink == true ? try? FileIdentity(at: path) : entry
        if let existing, inputs.contains(where: { $0.isSameFile(as: existing) && $0.kind == .file }) {
            throw Complaint(path, "is the input and the output")
        }
        if let existing, settings.references.contain(existing) {
            throw Complaint(path, "is what the frames refer to: not replaced")
        }
        if let existing, settings.isFileList(existing) { throw Complaint(path, "is the list of files: not replaced") }
        if existing?.kind == .directory { throw Complaint(path, "is a directory") }
        let real = entry?.isSymbolicLink == true && !path.isOpenDescriptor ? path.withRealFolder : path
        if let existing, existing.kind != .file || real.isOpenDescriptor {
            if !isNamed, !settings.isForced {
                // Somebody else may have put it where the output was expected, to read it.
                throw Complaint(path, "is no regular file: not written to", hint: "-f writes to it, and so does -o")
            }
            try Self.refuseReadingBack(path, settings)
            let descriptor = try Self.openInPlace(real, existing)
            if settings.verb.activity.content == .input, !settings.isForced, StandardDescriptors.isTerminal(descriptor)
            {
                try? descriptor.close()
                throw Complaint(path, "is a terminal: compressed data is not written to it", hint: "-f writes it")
            }
            self.init(path, try Self.sink(descriptor, path, settings), file: nil, closesDescriptor: true)
            return
        }
        if entry != nil, !isReplacing {
            let mayAsk = canAsk && settings.quietness == 0
            guard mayAsk, console.confirms("\(path.printable) already exists; replace it (y/n)?") else {
                throw Complaint(
                    path, "already exists: not replaced",
                    hint: mayAsk && StandardDescriptors.isTerminal(.standardInput) ? nil : "-f replaces it")
            }
        }
        try self.init(newFileAt: path, isReplacing: isReplacing || entry != nil, settings)
    }

    /// A file that gets its name in the end, whatever has it now.
    ///
    /// - Parameter isReplacing: whether it may take the name from another file.
    init(newFileAt path: FilePath, isReplacing: Bool, _ settings: Settings) throws(Complaint) {
        let file = try Complaint.about(source: path, target: path) { () throws(Failure) in
            OutputFile(
                settings.resumes
                    ? try TemporaryFile(resuming: path, startsOver: settings.isForced)
                    : try TemporaryFile(for: path, isReadable: settings.readsBack), isReplacing: isReplacing)
        }
        let sink = try Self.sink(file.descriptor, path, settings, caching: settings.caching, isTemporary: true)
        let (note, canSyncFolder) = (file.note, file.canSyncFolder)
        self.init(path, sink, file: file, note, canSyncFolder: canSyncFolder, closesDescriptor: false)
    }

    /// What is written as it is, by somebody who closes it.
    init(inPlace sink: Sink, of name: FilePath) {
        self.init(name, sink, file: nil, closesDescriptor: false)
    }

    private init(
        _ name: FilePath, _ sink: Sink?, file: consuming OutputFile?, _ note: ResumeNote? = nil,
        canSyncFolder: Bool = false, closesDescriptor: Bool
    ) {
        self.name = name
        self.sink = sink
        self.note = note
        self.canSyncFolder = canSyncFolder
        self.file = file
        self.closesDescriptor = closesDescriptor
    }

    deinit {
        if closesDescriptor, let sink { try? sink.descriptor.close() }
    }

    /// Writes what no run has made.
    ///
    /// - Throws: `writing`.
    func write(_ content: [UInt8]) throws(Failure) {
        guard let sink else { return }
        do throws(Errno) {
            try content.span.bytes.withUnsafeBytes { bytes throws(Errno) in
                var rest = bytes
                try sink.descriptor.writeEverything(&rest)
            }
        } catch {
            throw .writing(error)
        }
    }

    /// Makes the file whole under its name; what was written in place is closed.
    ///
    /// - Parameters:
    ///   - source: whose owner, mode and times the file gets.
    ///   - mayReplace: asked before a file of that name is replaced, with what that is.
    /// - Returns: what of the metadata it did not get.
    @discardableResult
    consuming func commit(
        metadataOf source: Source?, isSynced: Bool, mayReplace: (FileIdentity?) -> Bool = { _ in true }
    ) throws(Failure) -> OutputFile.Losses {
        if closesDescriptor, let sink {
            closesDescriptor = false
            // A late error of a file system on the network comes here.
            guard close(sink.descriptor.rawValue) == 0 else { throw .writing(Errno(rawValue: errno)) }
        }
        if !closesDescriptor, self.file == nil, let sink, sink.isFile {
            // Of a copy: the same late errors come, and standard output stays open for those after us.
            let copy = dup(sink.descriptor.rawValue)
            guard copy < 0 || close(copy) == 0 else { throw .writing(Errno(rawValue: errno)) }
        }
        if let file = self.file.take() {
            let original = source.flatMap { $0.isFile ? $0.descriptor : nil }
            return try file.commit(metadataOf: original, isSynced: isSynced, mayReplace: mayReplace)
        }
        return []
    }

    /// The first half of `commit`: everything but the name.
    ///
    /// - Returns: what of the metadata it did not get.
    mutating func complete(
        metadataOf source: Source, _ syncing: OutputFile.Syncing
    ) throws(Failure) -> OutputFile.Losses {
        try file?.complete(metadataOf: source.descriptor, syncing) ?? []
    }

    /// The second half of `commit`: the name.
    ///
    /// - Parameter mayReplace: asked before a file of that name is replaced, with what that is.
    /// - Returns: whether it has the name, or needs none.
    consuming func publish(mayReplace: (FileIdentity?) -> Bool) throws(Failure) -> Bool {
        guard let file = file.take() else { return true }
        return try file.publish(mayReplace: mayReplace)
    }

    /// Whether the data has a file of its own, which is complete only after `commit`.
    var isFile: Bool { file != nil }

    private static func sink(
        _ descriptor: FileDescriptor, _ name: FilePath, _ settings: Settings, caching: Sink.Caching = .cached,
        isTemporary: Bool = false
    ) throws(Complaint) -> Sink {
        let leavesHoles = settings.verb.activity.content == .output && (settings.leavesHoles ?? isTemporary)
        return try Complaint.about(source: name, target: name) { () throws(Failure) in
            let isKept = isTemporary && settings.resumes
            return try Sink(
                descriptor, caching: caching, isTemporary: isTemporary && !isKept, leavesHoles: leavesHoles,
                resumption: isKept ? settings.isForced ? .ofAnySource : .ofSameSource : nil)
        }
    }

    /// What is no file of this run's own.
    private static func refuseReadingBack(_ name: FilePath, _ settings: Settings) throws(Complaint) {
        guard settings.readsBack else { return }
        throw Complaint(name, "is no file that --verify=file could read back", hint: "-o FILE names one")
    }
}

extension FilePath {
    /// The same file, in a folder that is named without links and detours; the path itself where that can't be told.
    fileprivate var withRealFolder: FilePath {
        guard let name = lastComponent else { return self }
        return folder.real?.appending(name) ?? self
    }
}
