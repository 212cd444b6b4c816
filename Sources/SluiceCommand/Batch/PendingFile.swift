import Sluice
import Synchronization

/// A small file that is written but not named yet: it waits to be synced together with others. Without a name it is
/// removed with the last reference.
final class PendingFile: Sendable {
    let summary: Summary
    let new: NewFile
    private let file: Mutex<OutputFile?>

    init(_ summary: Summary, _ new: NewFile, _ file: consuming OutputFile) {
        self.summary = summary
        self.new = new
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
