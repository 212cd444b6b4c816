import Sluice

/// What is read, with its identity at the time it was opened.
struct SourceFile: Sendable {
    let operand: Operand
    let identity: FileIdentity

    /// Removes the file if it is unchanged since it was opened; its data is safe in the output. Standard input and what
    /// is not a file stay.
    func remove() throws(Complaint) {
        let path = operand.path
        guard path != Operand.standardInput, identity.kind == .file else { return }
        let current = try Complaint.about(path, cant: "remove", hint: "the output is complete", look())
        var removal = Removal.kept
        if current.isUnchanged(since: identity) {
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
            ? try FileIdentity(at: operand.path, isFresh: true) : try operand.identity(followingLinks: true)
    }
}
