import Glibc
import SluiceEngine
import Synchronization

/// A source, with its identity at the time it was opened.
struct SourceFile: Sendable {
    let operand: Operand
    let identity: FileIdentity

    /// Removes the file if it is unchanged since it was opened; its data is safe in the output. Standard input, and
    /// anything but a regular file, stays.
    ///
    /// - Parameter names: knows other names of the file that this run has removed.
    func remove(_ names: RemovedNames) throws(Complaint) {
        guard !operand.path.isStandardInput, identity.kind == .file else { return }
        let current = try Complaint.about(operand.path, cant: "remove", hint: "the output is complete", look())
        guard current.hasOtherNames || !current.isUnchanged(since: identity) else { return try remove(current, true) }
        try names.remove(from: identity) { (isUnchanged) throws(Complaint) in
            let current = try Complaint.about(operand.path, cant: "remove", hint: "the output is complete", look())
            let file = try? operand.open(isLink: true, O_NONBLOCK)
            defer { try? file?.close() }
            try remove(current, isUnchanged(current))
            // The removal itself has changed the times of what has other names.
            guard let after = file.flatMap({ try? FileIdentity($0) }), after.isUnwritten(since: current) else {
                return nil
            }
            return (current, after)
        }
    }

    private func remove(_ current: FileIdentity, _ isUnchanged: Bool) throws(Complaint) {
        let path = operand.path
        var removal = Removal.kept
        if isUnchanged {
            do throws(Errno) {
                removal = try Removal.of(path, in: operand.folder?.descriptor) { $0.isUnwritten(since: current) }
            } catch .canceled {
                throw Complaint(.cancelled, source: path)
            } catch {
                throw Complaint(path, "can't remove: \(error.sentence)")
            }
        }
        switch removal {
        case .removed: return
        case .kept: throw Complaint(path, "changed while it was read: it and the output are kept")
        case .keptAs(let name):
            throw Complaint(path, "changed while it was read: it is kept as \(name.printable), and so is the output")
        }
    }

    /// A named file may be a link. A file that was found is looked up in its open directory, whatever happened to the
    /// directory's name.
    private func look() throws(Errno) -> FileIdentity {
        operand.folder == nil
            ? try FileIdentity(at: operand.path, bypassingCache: true) : try operand.identity(followingLinks: true)
    }
}

/// The files of which this run has removed names while they had others: each removal changes the times of the file, and
/// nothing else.
final class RemovedNames: Sendable {
    /// Each file before the first removal and after the last one. What was opened in between, perhaps in the middle of
    /// a removal, which renames and then removes, has times in between.
    private let states = Mutex<[FileIdentity.Number: (first: FileIdentity, last: FileIdentity)]>([:])

    /// Calls `remove` to remove a name, one at a time.
    ///
    /// - Parameters:
    ///   - identity: the file, when it was opened.
    ///   - remove: gets what says whether the file is unchanged since; returns its states before and after the removal.
    func remove(
        from identity: FileIdentity,
        _ remove: ((FileIdentity) -> Bool) throws(Complaint) -> (before: FileIdentity, after: FileIdentity)?
    ) throws(Complaint) {
        try states.withLock { states throws(Complaint) in
            let known = states[identity.number]
            let isUnchanged = { (current: FileIdentity) in
                if current.isUnchanged(since: identity) { return true }
                guard let known, current.isUnchanged(since: known.last) else { return false }
                return identity.isUnwritten(since: known.first) && identity.changed(from: known.first, to: known.last)
            }
            guard let (before, after) = try remove(isUnchanged) else { return }
            // What was known before somebody else changed the file counts no more.
            let continued = known.flatMap { before.isUnchanged(since: $0.last) ? $0.first : nil }
            states[identity.number] = (continued ?? before, after)
        }
    }
}

/// A file that is read or written beside the operands, such as a dictionary, a list or statistics.
///
/// Opening an operand may wait for another process, since that is what a FIFO is for. Opening one of these must not.
enum AuxiliaryFile {
    /// How long to wait for the other end of a FIFO: a shell starts both at the same time.
    private static let patience = Duration.seconds(1)

    /// Opens a file to be read to its end.
    ///
    /// - Parameter hint: a hint for the message if that fails.
    /// - Throws: why it can't be opened; or that it is not a regular file, and nothing can be read from it.
    static func open(_ path: FilePath, cant action: String, hint: String? = nil) throws(Complaint) -> FileDescriptor {
        let descriptor = try Complaint.about(
            path, cant: action, hint: hint, Operand(path).open(isLink: true, O_NONBLOCK))
        do throws(Complaint) {
            let kind = try Complaint.about(path, cant: action, hint: hint, FileIdentity(descriptor)).kind
            // The pipe of a process substitution is a descriptor: it has, or had, a writer.
            switch kind {
            case .fifo where !path.isOpenDescriptor && !comes { descriptor.isWritten }:
                throw Complaint(path, "is a FIFO that nobody writes to", hint: hint)
            case .device where !descriptor.isReadable:
                throw Complaint(path, "is a device that has nothing to read", hint: hint)
            default: descriptor.setWaiting()
            }
            return descriptor
        } catch {
            try? descriptor.close()
            throw error
        }
    }

    /// Opens a file to be written in place.
    ///
    /// - Parameter open: called with more flags, perhaps several times.
    /// - Throws: its error; `noSuchAddressOrDevice` for a FIFO without a reader.
    static func openToWrite(_ open: (Int32) throws(Errno) -> FileDescriptor) throws(Errno) -> FileDescriptor {
        var result = Result<FileDescriptor, Errno>.failure(.noSuchAddressOrDevice)
        _ = comes {
            do throws(Errno) { result = .success(try open(O_NONBLOCK)) } catch { result = .failure(error) }
            return result != .failure(.noSuchAddressOrDevice)
        }
        let descriptor = try result.get()
        descriptor.setWaiting()
        return descriptor
    }

    /// Whether the other end of a FIFO is opened in time.
    private static func comes(_ isThere: () -> Bool) -> Bool {
        let end = ContinuousClock.now + patience
        while !isThere() {
            if ContinuousClock.now >= end { return false }
            usleep(10_000)
        }
        return true
    }
}
