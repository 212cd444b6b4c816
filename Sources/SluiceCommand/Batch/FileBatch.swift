internal import CKernel
import Dispatch
import Sluice
import Synchronization
import SystemPackage

/// Many small files at once: each is done as a whole by one of several threads, and all are synced together.
///
/// A file that is not small, or that needs a question answered, is left to `FileRun`.
final class FileBatch: Sendable {
    /// How many of some files are synced together: 1024, or as many as may be open, for those of two batches wait for
    /// their names.
    static func size(for files: Int, workers: Int) -> Int {
        // Each worker has its source and a duplicate; the rest is for channels, folders and what is said about the run.
        let others = 2 * workers + 32
        let wanted = 2 * min(1024, files)
        return max(1, (Int(sluice_allow_open_files(Int32(clamping: wanted + others))) - others) / 2)
    }

    private enum Outcome: Sendable {
        case left
        case pending(PendingFile)
        case failed(Complaint)
    }

    let operands: ArraySlice<FilePath>
    private let run: FileRun
    private let display: ProgressDisplay
    private let systems = FileSystems()
    private let published = DispatchGroup()
    private let state = Mutex<[Result<Summary, Complaint>?]>([])
    private static let queue = DispatchQueue(label: "sluice.publish")

    init(_ operands: ArraySlice<FilePath>, _ run: FileRun, _ display: ProgressDisplay) {
        self.operands = operands
        self.run = run
        self.display = display
    }

    /// Does all the files but for their names, which follow while the caller goes on.
    func write() {
        let outcomes = written()
        Self.queue.async(group: published) { [self] in
            let results = publish(outcomes)
            state.withLock { $0 = results }
        }
    }

    /// What became of each operand, in order, when those that have a file also have its name; nil for those that are
    /// left to `FileRun`.
    var results: [Result<Summary, Complaint>?] {
        published.wait()
        return state.withLock { $0 }
    }

    private func written() -> [Outcome] {
        let outcomes = Mutex<[Outcome]>(operands.map { _ in .left })
        let next = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: min(run.settings.threads, operands.count)) { lane in
            guard let action = run.wholeFileAction,
                var worker = try? WholeFileWorker(action, lane: lane, monitor: run.monitor)
            else { return }
            while run.latch.failure == nil {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < operands.count else { return }
                let outcome = work(operands[operands.startIndex + index], &worker)
                outcomes.withLock { $0[index] = outcome }
            }
        }
        return outcomes.withLock { $0 }
    }

    private func work(_ operand: FilePath, _ worker: inout WholeFileWorker) -> Outcome {
        display.begin(operand)
        do throws(Complaint) {
            guard let file = try run.runWhole(operand, &worker, systems) else { return .left }
            // What waits for no disk is finished at once.
            if !run.settings.isSynced {
                guard try publish(file) else { return .left }
                try removeSource(of: file)
            }
            display.endFile()
            return .pending(file)
        } catch {
            display.endFile()
            return .failed(error)
        }
    }

    /// Everything is on the disk before the first name changes, and the names are before the first source goes.
    private func publish(_ outcomes: [Outcome]) -> [Result<Summary, Complaint>?] {
        let files = outcomes.compactMap { if case .pending(let file) = $0 { file } else { nil } }
        let isWritten = run.settings.verb.operation.hasOutput && run.settings.isSynced
        let folders = Dictionary(files.map { ($0.target.removingLastComponent(), $0.target) }) { first, _ in first }
            .values
        let start = Span.now()
        let stopped = run.latch.failure.map { Complaint($0, source: "", target: "") }
        let unsynced = isWritten && stopped == nil ? Result { () throws(Errno) in try systems.sync() } : .success(())
        var results = outcomes.map { outcome -> Result<Summary, Complaint>? in
            switch outcome {
            case .left: return nil
            case .failed(let complaint): return .failure(complaint)
            case .pending(let file): return publish(file, unless: stopped, unsynced)
            }
        }
        let named = isWritten && stopped == nil ? Self.all(folders, OutputFile.syncFolder) : nil
        if isWritten, !files.isEmpty { run.monitor.record(Span(stage: .sync, start: start, end: Span.now())) }
        for (index, outcome) in outcomes.enumerated() {
            guard case .pending(let file) = outcome, case .success = results[index] else { continue }
            results[index] = finish(file, unless: named)
        }
        return results
    }

    /// - Returns: nil if the file is left to `FileRun`.
    private func publish(
        _ file: PendingFile, unless stopped: Complaint?, _ synced: Result<Void, Errno>
    ) -> Result<Summary, Complaint>? {
        if case .failure(let error) = synced {
            file.discard()
            guard run.mayTake(file.target, from: file.identity) else { return nil }
            let failure = Failure.file(action: "sync", path: file.target, error)
            return .failure(Complaint(failure, source: file.path, target: file.target))
        }
        if let stopped {
            file.discard()
            return .failure(stopped)
        }
        do throws(Complaint) {
            return try publish(file) ? .success(file.summary) : nil
        } catch {
            return .failure(error)
        }
    }

    /// - Returns: whether it got its name.
    private func publish(_ file: PendingFile) throws(Complaint) -> Bool {
        if let made = file.file { run.made.add(made, from: file.identity) }
        if run.settings.isForced { run.made.beginReplacing() }
        defer { if run.settings.isForced { run.made.endReplacing() } }
        var hasName = false
        defer { if !hasName, let made = file.file { run.made.remove(made) } }
        hasName = try file.publish { run.mayTake(file.target, from: file.identity) }
        return hasName
    }

    private func finish(_ file: PendingFile, unless complaint: Complaint?) -> Result<Summary, Complaint> {
        Result { () throws(Complaint) in
            if let complaint { throw complaint }
            if run.settings.isSynced { try removeSource(of: file) }
            return file.summary
        }
    }

    private func removeSource(of file: PendingFile) throws(Complaint) {
        if run.settings.removesSource, file.isKept { try run.removeSource(file.path, file.identity) }
    }

    /// The first complaint, if the call fails for one of the paths.
    private static func all(
        _ paths: some Collection<FilePath>, _ call: (FilePath) throws(Failure) -> Void
    ) -> Complaint? {
        for path in paths {
            do throws(Failure) { try call(path) } catch { return Complaint(error, source: path, target: path) }
        }
        return nil
    }
}
