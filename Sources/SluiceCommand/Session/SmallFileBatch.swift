import Dispatch
import SluiceEngine
import Synchronization

/// Processes many small files: each is handled as a whole by one of several threads, and all are synced together.
///
/// Files that are not small, or that need a question answered, are left to `FileRun`.
final class SmallFileBatch: Sendable {
    /// Returns the number of files in a batch.
    ///
    /// A batch has 4096 files, or fewer if this process may not open enough: its files and their directories stay open
    /// until the files have their names, and two batches overlap, because one waits for the disk while the next is
    /// written. Each batch ends with a sync, and with workers that wait for the last one: a few large batches take less
    /// time than many.
    ///
    /// - Parameter files: the number of files; nil if it is unknown, because directories are walked. Then the directory
    ///   of each source may stay open too.
    static func size(for files: Int?, workers: Int) -> Int {
        // Each worker needs its source and a duplicate; the rest is for channels, directories and exports.
        let others = 2 * workers + 32
        let each = files == nil ? 6 : 4
        let wanted = each * min(most, files ?? most)
        return max(1, (allowOpenFiles(wanted + others) - others) / each)
    }

    private static let most = 4096

    /// The state of an operand.
    enum Outcome: Sendable {
        /// Needs a `FileRun`.
        case left
        case pending(PendingFile)
        case done(Summary)
        case failed(Complaint)
        /// Failed for a reason that is reported with another operand.
        case failedAlike
    }

    let operands: [Operand]
    private let run: SmallFileRun
    private let latch: FailureLatch
    private let display: ProgressDisplay
    private let disk: any Disk
    private let byteLimit: UInt64
    private let published = DispatchGroup()
    private let state: Mutex<[Outcome]>
    private static let queue = DispatchQueue(label: "sluice.publish")

    /// - Parameter byteLimit: bytes written before a batch ends. It bounds what waits for the disk, and what an
    ///   interruption throws away.
    init(
        _ operands: [Operand], _ run: SmallFileRun, _ latch: FailureLatch, _ display: ProgressDisplay,
        disk: any Disk = FileSystems(), byteLimit: UInt64 = 256 << 20
    ) {
        self.operands = operands
        self.run = run
        self.latch = latch
        self.display = display
        self.disk = disk
        self.byteLimit = byteLimit
        state = Mutex<[Outcome]>(operands.map { _ in .left })
    }

    /// Processes the files, except for their names, which follow in the background.
    ///
    /// - Returns: how many were processed, from the first: fewer than all if they are large.
    func write() -> Int {
        let next = Atomic(0)
        let bytes = Atomic<UInt64>(0)
        let threads = SpareThreads()
        runLanes(min(run.lanes, operands.count)) { [self] lane in
            threads.didStart()
            guard var worker = try? WholeFileWorker(run.operation, lane: lane, monitor: run.monitor) else { return }
            worker.hash = run.settings.verification.hash
            while latch.failure == nil, bytes.load(ordering: .relaxed) < byteLimit {
                if lane > 0, threads.givesWay() { return }
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < operands.count else { return }
                let outcome = work(operands[index], &worker)
                bytes.add(UInt64(outcome.file?.summary.bytesOut ?? 0), ordering: .relaxed)
                state.withLock { $0[index] = outcome }
            }
        }
        threads.didEnd()
        let isFull = bytes.load(ordering: .relaxed) >= byteLimit
        let done = isFull ? min(next.load(ordering: .relaxed), operands.count) : operands.count
        Self.queue.async(group: published) { [self] in
            var outcomes = state.withLock { Array($0.prefix(done)) }
            publish(&outcomes)
            state.withLock { $0 = outcomes }
        }
        return done
    }

    /// The outcome of each processed operand, in order, after all files have their names: none is pending.
    var outcomes: [Outcome] {
        published.wait()
        return state.withLock { $0 }
    }

    private func work(_ operand: Operand, _ worker: inout WholeFileWorker) -> Outcome {
        display.begin(operand.path)
        do throws(Complaint) {
            let outcome = try run.write(operand, &worker, disk)
            guard let file = outcome.file else {
                if case .done = outcome { display.endFile() }
                return outcome
            }
            // Files that are not synced are finished at once.
            if !run.isSynced, try !run.giveName(to: file) { return .left }
            let done = run.isSynced ? outcome : try finished(file)
            display.endFile()
            return done
        } catch {
            display.endFile()
            return .failed(error)
        }
    }

