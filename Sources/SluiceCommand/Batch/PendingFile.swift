import Sluice
import Synchronization

/// A small file that is written but not named yet: it waits to be synced together with others.
final class PendingFile: Sendable {
    let summary: Summary
    let source: SourceFile
    /// The name to publish it under.
    let target: FilePath
    /// The new file; nil if the source was only tested.
    let file: FileIdentity?
    private let output: Mutex<Output?>

    init(_ summary: Summary, from source: SourceFile, _ output: consuming sending Output) {
        self.summary = summary
        self.source = source
        target = output.name
        file = output.isFile ? output.sink?.identity : nil
        self.output = Mutex(output)
    }

    /// The file as a candidate for its name.
    var new: NewFile {
        NewFile(target: target, identity: file, source: source.identity, sourcePath: source.operand.path)
    }

    /// Gives the file its name.
    ///
    /// - Parameter mayReplace: called with the existing file before it is replaced.
    /// - Returns: whether the file has the name; if not, the data is discarded.
    func publish(mayReplace: (FileIdentity?) -> Bool) throws(Complaint) -> Bool {
        try Complaint.about(
            source: target,
            output.withLock { output throws(Failure) in try output.take()?.publish(mayReplace: mayReplace) ?? true })
    }

    /// Removes the file without a name.
    func discard() {
        output.withLock { _ = $0.take() }
    }
}
