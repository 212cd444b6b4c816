import Sluice
import SystemPackage

/// What proves the content.
extension Settings {
    mutating func take(
        _ options: ProofOptions, _ paths: [FilePath], _ operands: [FilePath]
    ) throws(UsageError) {
        if let name = options.hash { try takeHash(name) }
        if !options.verify.isEmpty { try takeVerification(options.verify) }
        if let index = options.against { try takeReference(paths[index], operands) }
    }

    private mutating func takeHash(_ name: String) throws(UsageError) {
        guard HashFunction.names.contains(name) else {
            throw UsageError(
                "--hash takes the name of a hash, \(HashFunction.names.joined(separator: ", ")), not \(FilePath(name).printable)"
            )
        }
        if verb is any Transfer { hashName = name } else { warnings.append("--hash is ignored: no data passes") }
    }

    private mutating func takeVerification(_ verified: [Verified]) throws(UsageError) {
        if verb is Join, verified.allSatisfy({ $0 == .frames }) {
            verifiesFrames = true
            return
        }
        guard verb.heeds.contains(.frames), verb is any Transfer else {
            throw UsageError(
                "--verify is for what is compressed",
                hint: "-d and -t verify in any case; -t --against=FILE compares with a file")
        }
        (verifiesFrames, readsBack) = (verified.contains(.frames), verified.contains(.file))
        guard readsBack else { return }
        if !isSynced { throw UsageError("--verify=file reads back from the disk what --no-sync does not bring there") }
        if !compression.hasChecksum {
            throw UsageError("--verify=file goes by the checksums that --no-check leaves out")
        }
    }

    private mutating func takeReference(_ path: FilePath, _ operands: [FilePath]) throws(UsageError) {
        guard verb.heeds.contains(.reference) else {
            throw UsageError("--against is for what is decompressed and not written", hint: "it goes with -t")
        }
        if path == Operand.standardInput {
            throw UsageError("--against takes a file that is named, and not standard input")
        }
        if isRecursive || operands.count > 1 {
            throw UsageError("--against takes one file to compare", hint: "a loop does it with each")
        }
        reference = path
    }

    /// Loads what makes the hash, if one is to be made.
    mutating func loadHash() throws(Complaint) {
        guard let hashName else { return }
        do throws(Failure) { hash = try HashFunction(hashName) } catch {
            throw Complaint("--hash: \(error)", hint: "OpenSSL brings it: apt-get install libssl3")
        }
    }
}