    /// Syncs the content before the first name changes, and the names before the first source is removed.
    private func publish(_ outcomes: inout [Outcome]) {
        if let failure = latch.failure {
            return advance(&outcomes) { _ throws(Complaint) in throw Complaint.general(failure) }
        }
        guard outcomes.contains(where: { $0.file != nil }) else { return }
        let start = StageSpan.now()
        sync(&outcomes)
        advance(&outcomes) { file throws(Complaint) in try run.giveName(to: file) ? .pending(file) : .left }
        syncFolders(&outcomes)
        run.monitor.record(StageSpan(stage: .sync, start: start))
        advance(&outcomes, finished)
    }

    /// A file whose content is not on the disk gets no name.
    private func sync(_ outcomes: inout [Outcome]) {
        for (device, failure) in disk.sync() {
            let unsynced = outcomes.indices.filter { outcomes[$0].file?.new.identity?.device == device }
            for index in unsynced {
                // `FileRun` may find a better reason.
                if let file = outcomes[index].file, !run.mayTake(file.new) { outcomes[index] = .left }
            }
            fail(unsynced.filter { outcomes[$0].file != nil }, failure, of: &outcomes) { "\($0) not created" }
        }
    }

    /// A file whose name may not be on the disk keeps its source.
    private func syncFolders(_ outcomes: inout [Outcome]) {
        let named = outcomes.indices.filter { outcomes[$0].file != nil }
        let folders = Dictionary(grouping: named) { index -> AnyHashable in
            let file = outcomes[index].file
            return file?.folder.number.map { AnyHashable($0) } ?? AnyHashable(file?.new.target.folder)
        }
        for files in folders.values {
            guard let file = outcomes[files[0]].file else { continue }
            do throws(Failure) { try disk.sync(file.folder, of: file.new.target) } catch {
                fail(files, error, of: &outcomes) { "\($0) may not be on disk yet" }
            }
        }
    }

    /// Removes the source with `--rm`, since the file is safe under its name.
    private func finished(_ file: PendingFile) throws(Complaint) -> Outcome {
        if run.settings.output.isRemovalAsked { try file.new.source.remove(run.protected.removedNames) }
        return .done(file.summary)
    }

    /// Advances each pending file by one step.
    private func advance(_ outcomes: inout [Outcome], _ step: (PendingFile) throws(Complaint) -> Outcome) {
        for index in outcomes.indices {
            guard let file = outcomes[index].file else { continue }
            do throws(Complaint) { outcomes[index] = try step(file) } catch { outcomes[index] = .failed(error) }
        }
    }

    /// Reports a failure of several files once, with the first of them.
    private func fail(
        _ files: [Int], _ failure: Failure, of outcomes: inout [Outcome], consequence: (String) -> String
    ) {
        for index in files { outcomes[index] = .failedAlike }
        guard let first = files.first else { return }
        var complaint = Complaint.general(failure)
        complaint.sentence += "; " + consequence(files.count.counted("file"))
        outcomes[first] = .failed(complaint)
    }
}

extension SmallFileBatch.Outcome {
    fileprivate var file: PendingFile? { if case .pending(let file) = self { file } else { nil } }
}

/// Syncs the files of a batch; `FileSystems`, except in tests.
protocol Disk: Sendable {
    /// Notes a file that will be written, and returns whether `sync` will sync it.
    func willWrite(to path: FilePath, in folder: OpenFolder, on device: UInt64) throws(Failure) -> Bool
    /// Waits until the content of all those files is on the disk; returns the failures by device.
    func sync() -> [UInt64: Failure]
    /// Waits until the names in the directory of a file are on the disk.
    func sync(_ folder: OpenFolder, of path: FilePath) throws(Failure)
}

extension FileSystems: Disk {
    func sync(_ folder: OpenFolder, of path: FilePath) throws(Failure) { try folder.sync(for: path) }
}

/// A small file that is written but not named yet: it waits to be synced together with others. Without a name it is
/// removed with the last reference.
final class PendingFile: Sendable {
    let summary: Summary
    let new: NewFile
    /// The directory that it is in.
    let folder: OpenFolder
    private let file: Mutex<OutputFile?>

    init(_ summary: Summary, _ new: NewFile, _ file: consuming OutputFile) {
        self.summary = summary
        self.new = new
        folder = file.folder
        self.file = Mutex(file)
    }

    /// Gives the file its name.
    ///
    /// - Parameter mayReplace: called with the existing file before it is replaced.
    /// - Returns: whether the file has the name; if not, the data is discarded.
    func publish(mayReplace: (FileIdentity?) -> Bool) throws(Complaint) -> Bool {
        try Complaint.about(
            source: new.target,
            file.withLock { file throws(Failure) in try file.take()?.publish(mayReplace: mayReplace) ?? true })
    }
}
