import Sluice
import Synchronization

/// A small file that is written but not named yet: it waits to be synced together with others.
final class PendingFile: Sendable {
    let summary: Summary
    /// The file as a candidate for its name; it has no identity if the source was only tested.
    let new: NewFile
    private let output: Mutex<Output?>

    init(_ summary: Summary, from source: SourceFile, _ output: consuming sending Output) {
        self.summary = summary
        new = NewFile(target: output.name, identity: output.isFile ? output.sink?.identity : nil, source: source)
        self.output = Mutex(output)
    }

    /// Gives the file its name.
    ///
    /// - Parameter mayReplace: called with the existing file before it is replaced.
    /// - Returns: whether the file has the name; if not, the data is discarded.
    func publish(mayReplace: (FileIdentity?) -> Bool) throws(Complaint) -> Bool {
        try Complaint.about(
            source: new.target,
            output.withLock { output throws(Failure) in try output.take()?.publish(mayReplace: mayReplace) ?? true })
    }

    /// Removes the file without a name.
    func discard() {
        output.withLock { _ = $0.take() }
    }
}
