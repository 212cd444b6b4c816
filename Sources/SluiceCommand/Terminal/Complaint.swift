import Sluice
import SystemPackage

/// Why a file could not be done, as it is told to a person.
struct Complaint: Error {
    var sentence: String
    var hint: String?
    /// What went wrong in the library, if that was it.
    var failure: Failure?
    /// What was read when it did.
    var source: FilePath?
    /// Whether the operand is passed over, which is no failure where there are others.
    var isSkipped = false
    /// Whether it is no operand at all: a file that this run has made, and found in a folder.
    var isOwn = false
    /// What the process ends with, if it ends for this.
    var exitCode: Int32 = 1

    init(_ sentence: String, hint: String? = nil) {
        self.sentence = sentence
        self.hint = hint
    }

    init(_ path: FilePath, _ sentence: String, hint: String? = nil) {
        self.init("\(path.printable): \(sentence)", hint: hint)
    }

    /// - Parameters:
    ///   - source: the name of the input, to which most failures belong.
    ///   - target: the name of the output.
    init(_ failure: Failure, source: FilePath, target: FilePath) {
        sentence =
            switch failure.code {
            case .file, .missingFolder, .sharedLeftover, .part, .missingParts, .isBeingMade: "\(failure)"
            case .codec where failure.codecFailure == .notZstandard:
                "\(source.printable): not in a supported format (zstd, gzip, xz, lzma, lz4)"
            case .writing: "\(target.printable): \(failure)"
            default: "\(source.printable): \(failure)"
            }
        hint = failure.hint
        self.failure = failure
        self.source = source
    }

    /// The result of `body`; a failure becomes a complaint about the source or the target.
    static func about<Result: ~Copyable>(
        source: FilePath, target: FilePath, _ body: () throws(Failure) -> Result
    ) throws(Complaint) -> Result {
        do throws(Failure) { return try body() } catch { throw Complaint(error, source: source, target: target) }
    }
}
