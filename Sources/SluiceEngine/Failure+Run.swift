extension Failure.Code {
    /// The input ends before its last frame does, or is empty.
    public static let truncated = Failure.Code("truncated")
    /// The input contradicts its format, a checksum or an index.
    public static let corrupt = Failure.Code("corrupt")
    /// The format of the input, or its variant of a format, can't be decoded.
    public static let unsupportedFormat = Failure.Code("unsupported format")
    /// A frame needs a dictionary that was not given, or a dictionary is damaged.
    public static let dictionary = Failure.Code("dictionary")
    /// A frame needs more memory than it may take: `Decompression.windowLimit`.
    public static let windowTooLarge = Failure.Code("window too large")
    /// An option is out of libzstd's bounds, or the samples of a training are too few.
    public static let invalidOption = Failure.Code("invalid option")
    /// The content has another size than was announced, or too many frames for a seek table.
    public static let wrongSize = Failure.Code("wrong size")
    /// libzstd has refused a request for another reason, which is in the message.
    public static let codec = Failure.Code("codec")
    /// The result is larger than the memory for it, or than the limit.
    public static let tooLarge = Failure.Code("too large")
    /// The range that was asked for begins after the end of the content.
    public static let outOfRange = Failure.Code("out of range")
    /// A pipe, or a file without frames, can only be read from its start.
    public static let notSeekable = Failure.Code("not seekable")
    /// An index belongs to another file.
    public static let wrongIndex = Failure.Code("wrong index")
    /// A file is not an index, or is truncated.
    public static let notAnIndex = Failure.Code("not an index")
    /// The result of a compression does not decompress to its content.
    public static let verification = Failure.Code("verification")
    /// A line makes a frame too large that has to end at a line end: `Compression.Framing.lines(end:)`.
    public static let lineTooLong = Failure.Code("line too long")
    /// The content can't be hashed.
    public static let hash = Failure.Code("hash")
    /// Only a file can be searched for frames.
    package static let noFile = Failure.Code("no file")
    /// The content differs from the file that it was compared with.
    package static let contentDiffers = Failure.Code("content differs")
    /// The source changed after it was opened, so that a part of it may not fit the others.
    package static let sourceChanged = Failure.Code("source changed")
    /// Only a file of known size has parts.
    package static let sizeUnknown = Failure.Code("size unknown")
    /// A part would have more frames than its trailer can list.
    package static let tooManyFramesInPart = Failure.Code("too many frames in part")
    /// A part can't be joined with the others; the cause is a `PartFlaw`.
    package static let part = Failure.Code("part")
    /// Some of the parts are missing.
    package static let missingParts = Failure.Code("missing parts")
    /// Content can't be split into parts: it is a single frame, or its frames don't state their content size.
    package static let indivisible = Failure.Code("indivisible")
    /// A frame doesn't state its content size, or holds over 1 GiB, so that no seek table can list it.
    package static let unlisted = Failure.Code("unlisted")
    /// A file has no parity, or has rotted.
    package static let parity = Failure.Code("parity")
    /// A file is several streams, each with its own seek table.
    package static let severalStreams = Failure.Code("several streams")
}

extension CodecFailure {
    fileprivate var code: Failure.Code {
        switch self {
        case .empty, .truncated: .truncated
        case .notZstandard, .legacyFormat: .unsupportedFormat
        case .trailingBytes, .trailingZeros, .missingSeekTable, .damagedSeekTable, .corrupt: .corrupt
        case .needsDictionary, .damagedDictionary: .dictionary
        case .windowTooLarge: .windowTooLarge
        case .parameter, .training, .tooLargeForReference: .invalidOption
        case .contentSizeMismatch, .tooManyFrames: .wrongSize
        case .outOfMemory: .outOfMemory
        case .library: .codec
        }
    }
}

extension ForeignFailure {
    fileprivate var code: Failure.Code {
        switch self {
        case .notRead, .notListed, .notRecovered, .unsupported: .unsupportedFormat
        case .truncated: .truncated
        case .corrupt, .trailingBytes, .trailingZeros: .corrupt
        case .needsMemory: .windowTooLarge
        case .outOfMemory: .outOfMemory
        }
    }
}

extension Failure {
    package static func codec(_ failure: CodecFailure) -> Failure {
        if failure == .outOfMemory { return .outOfMemory }
        return Failure(failure.code, failure.description, offset: failure.offset, cause: failure)
    }

    package static func foreign(_ failure: ForeignFailure) -> Failure {
        if failure == .outOfMemory { return .outOfMemory }
        return Failure(failure.code, failure.description, offset: failure.offset, cause: failure)
    }

    package static func tooLargeToHold(limit: UInt64) -> Failure {
        Failure(.tooLarge, "it is larger than \(limit) bytes, the limit of what is kept in memory")
    }

    /// - Parameter room: bytes that are free.
    static func noRoom(_ room: Int) -> Failure {
        Failure(.tooLarge, "the result does not fit in \(room) bytes")
    }

    package static func nothingThere(contentSize: UInt64) -> Failure {
        Failure(.outOfRange, "range is outside the content (\(contentSize.counted("byte")))", offset: contentSize)
    }

    /// - Parameter most: bytes that may be held.
    static func tooManyHeld(most: UInt64) -> Failure {
        let reason = "the last bytes of it don't fit into the \(most.counted("byte")) of memory that they may take"
        return Failure(.notSeekable, "\(reason): it can only be read forward")
    }

    package static func onlyForward(isFile: Bool) -> Failure {
        let reason = isFile ? "its frames can't be located" : "it is not a regular file"
        return Failure(.notSeekable, "\(reason): it can only be read forward")
    }

    static let unplacedEnd = Failure(
        .notSeekable, "its frames do not state the size of their content: where its last bytes begin is not known")

