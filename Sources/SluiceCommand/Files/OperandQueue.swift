import SluiceEngine

/// The operands of a command, one after another: the files that were named, and with `-r` the files in the directories
/// that were named.
///
/// Directories are read when their turn comes, so files ahead take no memory.
final class OperandQueue {
    private var named: ArraySlice<FilePath>
    private let input: InputSettings
    /// Whether a name may mean that -d was forgotten.
    private let mayLackAnOption: Bool
    /// Nil if the operands are only counted.
    private let console: Console?
    private var walk: FolderWalk?
    /// Operands that were put back, and come before all others.
    private var returned: ArraySlice<Operand> = []
    private var handedOut = 0
    private var skipped = 0
    /// Files of directories that were left out.
    private var leftOut = 0
    /// Operands that could not be handed out, which was reported.
    private(set) var failures = 0

    init(_ settings: Settings, _ console: Console?) {
        named = settings.operands[...]
        input = settings.input
        mayLackAnOption = !settings.followsZstd && settings.input.isByDefault
        self.console = console
    }

    /// The number of operands, as far as they are known.
    var count: Int { handedOut + returned.count + failures + named.count }

    /// Returns at most `most` operands; none at the end.
    func next(_ most: Int) -> [Operand] {
        var operands: [Operand] = []
        while operands.count < most, let operand = next() { operands.append(operand) }
        return operands
    }

    /// Returns the operands of the next batch, at most `most`. Batches become smaller near the end, down to 1024, so
    /// that little is left to sync and name when everything is written.
    func nextBatch(_ most: Int) -> [Operand] {
        let ahead = next(2 * most)
        let size = min(most, max(1024, ahead.count / 2))
        putBack(ahead.dropFirst(size))
        return Array(ahead.prefix(size))
    }

    /// Takes back the operands that were handed out last and not processed.
    func putBack(_ operands: ArraySlice<Operand>) {
        returned = operands + returned
        handedOut -= operands.count
    }

    /// Returns the next operand; nil at the end.
    func next() -> Operand? {
        guard let operand = returned.popFirst() ?? found() else { return nil }
        handedOut += 1
        return operand
    }

    /// The next file of the directory that is being walked, or the next one that was named.
    private func found() -> Operand? {
        while true {
            do throws(Complaint) {
                if let operand = try walk?.next() {
                    if input.excludes(operand.path) { continue }
                    if !input.leavesOut(operand.path) { return operand }
                    leftOut += 1
                    continue
                }
                skipped += walk?.skipped ?? 0
                walk = nil
                guard let path = named.popFirst() else { return nil }
                if path.isEmpty { throw Complaint("an empty file name") }
                if input.isRecursive, input.isFolder(path) {
                    walk = try FolderWalk(Operand(path), followsLinks: input.isForced)
                } else if !input.excludes(path) {
                    if mayLackAnOption, FileName.isZstandard(path) {
                        console?.warn(path, "is compressed already: -d decompresses it")
                    }
                    return Operand(path)
                }
            } catch {
                failures += 1
                console?.error(error)
            }
        }
    }

    /// Warns at the end about things that were skipped, or that there were no files.
    func warn() {
        if skipped > 0 {
            let things = skipped == 1 ? "1 symbolic link or special file" : "\(skipped) symbolic links or special files"
            console?.warn("skipped \(things)")
        }
        if leftOut > 0 {
            let reason =
                switch input.leftOut {
                case .none, .compressed: "compressed already"
                case .others: "without a known suffix"
                case .anew: "not in another format that can be read, by their names"
                }
            console?.warn("left out \(leftOut.counted("file")): \(reason)")
        }
        if count == 0, leftOut == 0, input.isRecursive { console?.warn("the named directories contain no files") }
    }
}
