import CStart
import Glibc
import SluiceEngine
import Synchronization

/// Ends the process when the system refuses resources that Dispatch needs: Dispatch would wait forever for a thread, or
/// crash without a message.
enum ResourceShortage {
    private static let quietness = Atomic(0)
    private static let program = Mutex("sluice")

    /// From now on such an end leaves no temporary files, and is reported unless the command is silent.
    ///
    /// - Parameter program: the name that begins the message.
    static func prepare(quietness: Int, program: String) {
        self.program.withLock { $0 = program }
        self.quietness.store(quietness, ordering: .releasing)
        sluice_on_shortage { ResourceShortage.end($0, $1) }
    }

    /// Called on any thread: nothing here may belong to the main actor, whose code checks its thread.
    private static func end(_ action: UnsafePointer<CChar>?, _ error: Int32) {
        TemporaryFiles.removeAllForGood()
        StandardDescriptors.restore()
        let words = action.map { String(cString: $0) } ?? "continue"
        let program = program.withLock { $0 }
        Console(quietness: quietness.load(ordering: .acquiring), program: program).error(
            "can't \(words): \(Errno(rawValue: error).sentence)",
            hint: error == EMFILE
                ? "ulimit -n shows how many files may be open"
                : words == "start a thread" ? Failure.outOfThreads(Errno(rawValue: error)).hint : nil)
        _exit(1)
    }
}
