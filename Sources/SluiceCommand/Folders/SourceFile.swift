import Sluice
import SystemPackage

/// A file that is read: where it is, and what it was when it was opened.
struct SourceFile: Sendable {
    let operand: Operand
    let identity: FileIdentity

    /// Removes it, for its data is safe elsewhere, if it is still the file that was read.
    func remove() throws(Complaint) {
        let path = operand.path
        let current: FileIdentity
        do throws(Errno) { current = try look() } catch {
            throw Complaint(path, "can't remove: \(error.sentence)", hint: "the output is complete")
        }
        var removal = Removal.kept
        if current.isUnchanged(since: identity) {
            do throws(Errno) { removal = try operand.remove { $0.isUnwritten(since: current) } } catch .canceled {
                throw Complaint(.cancelled, source: path, target: path)
            } catch {
                throw Complaint(path, "can't remove: \(error.sentence)")
            }
        }
        switch removal {
        case .removed: return
        case .kept: throw Complaint(path, "changed while it was read: it stays, and so does the output")
        case .keptAs(let name):
            throw Complaint(path, "changed while it was read: it stays as \(name.printable), and so does the output")
        }
    }

    /// What was named may be a link; a file that was found is one in its folder, whatever became of the folder's name.
    private func look() throws(Errno) -> FileIdentity {
        operand.folder == nil
            ? try FileIdentity(at: operand.path, isFresh: true) : try operand.identity(followingLinks: true)
    }
}
