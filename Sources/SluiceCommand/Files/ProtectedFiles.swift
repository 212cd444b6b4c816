import Dispatch
import Glibc
import SluiceEngine
import Synchronization

/// A file that is made from a source, with what decides whether it may replace another.
struct NewFile {
    let place: OutputPlace
    /// Nil before it exists.
    let identity: FileIdentity?
    let source: SourceFile

    var target: FilePath { place.path }
}

/// The files that the command must not replace, however their names are spelt: those that it reads, and those that it
/// made from another source. Otherwise `--rm` would remove two sources and keep the content of one.
final class ProtectedFiles: Sendable {
    private struct State {
        /// The sources of the made files, by the numbers of those files.
        var sources: [FileIdentity.Number: Origin] = [:]
        /// The makers of files, by the hash of the file's last path component, which takes less memory than the name.
        var makers: [Int: Maker] = [:]
        /// The operands' identities; looked up when a file is to be replaced for the first time.
        var operands: Set<FileIdentity.Number>?
        /// The real paths of the directories among the operands; looked up with the operands.
        var roots: [FilePath] = []
    }

    /// The source of a made file.
    ///
    /// In a chain, the run may replace a source by a new file of the same name, and then process that: sources are
    /// the same there if they have the same name. Outside a chain, the name is nil.
    private struct Origin {
        let number: FileIdentity.Number
        let name: FilePath?

        func isSame(as other: Origin) -> Bool { number == other.number || name != nil && name == other.name }
    }

    /// The device and the source that all files made with one last path component share; nil where they differ.
    private struct Maker: Equatable {
        var device: UInt64?
        /// The hash of the source's last path component.
        var source: Int?
    }

    /// The names that `--rm` has removed.
    let removedNames = RemovedNames()
    /// The directories of outputs; nil if these do not mirror those of the sources.
    private let mirror: MirroredFolders?
    private let settings: Settings
    /// Whether made files are remembered, because the run may find or replace one of them later. It can't with a single
    /// file, nor with files compressed beside their sources without `-f`: a million of those take no memory.
    private let remembersFiles: Bool
    /// Whether operands are outputs of other operands, which may replace them (`Settings.isChain`). An operand is then
    /// processed only after the outputs of those before it have their names.
    let isChain: Bool
    private let state = Mutex(State())
    /// Held while a thread checks a name and replaces the file that has it.
    private let turn = DispatchSemaphore(value: 0)
    private let start = FileIdentity.now()

    init(_ settings: Settings) {
        self.settings = settings
        isChain = settings.isChain
        remembersFiles =
            settings.operands.count > 1
            || settings.walks
                && (settings.isForced || settings.output.folder != nil || settings.activity.content != .input)
        mirror =
            if let folder = settings.output.folder, folder.isMirror, settings.output.destination == .derived {
                MirroredFolders(in: folder.path, isForced: settings.isForced, isSynced: settings.output.isSynced)
            } else {
                nil
            }
        // A semaphore that is destroyed below its initial value crashes; this one starts at zero, as in `Slots`.
        turn.signal()
    }

    /// Where an output of this name is made from an operand: beside a file that was found, in the directory in which it
    /// was found.
    func place(of target: FilePath, for operand: Operand) throws(Complaint) -> OutputPlace {
        if let mirror { return OutputPlace(target, in: try mirror.folder(for: target, of: operand)) }
        let isBeside = settings.output.destination == .derived && settings.output.folder == nil
        return OutputPlace(target, in: isBeside ? operand.folder?.opened : nil)
    }

    /// Calls `give`, which gives the file its name, so that no other source takes that name. If it may replace a file,
    /// only one thread at a time checks a name and replaces the file.
    ///
    /// - Parameters:
    ///   - file: nil if no file is made from a single source, such as for standard output.
    ///   - give: returns whether the file has its name.
    /// - Returns: what `give` returns.
    func giveName<Problem>(to file: NewFile?, _ give: () throws(Problem) -> Bool) throws(Problem) -> Bool {
        let number = remembersFiles ? file?.identity?.number : nil
        // Recorded before the file has its name: from then on, another thread may find it.
        if let number { state.withLock { $0.sources[number] = file.map { origin($0.source) } } }
        if settings.isForced { turn.wait() }
        defer { if settings.isForced { turn.signal() } }
        var hasName = false
        defer { if let number, !hasName { state.withLock { _ = $0.sources.removeValue(forKey: number) } } }
        hasName = try give()
        if hasName, remembersFiles, let file { remember(file) }
        return hasName
    }

    private func remember(_ file: NewFile) {
        let maker = Maker(device: file.identity?.device, source: hash(file.source.operand.path))
        state.withLock { state in
            guard let other = state.makers.updateValue(maker, forKey: hash(file.target)), other != maker else { return }
            state.makers[hash(file.target)] = Maker(
                device: other.device == maker.device ? maker.device : nil,
                source: other.source == maker.source ? maker.source : nil)
        }
    }

