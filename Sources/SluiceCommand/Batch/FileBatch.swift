import Dispatch
import Sluice
import Synchronization
import SystemPackage

/// Many small files at once: each is done as a whole by one of several threads, and all are synced together.
///
/// A file that is not small, or that needs a question answered, is left to `FileRun`.
final class FileBatch: Sendable {
    /// How many of so many files make a batch.
    ///
    /// Files of a batch stay open until they have their names, and those of two batches are open at once, for the one
    /// waits for the disk while the next is written: a batch has 4096, or half as many as this process may open. Each
    /// ends with a sync, and with workers that wait for the last one: a few large batches take less time than many.
    ///
    /// - Parameter files: nil if that is not known: then they are in folders, each perhaps in one that is open for it.
    static func size(for files: Int?, workers: Int) -> Int {
        // Each worker has its source and a duplicate; the rest is for channels, folders and what is said about the run.
        let others = 2 * workers + 32
        let each = files == nil ? 6 : 4
        let wanted = each * min(most, files ?? most)
        return max(1, (allowOpenFiles(wanted + others) - others) / each)
    }

    private static let most = 4096

    /// What became of an operand so far.
    enum Outcome: Sendable {
        /// It takes a `FileRun`.
        case left
        case pending(PendingFile)
        case done(Summary)
        case failed(Complaint)
        /// What keeps it from being done is told of another operand.
        case failedAlike
    }

    let operands: [Operand]
    private let run: SmallFileRun
    private let latch: FailureLatch
    private let display: ProgressDisplay
    private let disk: any Disk
    private let byteLimit: UInt64
    private let published = DispatchGroup()
    private let state = Mutex<[Outcome]>([])
    private static let queue = DispatchQueue(label: "sluice.publish")

    /// - Parameter byteLimit: bytes that are written before a batch ends: what waits for the disk, and what an
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
    }

    /// Does files but for their names, which follow while the caller goes on.
    ///
    /// - Returns: how many, from the first: fewer than all if they are large.
    func write() -> Int {
        let written = written()
        Self.queue.async(group: published) { [self] in
            var outcomes = written
            publish(&outcomes)
            state.withLock { $0 = outcomes }
        }
        return written.count
    }

    /// What became of each operand that was done, in order, when those that have a file also have its name: nothing is
    /// pending.
    var outcomes: [Outcome] {
        published.wait()
        return state.withLock { $0 }
    }

    private func written() -> [Outcome] {
        let outcomes = Mutex<[Outcome]>(operands.map { _ in .left })
        let next = Atomic(0)
        let bytes = Atomic<UInt64>(0)
        runLanes(min(run.lanes, operands.count)) { [self] lane in
            guard var worker = try? WholeFileWorker(run.action, lane: lane, monitor: run.monitor) else { return }
            worker.hash = run.settings.hash
            while latch.failure == nil, bytes.load(ordering: .relaxed) < byteLimit {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < operands.count else { return }
                let outcome = work(operands[index], &worker)
                bytes.add(outcome.file?.summary.bytesOut ?? 0, ordering: .relaxed)
                outcomes.withLock { $0[index] = outcome }
            }
        }
        let isFull = bytes.load(ordering: .relaxed) >= byteLimit
        let done = isFull ? min(next.load(ordering: .relaxed), operands.count) : operands.count
        return outcomes.withLock { Array($0.prefix(done)) }
    }

    private func work(_ operand: Operand, _ worker: inout WholeFileWorker) -> Outcome {
        display.begin(operand.path)
        do throws(Complaint) {
            guard let file = try run.write(operand, &worker, disk) else { return .left }
            // What waits for no disk is finished at once.
            if !run.isSynced, try !run.name(file) { return .left }
            display.endFile()
            return run.isSynced ? .pending(file) : try finished(file)
        } catch {
            display.endFile()
            return .failed(error)
        }
    }

    /// Everything is on the disk before the first name changes, and the names are before the first source goes.
    private func publish(_ outcomes: inout [Outcome]) {
        if let failure = latch.failure {
            return advance(&outcomes) { file throws(Complaint) in
                file.discard()
                throw Complaint(failure, source: "", target: "")
            }
        }
        guard outcomes.contains(where: { $0.file != nil }) else { return }
        let start = Span.now()
        sync(&outcomes)
        advance(&outcomes) { file throws(Complaint) in try run.name(file) ? .pending(file) : .left }
        syncFolders(&outcomes)
        run.monitor.record(Span(stage: .sync, start: start, end: Span.now()))
        advance(&outcomes, finished)
    }

    /// What is not on the disk gets no name.
    private func sync(_ outcomes: inout [Outcome]) {
        for (device, failure) in disk.sync() {
            let unsynced = outcomes.indices.filter { outcomes[$0].file?.file?.device == device }
            for index in unsynced {
                guard let file = outcomes[index].file else { continue }
                file.discard()
                // Who looks first has another answer.
                if !run.mayTake(file.new) { outcomes[index] = .left }
            }
            fail(unsynced.filter { outcomes[$0].file != nil }, failure, of: &outcomes) { "\($0) not made" }
        }
    }

    /// Whose name may not be on the disk keeps its source.
    private func syncFolders(_ outcomes: inout [Outcome]) {
        let named = outcomes.indices.filter { outcomes[$0].file != nil }
        let folders = Dictionary(grouping: named) { outcomes[$0].file?.target.folder }
        for files in folders.values {
            guard let path = outcomes[files[0]].file?.target else { continue }
            do throws(Failure) { try disk.syncFolder(of: path) } catch {
                fail(files, error, of: &outcomes) { "\($0) not safe there yet" }
            }
        }
    }

    private func finished(_ file: PendingFile) throws(Complaint) -> Outcome {
        try run.removeSource(of: file)
        return .done(file.summary)
    }

    /// Takes a step with each file that is pending.
    private func advance(_ outcomes: inout [Outcome], _ step: (PendingFile) throws(Complaint) -> Outcome) {
        for index in outcomes.indices {
            guard let file = outcomes[index].file else { continue }
            do throws(Complaint) { outcomes[index] = try step(file) } catch { outcomes[index] = .failed(error) }
        }
    }

    /// What failed for several files at once is told once, with the first of them.
    private func fail(
        _ files: [Int], _ failure: Failure, of outcomes: inout [Outcome], consequence: (String) -> String
    ) {
        for index in files { outcomes[index] = .failedAlike }
        guard let first = files.first else { return }
        var complaint = Complaint(failure, source: "", target: "")
        complaint.sentence += "; " + consequence(files.count == 1 ? "1 file is" : "\(files.count) files are")
        outcomes[first] = .failed(complaint)
    }
}

extension FileBatch.Outcome {
    /// The file that is pending.
    fileprivate var file: PendingFile? { if case .pending(let file) = self { file } else { nil } }
}
