import Sluice
import SystemPackage

/// What a command does, one operand after another: what was named, and with `-r` the files in a folder instead of it.
///
/// Folders are read when their turn comes: what is not handed out yet takes no memory.
final class OperandQueue {
    private var named: ArraySlice<FilePath>
    private let settings: Settings
    /// Nil when operands are only counted.
    private let console: Console?
    private var walk: FolderWalk?
    /// What was handed out and comes again, before all else.
    private var returned: ArraySlice<Operand> = []
    private var handedOut = 0
    private var leftOut = 0
    /// How many could not be handed out, and why was said.
    private(set) var failures = 0

    init(_ operands: [FilePath], _ settings: Settings, _ console: Console?) {
        named = operands[...]
        self.settings = settings
        self.console = console
    }

    /// How many there are, as far as they are known.
    var count: Int { handedOut + returned.count + failures + named.count }

    /// The next ones, so many at most; none at the end.
    func next(_ most: Int) -> [Operand] {
        var operands: [Operand] = []
        while operands.count < most, let operand = next() { operands.append(operand) }
        return operands
    }

    /// The next ones that are done together: so many at most, and fewer each time when the end is near, so that little
    /// is left to be synced and named when all is written; but at least 1024, if there are.
    func nextBatch(_ most: Int) -> [Operand] {
        let ahead = next(2 * most)
        let size = min(most, max(1024, ahead.count / 2))
        putBack(ahead.dropFirst(size))
        return Array(ahead.prefix(size))
    }

    /// Takes back what was handed out last and not done.
    func putBack(_ operands: ArraySlice<Operand>) {
        returned = operands + returned
        handedOut -= operands.count
    }

    /// The next one; nil at the end.
    func next() -> Operand? {
        if let operand = returned.popFirst() {
            handedOut += 1
            return operand
        }
        while true {
            if let operand = found() {
                if settings.leavesOut(operand.path) { continue }
                handedOut += 1
                return operand
            }
            guard let path = named.popFirst() else { return nil }
            if path.isEmpty {
                fail(Complaint("an empty file name"))
            } else if settings.input.isRecursive, settings.isFolder(path) {
                enter(path)
            } else if !settings.leavesOut(path) {
                handedOut += 1
                return Operand(path)
            }
        }
    }

    private func enter(_ path: FilePath) {
        do throws(Complaint) {
            walk = try FolderWalk(Operand(path), followsLinks: settings.isForced)
        } catch {
            fail(error)
        }
    }

    /// The next file of the folder that is walked.
    private func found() -> Operand? {
        while walk != nil {
            do throws(Complaint) {
                if let operand = try walk?.next() { return operand }
                leftOut += walk?.leftOut ?? 0
                walk = nil
            } catch {
                fail(error)
            }
        }
        return nil
    }

    private func fail(_ complaint: Complaint) {
        failures += 1
        console?.error(complaint.sentence, hint: complaint.hint)
    }

    /// Says at the end what is no file, or that there was none.
    func warn() {
        if leftOut > 0 {
            let things = leftOut == 1 ? "1 symbolic link or other thing" : "\(leftOut) symbolic links or other things"
            console?.warn("\(things) that \(leftOut == 1 ? "is" : "are") no file left out")
        }
        if count == 0, settings.input.isRecursive { console?.warn("the named directories contain no files") }
    }
}
