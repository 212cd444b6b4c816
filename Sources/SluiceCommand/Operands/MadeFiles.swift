import Dispatch
import Glibc
import Sluice
import Synchronization
import SystemPackage

/// The files of a command that must not be replaced, however their names are spelt: those that it made, each by its
/// source only, and those that it reads. With `--rm` both sources would go, for the content of one.
final class MadeFiles: Sendable {
    private struct State {
        var sources: [FileIdentity.Number: FileIdentity.Number] = [:]
        /// By the hashes of the last names of the files.
        var makers: [Int: Maker] = [:]
        /// What the operands are; looked up when something is to be replaced for the first time.
        var operands: Set<FileIdentity.Number>?
        /// The folders of operands, by their real names; looked up with the operands.
        var roots: [FilePath] = []
    }

    /// Where the files of one last name were made, and from what; nil stands for several of these.
    private struct Maker: Equatable {
        var device: UInt64?
        /// The hash of the source's last name.
        var source: Int?
    }

    /// The folders that outputs go to, if those are made as they are needed.
    let mirror: MirroredFolders?
    private let operands: [FilePath]
    private let settings: Settings
    /// Whether what was made may be found again, or be replaced. One file makes one. A name that is made from each file
    /// of one folder is another one for each: a million files then take no memory.
    private let isKept: Bool
    /// Whether there are folders among the operands, whose files are done.
    let walks: Bool
    /// Whether operands are what others become, and give way to it: each is done when those before it have their names.
    let isChain: Bool
    private let state = Mutex(State())
    private let turn = DispatchSemaphore(value: 0)
    private let start = FileIdentity.now()

    init(_ operands: [FilePath], _ settings: Settings) {
        self.operands = operands
        self.settings = settings
        walks = settings.walks(operands)
        isChain = settings.isChain(operands)
        isKept =
            operands.count > 1
            || walks
                && (settings.isForced || settings.outputFolder != nil || settings.verb.activity.content != .input)
        mirror = settings.mirror.map { root in
            MirroredFolders(in: root, isForced: settings.isForced, isSynced: settings.isSynced)
        }
        turn.signal()
    }

    /// Runs `name`, which gives a file its name, so that no other source takes that from it.
    ///
    /// - Parameters:
    ///   - file: nil if none of its own is made from one source, such as for standard output.
    ///   - isReplacing: whether `name` may replace a file. No other thread is then between its look at a name and the
    ///     replacing of what has it.
    ///   - name: returns whether the file has its name.
    /// - Returns: the same.
    func naming<Problem>(
        _ file: NewFile?, isReplacing: Bool, _ name: () throws(Problem) -> Bool
    ) throws(Problem) -> Bool {
        let number = isKept ? file?.identity?.number : nil
        if let number { state.withLock { $0.sources[number] = file?.source.number } }
        if isReplacing { turn.wait() }
        defer { if isReplacing { turn.signal() } }
        var hasName = false
        defer { if let number, !hasName { state.withLock { _ = $0.sources.removeValue(forKey: number) } } }
        hasName = try name()
        if hasName, isKept, let file { remember(file) }
        return hasName
    }

    private func remember(_ file: NewFile) {
        let maker = Maker(device: file.identity?.device, source: file.sourcePath.map(hash))
        state.withLock { state in
            guard let other = state.makers.updateValue(maker, forKey: hash(file.target)), other != maker else { return }
            state.makers[hash(file.target)] = Maker(
                device: other.device == maker.device ? maker.device : nil,
                source: other.source == maker.source ? maker.source : nil)
        }
    }

    private func hash(_ path: FilePath) -> Int { path.lastComponent.hashValue }

    /// - Throws: what passes over a file that was found in a folder, and which this run has made.
    func refuseOwn(_ operand: Operand, _ identity: FileIdentity) throws(Complaint) {
        guard isKept, operand.folder != nil, state.withLock({ $0.sources[identity.number] != nil }) else { return }
        var complaint = Complaint(operand.path, "was made just now")
        complaint.isOwn = true
        throw complaint
    }

