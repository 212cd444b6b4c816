import Glibc
import Sluice
import SystemPackage

/// A file that is read: its name, and what it was when it was opened.
struct SourceFile: Sendable {
    let path: FilePath
    let identity: FileIdentity

    /// Removes it, for its data is safe elsewhere, if it is still the file that was read.
    func remove() throws(Complaint) {
        let current: FileIdentity
        do throws(Errno) { current = try FileIdentity(at: path, isFresh: true) } catch {
            throw Complaint(path, "can't remove: \(error.sentence)", hint: "the output is complete")
        }
        guard current.isUnchanged(since: identity) else {
            throw Complaint(path, "changed while it was read: it stays, and so does the output")
        }
        do throws(Errno) { try systemCall { path.withPlatformString { unlink($0) } } } catch {
            throw Complaint(path, "can't remove: \(error.sentence)")
        }
    }
}