    private func origin(_ source: SourceFile) -> Origin {
        Origin(
            number: source.identity.number, name: isChain ? source.operand.path.lexicallyNormalized() : nil)
    }

    private func hash(_ path: FilePath) -> Int { path.lastComponent.hashValue }

    /// - Throws: a complaint that skips a file that was found in a directory, but made by this run.
    func refuseOwn(_ operand: Operand, _ identity: FileIdentity) throws(Complaint) {
        guard remembersFiles, operand.folder != nil, state.withLock({ $0.sources[identity.number] != nil }) else {
            return
        }
        var complaint = Complaint(operand.path, "was made by this run")
        complaint.fate = .own
        throw complaint
    }

    /// Why the existing file of that name must not be replaced; nil if it may, or there is none.
    func objection(to file: NewFile) -> Complaint? {
        guard settings.mayMakeSeveral else { return nil }
        return objection(to: file, inPlaceOf: file.place.identity(bypassingCache: true))
    }

    /// - Parameter entry: the file or link that has the name, in the directory where the name is about to be given: by
    ///   then the path may lead elsewhere.
    func objection(to file: NewFile, inPlaceOf entry: FileIdentity?) -> Complaint? {
        guard settings.mayMakeSeveral else { return nil }
        let isLink = entry?.isSymbolicLink == true
        let existing = isLink ? file.place.identity(followingLinks: true, bypassingCache: true) : entry
        // With an identity, the new file is about to take the name. It is then checked even if no file was seen to have
        // the name, because that may be outdated.
        guard let device = (file.identity ?? existing)?.device else { return nil }
        return state.withLock { state in
            if mayBeOurs(file, on: device, existing, state) {
                return Complaint(file.target, "may have been made from another file by this run: not replaced")
            }
            guard let existing, !existing.isSameFile(as: file.source.identity) else { return nil }
            if let other = state.sources[existing.number] {
                return other.isSame(as: origin(file.source))
                    ? nil : Complaint(file.target, "was made from another file by this run: not replaced")
            }
            let read = state.operands ?? lookUp(&state)
            let isRead = read.contains(existing.number) && !isChain || isWalked(file.target, state.roots)
            return isRead ? refusalOfInput(file.target) : nil
        }
    }

    private func refusalOfInput(_ path: FilePath) -> Complaint {
        let isExcludable = settings.activity.content == .input && FileName.isCompressed(path)
        return Complaint(
            path, "is also an input of this run; not replaced",
            hint: isExcludable ? "--exclude-compressed leaves it out" : "run it once per file, for example in a loop")
    }

    /// Whether this run may have made the existing file under another device number, because the directory is mounted
    /// twice.
    ///
    /// Inode numbers and times can't rule that out: a network file system or a FUSE server may reuse those of a removed
    /// file. Names can: sources of one name are in different directories, and so are the files made beside them.
    private func mayBeOurs(
        _ file: NewFile, on device: UInt64, _ existing: FileIdentity?, _ state: borrowing State
    ) -> Bool {
        guard let other = state.makers[hash(file.target)], other.device != device else { return false }
        let isFromNamesake = other.source == hash(file.source.operand.path)
        // Except in a union mount, which shows several directories as one.
        return !isFromNamesake || existing?.hasChanged(since: start) ?? true
    }

    private func lookUp(_ state: inout State) -> Set<FileIdentity.Number> {
        if settings.walks { state.roots = settings.operands.compactMap(\.real) }
        let read = settings.operands.lazy.filter { [settings] in !settings.input.excludes($0) }
        let numbers = Set(read.compactMap { Operand.identity(of: $0)?.number })
        state.operands = numbers
        return numbers
    }

    /// - Throws: a complaint about an output that is a file beneath a directory that is processed.
    func refuseSource(_ path: FilePath) throws(Complaint) {
        guard settings.walks, settings.input.takes(path), (try? FileIdentity(at: path))?.kind == .file,
            Self.isIn(settings.operands.compactMap(\.real), path)
        else { return }
        throw Complaint(path, "is the input and the output")
    }

    /// Whether a file of this name is read when its directory's turn comes.
    private func isWalked(_ path: FilePath, _ roots: [FilePath]) -> Bool {
        guard !roots.isEmpty, settings.input.takes(path) else { return false }
        return (settings.output.destination != .derived || settings.derivedName(of: path) != nil)
            && Self.isIn(roots, path)
    }

    private static func isIn(_ roots: [FilePath], _ path: FilePath) -> Bool {
        guard let folder = path.folder.real else { return false }
        return roots.contains(where: folder.starts)
    }
}

extension FilePath {
    /// The path without links and `..`; nil if it can't be resolved.
    var real: FilePath? {
        let name = withPlatformString { realpath($0, nil) }
        defer { free(name) }
        return name.map { FilePath(platformString: $0) }
    }
}
