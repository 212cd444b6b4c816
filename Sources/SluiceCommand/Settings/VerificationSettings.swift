import Sluice

/// How content is verified.
struct VerificationSettings: Sendable {
    /// Whether each worker decompresses and compares the frames it made.
    var verifiesFrames = false
    /// Whether the finished file is read back from the disk before it gets its name.
    var readsBack = false
    /// The file to compare the content with.
    var reference: FilePath?
    /// The name of the hash to compute, if any, and its function once loaded.
    var hashName: String?
    var hash: HashFunction?

    /// Loads the hash function, if one was asked for.
    mutating func loadHash() throws(Complaint) {
        guard let hashName else { return }
        do throws(Failure) { hash = try HashFunction(hashName) } catch {
            throw Complaint("--hash: \(error)", hint: "it is part of OpenSSL: apt-get install libssl3")
        }
    }
}