    package static let noFile = Failure(.noFile, "it is not a regular file: frames are found by seeking")

    package static func wrongIndex(_ path: FilePath) -> Failure {
        Failure(.wrongIndex, "\(path.printable) is not its index", path: path)
    }

    package static func noIndex(_ path: FilePath) -> Failure {
        Failure(.notAnIndex, "\(path.printable) is not a valid index file: it will not be overwritten", path: path)
    }

    package static func contentDiffers(from path: FilePath, at offset: UInt64) -> Failure {
        let sentence = "the content differs from \(path.printable), first at byte \(offset)"
        return Failure(.contentDiffers, sentence, path: path, offset: offset)
    }

    package static func contentEnds(before path: FilePath, at offset: UInt64) -> Failure {
        let sentence = "the content ends at byte \(offset), before \(path.printable) does"
        return Failure(.contentDiffers, sentence, path: path, offset: offset)
    }

    package static func contentContinues(after path: FilePath, at offset: UInt64) -> Failure {
        let sentence = "\(path.printable) ends at byte \(offset), before the content does"
        return Failure(.contentDiffers, sentence, path: path, offset: offset)
    }

    package static func unproven(contentOffset offset: UInt64) -> Failure {
        let sentence = "the compressed data does not decompress to the source, from byte \(offset) on"
        return Failure(.verification, "verification failed: \(sentence)", offset: offset)
    }

    package static let sourceChanged = Failure(
        .sourceChanged, "it changed while it was read: this part may not match the others")

    package static let sizeUnknown = Failure(
        .sizeUnknown, "it is not a regular file of known size: it can't be split into parts")

    /// - Parameter place: the largest frame that could begin there, without the end of a line.
    static func lineTooLong(in place: Range<UInt64>) -> Failure {
        let sentence = "a line is too long for frames of whole lines: none ends before byte \(place.upperBound)"
        return Failure(.lineTooLong, sentence, offset: place.lowerBound)
    }

    package static func tooManyFramesInPart(_ count: Int) -> Failure {
        let sentence = "a part can't have \(count) frames: the limit is \(PartTrailer.mostFrames)"
        return Failure(.tooManyFramesInPart, sentence)
    }

    package static func part(_ flaw: PartFlaw, _ path: FilePath) -> Failure {
        Failure(.part, "\(path.printable): \(flaw)", path: path, cause: flaw)
    }

    package static func missingParts(_ numbers: [Int], of count: Int) -> Failure {
        // The first ten are enough to act on.
        let named = numbers.prefix(10).map(String.init).joined(separator: ", ") + (numbers.count > 10 ? ", ..." : "")
        let sentence =
            numbers.count == 1
            ? "part \(named) of \(count) is missing" : "\(numbers.count) of \(count) parts are missing: \(named)"
        return Failure(.missingParts, sentence)
    }

    package static func indivisible(isSingleFrame: Bool) -> Failure {
        let sentence =
            isSingleFrame
            ? "it is a single frame, which can't be split into parts"
            : "its frames do not state the size of their content: it can't be split into parts"
        return Failure(.indivisible, sentence)
    }

    package static func unlisted(offset: UInt64) -> Failure {
        let reason = "does not state the size of its content, or holds more than 1 GiB: a seek table can't list it"
        return Failure(.unlisted, "the frame at byte \(offset) \(reason)", offset: offset)
    }

    package static func severalStreams(_ reason: String, offset: UInt64) -> Failure {
        Failure(.severalStreams, "it is several concatenated files: \(reason)", offset: offset)
    }

    package static func hash(_ words: String) -> Failure { Failure(.hash, words) }
}

extension Failure {
    package var codecFailure: CodecFailure? { cause as? CodecFailure }
}

/// Converts failures of the codec to those of the library.
func codec<Result: ~Copyable>(_ body: @autoclosure () throws(CodecFailure) -> Result) throws(Failure) -> Result {
    do throws(CodecFailure) { return try body() } catch { throw .codec(error) }
}

/// Converts failures of the codecs of other formats.
func foreign<Result: ~Copyable>(_ body: @autoclosure () throws(ForeignFailure) -> Result) throws(Failure) -> Result {
    do throws(ForeignFailure) { return try body() } catch { throw .foreign(error) }
}

/// Why a part can't be joined with the others; the description says what each case means.
package enum PartFlaw: Error, Equatable {
    case noTrailer
    case otherSize(expected: UInt64, actual: UInt64)
    case contradiction
    case otherFrame(offset: UInt64)
    case otherBytes
    case changed
    case unlike(FilePath, Difference)
    case double(PartNumber, FilePath)

    /// The difference between two parts that can't be joined, as a clause before "than" and the other part.
    package enum Difference: String, Sendable {
        case count = "it belongs to a different number of parts"
        case source = "it is from a different file or version"
        case level = "it has a different level"
        case frameSize = "it has a different frame size"
        case options = "it was made with different options"
        case library = "it was made by a different version of libzstd"
    }
}

extension PartFlaw: CustomStringConvertible {
    /// What is wrong, as a clause after the name of the part.
    package var description: String {
        switch self {
        case .noTrailer: "it is not a part of a file, or is truncated"
        case .otherSize(let expected, let actual):
            "its part trailer lists \(expected) bytes of frames, but there are \(actual)"
        case .contradiction: "its part trailer contradicts itself"
        case .otherFrame(let offset): "the frame at byte \(offset) does not match its part trailer"
        case .otherBytes: "its frames have changed since it was made: their checksum differs"
        case .changed: "it changed while it was joined"
        case .unlike(let other, let difference): "\(difference.rawValue) than \(other.printable)"
        case .double(let share, let other): "it is \(share), and so is \(other.printable)"
        }
    }
}
