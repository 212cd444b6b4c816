import Dispatch
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
    }

    private let operands: [FilePath]
    private let state = Mutex(State())
    private let turn = DispatchSemaphore(value: 0)
    private let start = FileIdentity.now()

    init(_ operands: [FilePath]) {
        self.operands = operands
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
        if let file, let source { state.withLock { $0.sources[file.number] = source.number } }
        if isReplacing { turn.wait() }
        defer { if isReplacing { turn.signal() } }
        var hasName = false
        defer { if !hasName, let file { state.withLock { _ = $0.sources.removeValue(forKey: file.number) } } }
        hasName = try name()
        return hasName
    }

    /// Why the file that has the name now may not give way to what a source becomes; nil if it may, or there is none.
    func objection(to path: FilePath, by source: FileIdentity) -> String? {
        // One operand makes one file, and whether that is its own source is told where the output is opened.
        guard operands.count > 1, let existing = try? FileIdentity(at: path, isFresh: true),
            !existing.isSameFile(as: source)
        else { return nil }
        return state.withLock { state in
            if let other = state.sources[existing.number] {
                return other == source.number ? nil : "was made from another file just now: not replaced"
            }
            let read = state.operands ?? Set(operands.compactMap { Input.identity(of: $0)?.number })
            state.operands = read
            if read.contains(existing.number) { return "is another file that is read: not replaced" }
            // On another device it may be one of them all the same: a folder may be mounted twice (FUSE).
            let isElsewhere = state.sources.keys.contains { !$0.isOnSameDevice(as: existing) }
            return isElsewhere && existing.hasChanged(since: start) ? "has changed meanwhile: not replaced" : nil
        }
    }
}
