import Dispatch
import Glibc
import Sluice
import Synchronization
import SystemPackage

/// The files of a command that must not be replaced, however their names are spelt: those that it made, each by its source
/// only, and those that it reads. With `--rm` both sources would go, for the content of one.
final class MadeFiles: Sendable {
    private struct State {
        var sources: [FileIdentity.Number: FileIdentity.Number] = [:]
        /// What the operands are; looked up when something is to be replaced for the first time.
        var operands: Set<FileIdentity.Number>?
        /// The folders of operands, by their real names; looked up with the operands.
        var roots: [FilePath] = []
    }

    /// The folders that outputs go to, if those are made as they are needed.
    let mirror: MirroredFolders?
    private let operands: [FilePath]
    private let settings: Settings
    /// Whether what was made may be found again, or be replaced. A name that is made from each file of one folder is
    /// another one for each: a million files then take no memory.
    private let isKept: Bool
    /// Whether there are folders among the operands, whose files are done.
    let walks: Bool
    private let state = Mutex(State())
    private let turn = DispatchSemaphore(value: 0)
    private let start = FileIdentity.now()

    init(_ operands: [FilePath], _ settings: Settings) {
        self.operands = operands
        self.settings = settings
        walks = OperandQueue.walks(operands, settings)
        isKept =
            !walks || operands.count > 1 || settings.isForced || settings.outputFolder != nil
            || settings.verb.operation != .compress
        mirror = MirroredFolders(settings)
        turn.signal()
    }

    /// Runs `name`, which gives a file its name, so that no other source takes that from it.
    ///
    /// - Parameters:
    ///   - file: nil if there is none, such as for standard output.
    ///   - source: what it was made from, if that is one.
    ///   - isReplacing: whether `name` may replace a file. No other thread is then between its look at a name and the
    ///     replacing of what has it.
    ///   - name: returns whether the file has its name.
    /// - Returns: the same.
    func naming<Problem>(
        _ file: FileIdentity?, from source: FileIdentity?, isReplacing: Bool, _ name: () throws(Problem) -> Bool
    ) throws(Problem) -> Bool {
        if isKept, let file, let source { state.withLock { $0.sources[file.number] = source.number } }
        if isReplacing { turn.wait() }
        defer { if isReplacing { turn.signal() } }
        var hasName = false
        defer { if isKept, !hasName, let file { state.withLock { _ = $0.sources.removeValue(forKey: file.number) } } }
        hasName = try name()
        return hasName
    }

    /// - Throws: what passes over a file that was found in a folder, and which this run has made.
    func refuseOwn(_ operand: Operand, _ identity: FileIdentity) throws(Complaint) {
        guard isKept, operand.folder != nil, state.withLock({ $0.sources[identity.number] != nil }) else { return }
        var complaint = Complaint(operand.path, "was made just now")
        complaint.isOwn = true
        throw complaint
    }

    /// Why the file that has the name now may not give way to what a source becomes; nil if it may, or there is none.
    func objection(to path: FilePath, by source: FileIdentity) -> String? {
        // One operand makes one file, and whether that is its own source is told where the output is opened.
        guard operands.count > 1 || walks, let existing = try? FileIdentity(at: path, isFresh: true),
            !existing.isSameFile(as: source)
        else { return nil }
        return state.withLock { state in
            if let other = state.sources[existing.number] {
                return other == source.number ? nil : "was made from another file just now: not replaced"
            }
            let read = state.operands ?? lookUp(&state)
            if read.contains(existing.number) || isIn(state.roots, path) {
                return "is another file that is read: not replaced"
            }
            // On another device it may be one of them all the same: a folder may be mounted twice (FUSE).
            let isElsewhere = state.sources.keys.contains { !$0.isOnSameDevice(as: existing) }
            return isElsewhere && existing.hasChanged(since: start) ? "has changed meanwhile: not replaced" : nil
        }
    }

    /// Looks at all the operands.
    private func lookUp(_ state: inout State) -> Set<FileIdentity.Number> {
        if walks { state.roots = operands.compactMap(\.real) }
        let numbers = Set(operands.compactMap { Input.identity(of: $0)?.number })
        state.operands = numbers
        return numbers
    }

    /// Whether a file is read when the turn comes to its folder.
    func isWalked(_ path: FilePath) -> Bool { isIn(walks ? operands.compactMap(\.real) : [], path) }

    private func isIn(_ roots: [FilePath], _ path: FilePath) -> Bool {
        guard !roots.isEmpty, !settings.leavesOut(path),
            settings.output != .derived || settings.derivedName(of: path) != nil,
            let folder = path.folder.real
        else { return false }
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
