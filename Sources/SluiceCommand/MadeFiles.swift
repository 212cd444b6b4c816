import Dispatch
import Sluice
import Synchronization
import SystemPackage

/// The files that a command made, each with its source: none is replaced by what another source becomes, however their
/// names are spelt. With `--rm` both sources would go, for the content of one.
final class MadeFiles: Sendable {
    private let sources = Mutex<[FileIdentity.Number: FileIdentity.Number]>([:])
    private let turn = DispatchSemaphore(value: 0)

    init() { turn.signal() }

    /// Waits until no other thread is between its look at a name and the replacing of what has it.
    func beginReplacing() { turn.wait() }

    func endReplacing() { turn.signal() }

    /// Takes note of a file that is about to get its name.
    func add(_ file: FileIdentity, from source: FileIdentity) {
        sources.withLock { $0[file.number] = source.number }
    }

    /// The file did not get its name.
    func remove(_ file: FileIdentity) {
        sources.withLock { _ = $0.removeValue(forKey: file.number) }
    }

    /// Whether the file that has the name now, if there is one, may give way to what a source becomes.
    func mayReplace(_ path: FilePath, by source: FileIdentity) -> Bool {
        // Most commands have made nothing yet, and need not look.
        if sources.withLock(\.isEmpty) { return true }
        guard let existing = try? FileIdentity(at: path) else { return true }
        return sources.withLock { sources in sources[existing.number].map { $0 == source.number } ?? true }
    }
}
