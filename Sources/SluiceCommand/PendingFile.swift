import Sluice
import Synchronization
import SystemPackage

/// A small file that is written and has not got its name yet: it waits to be synced together with others.
final class PendingFile: Sendable {
    let summary: Summary
    /// The source, to be removed if that was asked for.
    let path: FilePath
    let identity: FileIdentity
    /// The name that it gets.
    let target: FilePath
    /// Whether the data is in a file of its own; otherwise it was tested, or went into a FIFO or a device.
    let isKept: Bool
    private let output: Mutex<Output?>

    init(_ summary: Summary, path: FilePath, identity: FileIdentity, _ output: consuming sending Output) {
        self.summary = summary
        self.path = path
        self.identity = identity
        target = output.name
        isKept = output.isFile
        self.output = Mutex(output)
    }

    /// Gives the file its name.
    ///
    /// - Parameter isReplacing: whether it may take the name from another file.
    /// - Returns: false, with the data thrown away, if what has the name asks for more care than that.
    func publish(isReplacing: Bool) throws(Complaint) -> Bool {
        let result = output.withLock { output -> Result<Bool, Failure> in
            guard var output = output.take() else { return .success(true) }
            do throws(Failure) {
                if try output.claimName() { return .success(true) }
                guard isReplacing, let existing = try? FileIdentity(at: target, followingLinks: false),
                    existing.kind == .file, !existing.isSameFile(as: identity)
                else { return .success(false) }
                try output.publish()
                return .success(true)
            } catch {
                return .failure(error)
            }
        }
        return try Complaint.about(source: target, target: target, result.get)
    }

    /// Removes the file without a name.
    func discard() {
        output.withLock { _ = $0.take() }
    }
}
