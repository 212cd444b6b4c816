import Glibc
import SluiceEngine

/// The destination of the data of one or several operands.
struct Output: ~Copyable {
    /// The name in messages.
    let name: FilePath
    /// Nil if nothing is written.
    let sink: Sink?
    /// The new file, which is complete only after `commit`; nil if it is written in place.
    var file: OutputFile?
    /// The object of a store, which is there only after `commit`.
    var object: UploadedObject?
    /// Closes what was opened to be written in place.
    private let closing: OpenFile?

    /// A sink that is written in place, and closed by the caller, unless `file` or `closing` is given.
    private init(
        _ name: FilePath, _ sink: Sink?, file: consuming OutputFile? = nil, object: consuming UploadedObject? = nil,
        closing: consuming OpenFile? = nil
    ) {
        self.name = name
        self.sink = sink
        self.file = file
        self.object = object
        self.closing = closing
    }

    /// Opens the output for the data of a source.
    ///
    /// - Parameters:
    ///   - target: the name of the file; nil for standard output. Unused if the command only tests files.
    ///   - inputs: files that are read, and must not be overwritten.
    ///   - note: for a later run to continue the upload of an object; nil if none does that.
    ///   - size: of the input, in bytes; nil if it is not known.
    ///   - monitor: receives what is sent to a store.
    ///   - latch: fails when nothing can be sent there any more.
    ///   - memory: of the run, of which what is sent takes some.
    ///   - asking: asks before a file is replaced; nil to refuse instead.
    static func chosen(
        for target: OutputPlace?, inputs: [FileIdentity], note: UploadNote? = nil, ofSize size: UInt64? = nil,
        _ settings: Settings,
        _ monitor: Monitor = Monitor([]), _ latch: FailureLatch = FailureLatch(),
        _ memory: MemoryLimit? = nil, asking: Console?
    ) throws(Complaint) -> Output {
        if !settings.activity.hasOutput { return Output("nothing", nil) }
        guard let target else { return try standardOutput(inputs: inputs, settings) }
        if settings.output.destination.object != nil {
            let object = try UploadedObject(
                target.path, note: note, ofSize: size, settings, monitor, latch, memory, asking: asking)
            return Output(target.path, Sink(object.upload, isTemporary: true), object: object)
        }
        if let growing = settings.output.growing {
            if let old = growing.source?.identity, inputs.contains(where: old.isSameFile) {
                throw Complaint(target.path, "is the input and the output")
            }
            return try newFile(at: target, isReplacing: growing.source != nil, settings)
        }
        let claim = inputs.first.map { settings.command.claim(on: target.path, of: $0) } ?? .ask
        return try named(
            target, inputs: inputs, isReplacing: settings.isForced || claim == .replace,
            isTyped: settings.output.destination != .derived, settings, asking: claim == .ask ? asking : nil)
    }

    /// Standard output, from its current position.
    private static func standardOutput(inputs: [FileIdentity], _ settings: Settings) throws(Complaint) -> Output {
        let name: FilePath = "standard output"
        try refuseReadingBack(name, settings)
        if settings.refusesTerminals { try refuseTerminal() }
        let sink = try sink(.standardOutput, name, settings)
        if sink.isFile, inputs.contains(where: { $0.isSameFile(as: sink.identity) }) {
            throw Complaint("standard output is also the input")
        }
        return Output(name, sink)
    }

