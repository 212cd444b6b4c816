import Dispatch
import Glibc
import Sluice
import Synchronization

/// A file that is made from a source, with what decides whether it may replace another.
struct NewFile {
    let target: FilePath
    /// Nil before it exists.
    let identity: FileIdentity?
    let source: SourceFile
}

/// The files that the command must not replace, however their names are spelt: those that it read, and those that it
/// made from another source. With `--rm` both sources would be lost for the content of one.
final class ProtectedFiles: Sendable {
    private struct State {
        /// What the made files were made from.
        var sources: [FileIdentity.Number: Origin] = [:]
        /// Keyed by the hash of a file's last name, which takes less memory than the name.
        var makers: [Int: Maker] = [:]
        /// The operands' identities; looked up when a file is to be replaced for the first time.
        var operands: Set<FileIdentity.Number>?
        /// The real paths of the directories among the operands; looked up with the operands.
        var roots: [FilePath] = []
    }

    /// The source of a made file. In a chain, a source may be made again between two of its turns: it is still the same
    /// if it has the same name. Outside a chain, the name is nil.
    private struct Origin {
        let number: FileIdentity.Number
        let name: FilePath?

        func isSame(as other: Origin) -> Bool { number == other.number || name != nil && name == other.name }
    }

    /// The device and the source of the files made with one last name; nil stands for several.
    private struct Maker: Equatable {
        var device: UInt64?
        /// The hash of the source's last name.
        var source: Int?
    }

    /// Creates the directories of outputs as they are needed; nil if outputs do not mirror them.
    let mirror: MirroredFolders?
    private let settings: Settings
    /// Whether made files are remembered, because they may be found again or replaced. A single file can't, and names
    /// derived within one directory differ, so a million files take no memory.
    private let remembersFiles: Bool
    /// Whether operands are outputs of other operands, and give way to them: each is processed after those before it
    /// have their names.
    let isChain: Bool
    private let state = Mutex(State())
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
        return objection(
            to: file, inPlaceOf: try? FileIdentity(at: file.target, followingLinks: false, bypassingCache: true))
    }

    /// - Parameter entry: what has the name (for a link, the link itself) as seen where the name is given: the path may
    ///   lead elsewhere by then.
    func objection(to file: NewFile, inPlaceOf entry: FileIdentity?) -> Complaint? {
        guard settings.mayMakeSeveral else { return nil }
        let existing = entry?.isSymbolicLink == true ? try? FileIdentity(at: file.target, bypassingCache: true) : entry
        // A new file that exists is about to take the name. It is checked even if nothing has the name: that may be
        // outdated.
        guard let device = (file.identity ?? existing)?.device else { return nil }
        return state.withLock { state in
            if mayBeMade(file, on: device, existing, state) {
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

    /// Whether the existing file may have been made on another device, because its directory is mounted twice.
    ///
    /// Inode numbers and times can't show that: a network file system or a FUSE server may reuse those of a removed
    /// file. But two sources in one directory become files of one name only if their own names differ.
    private func mayBeMade(
        _ file: NewFile, on device: UInt64, _ existing: FileIdentity?, _ state: borrowing State
    ) -> Bool {
        guard let other = state.makers[hash(file.target)], other.device != device else { return false }
        let isFromNamesake = other.source == hash(file.source.operand.path)
        // In a union mount, two files may have the same name.
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
        guard settings.walks, !settings.input.excludes(path), (try? FileIdentity(at: path))?.kind == .file,
            Self.isIn(settings.operands.compactMap(\.real), path)
        else { return }
        throw Complaint(path, "is the input and the output")
    }

    /// Whether a file of this name is read when its directory's turn comes.
    private func isWalked(_ path: FilePath, _ roots: [FilePath]) -> Bool {
        guard !roots.isEmpty, !settings.input.excludes(path) else { return false }
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
