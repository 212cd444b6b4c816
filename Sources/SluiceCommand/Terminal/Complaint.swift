import Glibc
import SluiceEngine

/// A message about a file that could not be processed, or a command line that is invalid.
struct Complaint: Error {
    /// How an operand counts that is not processed.
    enum Fate {
        case failed
        /// It is not followed, which is not a failure if there are others.
        case skipped
        /// Not an operand: this run created it, in a directory that it walks.
        case own
    }

    var sentence: String
    /// The sentence without the file that it is about, which complaints about many files have in common. Nil for one
    /// of its own, such as damage: each is to be seen.
    private(set) var kind: String?
    var hint: String?
    /// The library's failure, if that was the cause.
    var failure: Failure?
    /// The input of the failed operation.
    var source: FilePath?
    /// What becomes of the operand.
    var fate = Fate.failed
    /// The exit code, if the process ends because of this.
    var exitCode: Int32 = 1

    init(_ sentence: String, hint: String? = nil) {
        self.sentence = sentence
        self.hint = hint
    }

    init(_ path: FilePath, _ sentence: String, hint: String? = nil) {
        self.init("\(path.printable): \(sentence)", hint: hint)
        kind = sentence
    }

    /// - Parameters:
    ///   - source: the name of the input, to which most failures belong.
    ///   - target: the name of the output; nil if it is the same.
    init(_ failure: Failure, source: FilePath, target: FilePath? = nil) {
        sentence =
            switch failure.code {
            case .remote where failure.path != nil, .remoteChanged where failure.path != nil: "\(failure)"
            case .notFound where failure.path == nil: "\(source.printable): \(failure)"
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

    /// A failure that belongs to no single file.
    static func general(_ failure: Failure) -> Complaint { Complaint(failure, source: "", target: "") }

    /// A complaint about an invalid command line.
    static func usage(_ sentence: String, hint: String? = nil) -> Complaint {
        Complaint(sentence, hint: hint)
    }

    static func createdMeanwhile(_ path: FilePath) -> Complaint {
        Complaint(path, "was created meanwhile: not replaced")
    }

    /// Returns the value of `body`; throws its error as a complaint about the path.
    ///
    /// - Parameter action: a verb, such as "open" or "read the list".
    static func about<Result>(
        _ path: FilePath, cant action: String, hint: String? = nil, _ body: @autoclosure () throws(Errno) -> Result
    ) throws(Complaint) -> Result {
        do throws(Errno) { return try body() } catch {
            throw Complaint(path, "can't \(action): \(error.sentence)", hint: hint)
        }
    }

    /// Throws an error of `body` as a complaint about standard output.
    static func aboutPrinting<Result>(_ body: @autoclosure () throws(Errno) -> Result) throws(Complaint) {
        _ = try about("standard output", cant: "write", body())
    }

    /// Returns the value of `body`; throws its failure as a complaint about the source or the target.
    static func about<Result: ~Copyable>(
        source: FilePath, target: FilePath? = nil, _ body: @autoclosure () throws(Failure) -> Result
    ) throws(Complaint) -> Result {
        do throws(Failure) { return try body() } catch { throw Complaint(error, source: source, target: target) }
    }
}

/// Why something needs a file: its server has no ranges.
struct NeedsFile: Error {
    /// What makes one.
    let hint: String
}

extension Failure {
    /// What to do about the failure, in terms of the command line; nil for nothing.
    var hint: String? {
        if let hint = codecFailure?.hint ?? (cause as? ForeignFailure)?.hint { return hint }
        if let flaw = cause as? PartFlaw, flaw == .otherBytes { return "make that part again" }
        if let needs = cause as? NeedsFile { return needs.hint }
        if (cause as? RemoteStatus)?.code == 401 {
            return "~/.netrc may have a name and a password, and --http-header=@FILE a token"
        }
        return switch code {
        case .remote where errno == .permissionDenied: "--no-sandbox allows other ports"
        case .notSeekable where self == .onlyForward(isFile: false): "name a regular file, or use sluice -d | tail -c"
        case .notSeekable: "sluice -d decompresses all of it, for example for tail -c"
        case .lineTooLong: "a larger --frame-size makes room for it"
        case .wrongIndex: "-f replaces it"
        case .notAnIndex: "name another file, or remove this one first"
        case .indivisible: "sluice -d without --part decompresses it"
        case .unlisted, .severalStreams: "sluice -dc OLD | sluice -o NEW makes a file that can grow"
        case .sharedLeftover:
            "\(path?.printable ?? "it") must belong to you, with mode 0600 and one link; remove it if unneeded"
        case .otherSource: "-f starts over"
        // A container mounts single files: rename can't replace what is mounted.
        case .file where errno == .resourceBusy:
            path.map { "if it is a mount point, -c > \($0.quoted) writes into the mounted file" }
        case .outOfThreads: "-T1 needs the fewest; ulimit -u and ulimit -v show limits"
        default: nil
        }
    }

    /// Whether the input is damaged or unreadable.
    var isOfDamage: Bool {
        switch codecFailure {
        case .truncated, .trailingBytes, .missingSeekTable, .damagedSeekTable, .corrupt: true
        default: self == .reading(.ioError)
        }
    }
}

extension CodecFailure {
    fileprivate var hint: String? {
        switch self {
        case .windowTooLarge(let bytes, _, _):
            CompressionOptions.windowLog(for: bytes).map { log in
                "decompress with --long=\(log), or --memory=\(bytes.ceilingMebibytes)MiB"
            }
        case .needsDictionary: "name the dictionary with -D FILE"
        case .damagedDictionary: "-D takes a trained dictionary, or content that resembles the files"
        case .tooLargeForReference: "split both, as with split -b 1G, and make a patch of each part"
        case .tooManyFrames: "use larger frames, with -B"
        case .trailingZeros: zerosHint
        case .legacyFormat: "decompress it with a zstd that was built with support for legacy formats"
        default: nil
        }
    }
}

extension ForeignFailure {
    fileprivate var hint: String? {
        switch self {
        case .needsMemory(_, let bytes, _, _): "decompress with --memory=\(bytes.ceilingMebibytes)MiB"
        case .notListed: "sluice -t verifies it and shows its size"
        case .trailingZeros: zerosHint
        default: nil
        }
    }
}

/// Tapes and GNU tar's blocking leave zeros; so does a file system that lost the end of a file.
private let zerosHint = "if nothing is missing there, --ignore-zeros accepts them"