    /// A file, a FIFO or a device.
    ///
    /// - Parameters:
    ///   - inputs: files that are read, and must not be overwritten.
    ///   - isReplacing: whether an existing file is replaced without asking.
    ///   - isTyped: whether the name was typed, and may mean a FIFO or a device.
    ///   - waits: whether a FIFO may wait for its reader.
    ///   - asking: asks before a file is replaced; nil to refuse instead.
    static func named(
        _ place: OutputPlace, inputs: [FileIdentity], isReplacing: Bool, isTyped: Bool = true, waits: Bool = true,
        _ settings: Settings, asking: Console? = nil
    ) throws(Complaint) -> Output {
        let path = place.path
        let entry = place.identity()
        let existing = entry?.isSymbolicLink == true ? place.identity(followingLinks: true) : entry
        if let existing, inputs.contains(where: { $0.isSameFile(as: existing) && $0.kind == .file }),
            !(settings.command.replacesInput && settings.isForced && !path.isOpenDescriptor)
        {
            throw Complaint(path, "is the input and the output")
        }
        if let existing, let objection = settings.objection(to: existing) { throw Complaint(path, objection) }
        if existing?.kind == .directory { throw Complaint(path, "is a directory") }
        let isLinked = entry?.isSymbolicLink == true && place.folder == nil && !path.isOpenDescriptor
        let real = isLinked ? OutputPlace(path.withRealFolder) : place
        // A FIFO, a device, or a descriptor that is open already is written in place.
        if let existing, existing.kind != .file || real.path.isOpenDescriptor {
            if !isTyped, !settings.isForced {
                // Another user may have put it where the output was expected, to read it.
                throw Complaint(path, "is not a regular file: not written", hint: "-f or -o writes to it")
            }
            try refuseReadingBack(path, settings)
            let opened = OpenFile(try openInPlace(real, existing, waits: waits))
            if settings.refusesTerminals, StandardDescriptors.isTerminal(opened.descriptor) {
                throw Complaint(path, "is a terminal: compressed data is not written to it", hint: "-f writes it")
            }
            return Output(path, try sink(opened.descriptor, path, settings), closing: opened)
        }
        if entry != nil, !isReplacing {
            guard let asking, asking.confirms("\(path.printable) already exists; replace it (y/n)?") else {
                throw Complaint(
                    path, "already exists: not replaced",
                    hint: asking != nil && StandardDescriptors.isTerminal(.standardInput) ? nil : "-f replaces it")
            }
        }
        return try newFile(at: place, isReplacing: isReplacing || entry != nil, settings)
    }

    /// A file that gets its name when it is complete, whatever has the name now.
    ///
    /// - Parameter isReplacing: whether it may replace another file.
    static func newFile(at place: OutputPlace, isReplacing: Bool, _ settings: Settings) throws(Complaint) -> Output {
        let (path, folder) = (place.path, place.folder)
        let file = try Complaint.about(
            source: path,
            settings.output.resumes
                ? OutputFile(resuming: path, in: folder, isReplacing: isReplacing, startsOver: settings.isForced)
                : OutputFile(
                    at: path, in: folder, isReplacing: isReplacing, isReadable: settings.readsOutput))
        let sink = try sink(file.descriptor, path, settings, isTemporary: true)
        return Output(path, sink, file: file)
    }

    /// Writes content that did not come from a run.
    ///
    /// - Throws: `writing`.
    func write(_ content: [UInt8]) throws(Failure) {
        if let sink { try sink.write(content.span.bytes) }
    }

    /// Completes the file and gives it its name; closes an output that was written in place.
    ///
    /// - Parameters:
    ///   - source: the file whose owner, mode and times the output gets.
    ///   - access: narrows the mode of an output that has content of several files.
    ///   - objection: called with the existing file before it is replaced; returns why it must not be, which is thrown.
    ///   - didSend: takes how many bytes of an object are on their way, of how many.
    /// - Returns: the metadata that could not be set.
    @discardableResult
    consuming func commit(
        metadataOf source: Source?, within access: CommonAccess = CommonAccess(), isSynced: Bool,
        unless objection: (FileIdentity?) -> Complaint? = { _ in nil },
        didSend: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
    ) throws(Complaint) -> OutputFile.Losses {
        var complaint: Complaint?
        do throws(Failure) {
            if let object = object.take() {
                try object.commit(didSend: didSend)
                return OutputFile.Losses()
            }
            if let file = file.take() {
                let original = source.flatMap { $0.isFile ? $0.descriptor : nil }
                return try file.commit(metadataOf: original, within: access, isSynced: isSynced) { existing in
                    complaint = objection(existing)
                    return complaint == nil
                }
            }
            // Closing reports late errors of network file systems. A duplicate is closed, to keep standard output open.
            if let sink, sink.isFile || closing != nil {
                let descriptor = try sink.requireDescriptor()
                try Failure.writing(descriptor.endWriting(staysOpen: true))
            }
            // An empty literal would look a conformance up at run time, which takes a tenth of a millisecond.
            return OutputFile.Losses()
        } catch {
            throw complaint ?? Complaint(error, source: name)
        }
    }

    /// What writes the object of a store; nil for any other output.
    var upload: ObjectUpload? {
        switch object {
        case let object?: object.upload
        case nil: nil
        }
    }
    /// Whether it is a new file, which gets its name in `commit`.
    var isNewFile: Bool { file != nil }
    /// The note on how the file is made, if it is kept unfinished.
    var note: ResumeNote? {
        switch file {
        case let file?: file.note
        case nil: nil
        }
    }

