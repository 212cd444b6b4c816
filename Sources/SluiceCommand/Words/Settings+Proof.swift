import Sluice
import SystemPackage

/// What proves the content.
extension Settings {
    mutating func take(_ options: ProofOptions) throws(UsageError) {
        guard let name = options.hash else { return }
        guard HashFunction.names.contains(name) else {
            throw UsageError(
                "--hash takes the name of a hash, \(HashFunction.names.joined(separator: ", ")), not \(FilePath(name).printable)"
            )
        }
        if verb is any Transfer { hashName = name } else { warnings.append("--hash is ignored: no data passes") }
    }

    /// Loads what makes the hash, if one is to be made.
    mutating func loadHash() throws(Complaint) {
        guard let hashName else { return }
        do throws(Failure) { hash = try HashFunction(hashName) } catch {
            throw Complaint("--hash: \(error)", hint: "OpenSSL brings it: apt-get install libssl3")
        }
    }
}
