import Glibc
import Sluice
import Synchronization
import SystemPackage

/// A file for what is said about a run: statistics, a report, a trace. It is opened before the run begins.
final class SideFile: Page {
    private let name: FilePath
    private let kind: ExportKind
    /// None after it was finished, or could not be written.
    private let output: Mutex<Output?>
    /// The file that had the name before the run, or a link itself.
    private let replaced: FileIdentity?
    /// Whether an earlier one gives way, whenever it came.
    private let replaces: Bool

    /// - Parameters:
    ///   - inputs: what is read, and must not be written.
    ///   - replaces: whether an earlier file gives way that appears under the name while the run goes on.
    /// - Throws: why the file can't be written, while there is still time to say it. What has the name gives way only
    /// if
    ///   it is an earlier one of its kind: people who expect an optional value after the option name a source there.
    init(
        _ path: FilePath, _ kind: ExportKind, inputs: [FileIdentity], replaces: Bool = false, _ settings: Settings,
        _ console: Console
    ) throws(Complaint) {
        (name, self.kind, self.replaces) = (path, kind, replaces)
        replaced = try? FileIdentity(at: path, followingLinks: false)
        let output = try Output(at: path, inputs: inputs, isReplacing: true, settings, console: console)
        if output.isFile, replaced != nil, !Self.isEarlier(path, kind, orEmpty: settings.isForced) {
            throw Complaint(
                path, "already exists, and is not what \(kind.option) writes: not replaced",
                hint: "\(kind.option) takes the name of a file to write, and took \(path.printable)")
        }
        self.output = Mutex(output)
    }

    /// Whether there is such a file already.
    private static func isEarlier(_ path: FilePath, _ kind: ExportKind, orEmpty mayBeEmpty: Bool) -> Bool {
        guard let file = try? Operand(path).open(isLink: true, O_NONBLOCK) else { return false }
        defer { try? file.close() }
        var opening = [UInt8](repeating: 0, count: kind.opening.utf8.count)
        let count = try? file.fill(&opening, from: 0)
        return count == 0 && mayBeEmpty || opening.elementsEqual(kind.opening.utf8)
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
            var isFree = true
            do throws(Failure) {
                try output.commit(metadataOf: nil, isSynced: false) { existing in
                    isFree =
                        existing.map {
                            replaced?.isSameFile(as: $0) ?? false
                                || replaces && Self.isEarlier(name, kind, orEmpty: false)
                        } ?? true
                    return isFree
                }
            } catch {
                throw isFree
                    ? Complaint(error, source: name, target: name)
                    : Complaint(name, "was created meanwhile: not replaced")
            }
        }
    }
}
