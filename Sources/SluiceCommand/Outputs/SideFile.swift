import Glibc
import Sluice
import Synchronization

/// A file for statistics, a trace or a report, opened before the run begins.
final class SideFile: Page {
    private let name: FilePath
    private let kind: ExportKind
    /// Nil after it was finished or could not be written.
    private let output: Mutex<Output?>
    /// The file that had the name before the run, or the link itself.
    private let replaced: FileIdentity?
    /// Whether an earlier file of this kind is replaced even if it appeared during the run.
    private let replaces: Bool

    /// - Parameters:
    ///   - inputs: files that are read, and must not be overwritten.
    ///   - replaces: whether an earlier file of this kind is replaced even if it appears during the run.
    /// - Throws: why the file can't be written. An existing file is replaced only if it is of this kind, because the
    ///   word after an option with an optional value may be meant as a source.
    init(
        _ path: FilePath, _ kind: ExportKind, inputs: [FileIdentity], replaces: Bool = false, _ settings: Settings
    ) throws(Complaint) {
        (name, self.kind, self.replaces) = (path, kind, replaces)
        replaced = try? FileIdentity(at: path, followingLinks: false)
        let output = try Output(at: path, inputs: inputs, isReplacing: true, settings)
        if output.isFile, replaced != nil, !Self.isEarlier(path, kind, orEmpty: settings.output.isForced) {
            throw Complaint(
                path, "already exists, and is not what \(kind.option) writes: not replaced",
                hint: "\(kind.option) takes the name of a file to write, and took \(path.printable)")
        }
        self.output = Mutex(output)
    }

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
                // An incomplete file gets no name.
                output = nil
                throw Complaint(error, source: name)
            }
        }
    }

    /// Gives the file its name.
    func finish() throws(Complaint) {
        try output.withLock { output throws(Complaint) in
            guard let output = output.take() else { return }
            // The run's own output may have taken the name, and its data is worth more than statistics about it.
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
                    ? Complaint(error, source: name)
                    : Complaint(name, "was created meanwhile: not replaced")
            }
        }
    }
}
