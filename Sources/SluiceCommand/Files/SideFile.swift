import Glibc
import SluiceEngine
import Synchronization

/// A file for statistics, a trace or a report, opened before the run begins.
final class SideFile: Page {
    private let file: ExportFile
    /// Nil after it was finished or could not be written.
    private let output: Mutex<Output?>
    /// The file that had the name before the run, or the link itself.
    private let replaced: FileIdentity?

    /// - Parameter inputs: files that are read, and must not be overwritten.
    /// - Throws: why the file can't be written. An existing file is replaced only if it is of this kind, because the
    ///   word after an option with an optional value may be meant as a source.
    init(_ file: ExportFile, inputs: [FileIdentity], _ settings: Settings) throws(Complaint) {
        self.file = file
        let path = file.path
        replaced = try? FileIdentity(at: path, followingLinks: false)
        // Unlike the data, an export is not continued or read back, and may go to a terminal.
        var own = settings
        (own.output.resumes, own.verification.readsBack, own.input.isForced) = (false, false, true)
        let output = try Output.named(OutputPlace(path), inputs: inputs, isReplacing: true, waits: false, own)
        if output.isNewFile, replaced != nil, !Self.isEarlier(file, orEmpty: settings.isForced) {
            throw Complaint(
                path, "already exists, and is not what \(file.option) writes: not replaced",
                hint: "\(file.option) names a file to write, here \(path.printable)")
        }
        self.output = Mutex(output)
    }

    /// Whether the file with the name is an earlier one of this kind.
    private static func isEarlier(_ file: ExportFile, orEmpty mayBeEmpty: Bool) -> Bool {
        guard let existing = try? Operand(file.path).open(isLink: true, O_NONBLOCK) else { return false }
        defer { try? existing.close() }
        var opening = [UInt8](repeating: 0, count: file.opening.utf8.count)
        let count = try? existing.fill(&opening, from: 0)
        return count == 0 && mayBeEmpty || opening.elementsEqual(file.opening.utf8)
    }

    func write(_ text: String) throws(Complaint) {
        try output.withLock { output throws(Complaint) in
            do throws(Failure) {
                try output?.write(Array(text.utf8))
            } catch {
                // An incomplete file gets no name.
                output = nil
                throw Complaint(error, source: file.path)
            }
        }
    }

    /// Gives the file its name.
    func finish() throws(Complaint) {
        try output.withLock { output throws(Complaint) in
            guard let output = output.take() else { return }
            // The run's own output may have taken the name, and its data is worth more than statistics about it.
            try output.commit(metadataOf: nil, isSynced: false) { existing in
                guard let existing, replaced?.isSameFile(as: existing) != true,
                    !file.replaces || !Self.isEarlier(file, orEmpty: false)
                else { return nil }
                return .createdMeanwhile(file.path)
            }
        }
    }
}
