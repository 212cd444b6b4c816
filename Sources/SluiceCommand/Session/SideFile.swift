import Sluice
import Synchronization
import SystemPackage

/// A file for what is said about a run: statistics, a report, a trace. It is opened before the run begins.
final class SideFile: Page {
    private let name: FilePath
    /// None after it was finished, or could not be written.
    private let output: Mutex<Output?>
    /// The file that had the name before the run.
    private let replaced: FileIdentity?

    /// Whether a file of that name gives way, whenever it came.
    private let replaces: Bool

    /// - Parameters:
    ///   - inputs: what is read, and must not be written.
    ///   - replaces: whether a file of that name gives way without a word.
    /// - Throws: why the file can't be written, while there is still time to say it.
    init(
        _ path: FilePath, inputs: [FileIdentity], replaces: Bool = false, _ settings: Settings, _ console: Console
    ) throws(Complaint) {
        (name, self.replaces) = (path, replaces)
        replaced = try? FileIdentity(at: path)
        let output = try Output(
            at: path, inputs: inputs, isReplacing: settings.isForced || replaces, settings, console: console)
        self.output = Mutex(output)
    }

    func write(_ text: String) throws(Complaint) {
        try output.withLock { output throws(Complaint) in
            do throws(Failure) {
                try output?.write(Array(text.utf8))
            } catch {
                // What is not whole gets no name.
                output = nil
                throw Complaint(error, source: name, target: name)
            }
        }
    }

    /// Gives the file its name.
    func finish() throws(Complaint) {
        try output.withLock { output throws(Complaint) in
            guard let output = output.take() else { return }
            // The run's own output may have the name by now; the data is worth more than what is said about it.
            let isFree =
                replaces || (try? FileIdentity(at: name)).map { replaced?.isSameFile(as: $0) ?? false } ?? true
            guard !output.isFile || isFree else { throw Complaint(name, "was created meanwhile: not replaced") }
            do throws(Failure) {
                try output.commit(metadataOf: nil, isSynced: false)
            } catch {
                throw Complaint(error, source: name, target: name)
            }
        }
    }
}
