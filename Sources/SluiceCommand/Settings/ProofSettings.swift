import Sluice
import SystemPackage

/// What proves that the content is what it should be.
struct ProofSettings: Sendable {
    /// Whether each frame is decompressed and compared by the worker that made it.
    var verifiesFrames = false
    /// Whether the finished file is read back from the disk before it has its name.
    var readsBack = false
    /// The file that the content is compared with.
    var reference: FilePath?
    /// The name of the hash that is made of the content, if one is, and what makes it.
    var hashName: String?
    var hash: HashFunction?

    /// Loads what makes the hash, if one is to be made.
    mutating func loadHash() throws(Complaint) {
        guard let hashName else { return }
        do throws(Failure) { hash = try HashFunction(hashName) } catch {
            throw Complaint("--hash: \(error)", hint: "OpenSSL brings it: apt-get install libssl3")
        }
    }
}
