import Glibc
import Sluice

/// Why a file could not be processed, or the command line makes no sense, as a message.
struct Complaint: Error {
    var sentence: String
    var hint: String?
    /// The library's failure, if that was the cause.
    var failure: Failure?
    /// The input of the failed operation.
    var source: FilePath?
    /// Whether the operand is skipped, which is no failure if there are others.
    var isSkipped = false
    /// Whether the file is not an operand: this run created it, in a directory that it walks.
    var isOwn = false
    /// The exit code, if the process ends because of this.
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
    ///   - target: the name of the output; nil if it is the same.
    init(_ failure: Failure, source: FilePath, target: FilePath? = nil) {
        sentence =
            switch failure.code {
            case .file, .fileExists, .notFound, .missingDirectory, .sharedLeftover, .part, .missingParts, .isBeingMade:
                "\(failure)"
            case .unsupportedFormat where failure.codecFailure == .notZstandard:
                "\(source.printable): not in a supported format (zstd, gzip, xz, lzma, lz4)"
            case .writing: "\((target ?? source).printable): \(failure)"
            default: "\(source.printable): \(failure)"
            }
        hint = failure.hint
        self.failure = failure
        self.source = source
    }

    /// A command line that makes no sense.
    static func usage(_ sentence: String, hint: String? = nil) -> Complaint {
        Complaint(sentence, hint: hint ?? "sluice --help lists the options")
    }

    static func createdMeanwhile(_ path: FilePath) -> Complaint {
        Complaint(path, "was created meanwhile: not replaced")
    }

    /// The value of a call, whose error is thrown as a complaint about the path.
    ///
    /// - Parameter action: a verb, such as "open" or "read the list".
    static func about<Result>(
        _ path: FilePath, cant action: String, hint: String? = nil, _ body: @autoclosure () throws(Errno) -> Result
    ) throws(Complaint) -> Result {
        do throws(Errno) { return try body() } catch {
            throw Complaint(path, "can't \(action): \(error.sentence)", hint: hint)
        }
    }

    /// The same about what is printed on standard output.
    static func aboutPrinting<Result>(_ body: @autoclosure () throws(Errno) -> Result) throws(Complaint) {
        _ = try about("standard output", cant: "write", body())
    }

    /// The value of a call, whose failure is thrown as a complaint about the source or the target.
    static func about<Result: ~Copyable>(
        source: FilePath, target: FilePath? = nil, _ body: @autoclosure () throws(Failure) -> Result
    ) throws(Complaint) -> Result {
        do throws(Failure) { return try body() } catch { throw Complaint(error, source: source, target: target) }
    }
}