    private static func sink(
        _ descriptor: FileDescriptor, _ name: FilePath, _ settings: Settings, isTemporary: Bool = false
    ) throws(Complaint) -> Sink {
        let leavesHoles = settings.activity.content == .output && (settings.output.leavesHoles ?? isTemporary)
        let isKept = isTemporary && settings.output.resumes
        return try Complaint.about(
            source: name,
            Sink(
                descriptor, isSynced: isTemporary && settings.output.isSynced, isTemporary: isTemporary && !isKept,
                leavesHoles: leavesHoles,
                resumption: isKept ? settings.isForced ? .ofAnySource : .ofSameSource : nil))
    }

    /// Refuses to write compressed data to a terminal as standard output.
    static func refuseTerminal() throws(Complaint) {
        guard StandardDescriptors.isTerminal(.standardOutput) else { return }
        throw Complaint(
            "standard output is a terminal: compressed data is not written to it", hint: "-o FILE, or -f to write it")
    }

    /// Refuses `--verify=file` for an output that is not a new file.
    private static func refuseReadingBack(_ name: FilePath, _ settings: Settings) throws(Complaint) {
        guard settings.verification.readsBack else { return }
        throw Complaint(name, "is not a file that --verify=file can read back", hint: "name one with -o FILE")
    }
}

extension FilePath {
    /// The same file in its directory's real path; the path itself if that can't be resolved.
    fileprivate var withRealFolder: FilePath {
        guard let name = lastComponent else { return self }
        return folder.real?.appending(name) ?? self
    }
}

/// Outputs that are written in place: FIFOs, devices, and descriptors that are already open.
extension Output {
    /// A descriptor that is already open is written from its position: if the file were opened again, it would be
    /// truncated, and written from its start.
    ///
    /// - Parameter waits: whether a FIFO may wait for its reader.
    static func openInPlace(
        _ place: OutputPlace, _ existing: FileIdentity, waits: Bool
    ) throws(Complaint) -> FileDescriptor {
        let path = place.path
        // With O_CREAT the kernel refuses files that another user has put into a world-writable directory
        // (protected_fifos, protected_regular).
        let flags =
            O_WRONLY | O_NOCTTY | (existing.kind == .file ? O_TRUNC : 0)
            | (existing.kind == .device ? 0 : O_CREAT)
        do throws(Errno) {
            if let own = ownDescriptor(path) {
                return FileDescriptor(rawValue: try systemCall { fcntl(own, F_DUPFD_CLOEXEC, 3) })
            }
            func call(_ more: Int32) throws(Errno) -> FileDescriptor { try place.open(flags | more) }
            let descriptor = try waits ? call(0) : AuxiliaryFile.openToWrite(call)
            let opened = try FileIdentity(descriptor)
            // A new file may have the inode number of one that was removed.
            if opened.isSameFile(as: existing), opened.kind == existing.kind { return descriptor }
            try? descriptor.close()
            // The output was gone, and O_CREAT has made this empty file. By now somebody else's may have the name.
            if opened.kind == .file, opened.mode == 0, opened.size == 0 {
                place.remove { $0.isUnwritten(since: opened) && $0.mode == 0 }
            }
        } catch .noSuchAddressOrDevice where existing.kind == .fifo {
            throw Complaint(path, "is a FIFO that nobody reads")
        } catch {
            throw Complaint(path, "can't open: \(error.sentence)")
        }
        throw Complaint(path, "has just been replaced: nothing written")
    }

    /// The descriptor of this process that a path such as /dev/stdout or /dev/fd/7 denotes.
    private static func ownDescriptor(_ path: FilePath) -> Int32? {
        switch path {
        case "/dev/stdin": STDIN_FILENO
        case "/dev/stdout": STDOUT_FILENO
        case "/dev/stderr": STDERR_FILENO
        default:
            path.parent.listsOwnDescriptors
                ? path.lastComponent.flatMap { Int32($0.string) } : nil
        }
    }
}

extension OutputFile.Losses {
    /// Warns about metadata that a file lacks.
    ///
    /// - Parameter isCopied: whether the metadata was to be copied from a source, rather than set as for any new file.
    func warn(about path: FilePath, isCopied: Bool = true, on console: Console) {
        let names: [(OutputFile.Losses, String)] = [
            (.owner, "owner"), (.group, "group"), (.mode, "mode"), (.times, "times"),
            (.accessList, "access control list"), (.attributes, "extended attributes"),
        ]
        let lost = names.filter { contains($0.0) }.map(\.1)
        if lost.isEmpty { return }
        console.warn(
            path, (isCopied ? "could not copy from the source: " : "could not set: ") + lost.joined(separator: ", "))
    }
}
