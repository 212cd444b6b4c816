import CStart
import Glibc
import Sluice
import Synchronization
import SystemPackage

/// Ends the process when the system refuses what Dispatch can't do without: it would wait for a thread for ever, or
/// crash without a word.
enum Shortage {
    private static let quietness = Atomic(0)

    /// From now on such an end leaves nothing behind, and is told in one sentence unless the command is to say nothing.
    static func prepare(quietness: Int) {
        self.quietness.store(quietness, ordering: .releasing)
        sluice_on_shortage { Shortage.end($0, $1) }
    }

    /// Called on any thread: nothing here belongs to the main actor, whose code checks that it runs there.
    private static func end(_ action: UnsafePointer<CChar>?, _ error: Int32) {
        TemporaryFiles.removeAllForGood()
        StandardDescriptors.restore()
        let words = action.map { String(cString: $0) } ?? "go on"
        Console(quietness: quietness.load(ordering: .acquiring)).error(
            "can't \(words): \(Errno(rawValue: error).sentence)",
            hint: error == EMFILE
                ? "ulimit -n shows how many files may be open"
                : words == "start a thread" ? Failure.outOfThreads(Errno(rawValue: error)).hint : nil)
        _exit(1)
    }
}