    /// Why the file that has the name now may not give way; nil if it may, or there is none.
    func objection(to file: NewFile) -> Complaint? {
        guard makesSeveral else { return nil }
        return objection(to: file, inPlaceOf: try? FileIdentity(at: file.target, followingLinks: false, isFresh: true))
    }

    /// One operand makes one file, and whether that is its own source is told where the output is opened.
    private var makesSeveral: Bool { operands.count > 1 || walks }

    /// - Parameter entry: what has the name, or a link itself, as it was seen where the name is given: the path may
    ///   lead elsewhere by then.
    func objection(to file: NewFile, inPlaceOf entry: FileIdentity?) -> Complaint? {
        guard makesSeveral else { return nil }
        let existing = entry?.isSymbolicLink == true ? try? FileIdentity(at: file.target, isFresh: true) : entry
        // Whose own file is there already has asked for the name, which is taken: that nothing is seen may be old news.
        guard let device = (file.identity ?? existing)?.device else { return nil }
        return state.withLock { state in
            if mayBeMade(file, on: device, existing, state) {
                return Complaint(file.target, "may be what was made from another file just now: not replaced")
            }
            guard let existing, !existing.isSameFile(as: file.source) else { return nil }
            if let other = state.sources[existing.number] {
                return other == file.source.number
                    ? nil : Complaint(file.target, "was made from another file just now: not replaced")
            }
            let read = state.operands ?? lookUp(&state)
            let isRead = read.contains(existing.number) && !isChain || isWalked(file.target, state.roots)
            return isRead ? refusalOfInput(file.target) : nil
        }
    }

    private func refusalOfInput(_ path: FilePath) -> Complaint {
        let isLeftOut = settings.verb.activity.content == .input && FileName.isCompressed(path)
        return Complaint(
            path, "is also an input of this run; not replaced",
            hint: isLeftOut ? "--exclude-compressed leaves it out" : "run it once per file, for example in a loop")
    }

    /// Whether what has the name may have been made on another device, where its folder is mounted once more.
    ///
    /// Numbers and times do not tell, for a file system on the network, or a FUSE server, may have kept those of a file
    /// that has gone. But in one folder only sources of different names become files of one name.
    private func mayBeMade(
        _ file: NewFile, on device: UInt64, _ existing: FileIdentity?, _ state: borrowing State
    ) -> Bool {
        guard let other = state.makers[hash(file.target)], other.device != device else { return false }
        let isFromNamesake = other.source != nil && other.source == file.sourcePath.map(hash)
        // Where several folders are mounted as one, namesakes may be two files.
        return !isFromNamesake || existing?.hasChanged(since: start) ?? true
    }

    /// Looks at all the operands that are read.
    private func lookUp(_ state: inout State) -> Set<FileIdentity.Number> {
        if walks { state.roots = operands.compactMap(\.real) }
        let read = operands.lazy.filter { [settings] in !settings.leavesOut($0) }
        let numbers = Set(read.compactMap { Operand.identity(of: $0)?.number })
        state.operands = numbers
        return numbers
    }

    /// Whether there is such a file, in a folder all of whose files are done.
    func isSource(_ path: FilePath) -> Bool {
        Self.isSource(path, among: operands, settings)
    }

    static func isSource(_ path: FilePath, among operands: [FilePath], _ settings: Settings) -> Bool {
        guard settings.walks(operands), !settings.leavesOut(path), (try? FileIdentity(at: path))?.kind == .file
        else { return false }
        return isIn(operands.compactMap(\.real), path)
    }

    /// Whether a file that has this name is read when the turn comes to its folder.
    private func isWalked(_ path: FilePath, _ roots: [FilePath]) -> Bool {
        guard !roots.isEmpty, !settings.leavesOut(path) else { return false }
        return (settings.output != .derived || settings.derivedName(of: path) != nil) && Self.isIn(roots, path)
    }

    private static func isIn(_ roots: [FilePath], _ path: FilePath) -> Bool {
        guard let folder = path.folder.real else { return false }
        return roots.contains(where: folder.starts)
    }
}

extension FilePath {
    /// Its name without links and detours; nil if that can't be told.
    var real: FilePath? {
        let name = withPlatformString { realpath($0, nil) }
        defer { free(name) }
        return name.map { FilePath(platformString: $0) }
    }
}
