extension Failure.Code {
    /// Zstandard data is wrong, or libzstd has refused a request; the cause is a `CodecFailure`.
    public static let codec = Failure.Code("codec")
    /// Data in a foreign format is wrong; the cause is a `ForeignFailure`.
    public static let foreign = Failure.Code("foreign")
    /// Content that has to be in memory as a whole is too large.
    public static let tooLargeToHold = Failure.Code("too large to hold")
    /// The range that was asked for begins behind the end of the content.
    public static let nothingThere = Failure.Code("nothing there")
    /// A pipe, or a file without frames, can only be read from its start.
    public static let onlyForward = Failure.Code("only forward")
    /// Only a file can be searched for frames.
    public static let noFile = Failure.Code("no file")
    /// An index belongs to another file.
    public static let wrongIndex = Failure.Code("wrong index")
    /// A file is not an index, or is truncated.
    public static let noIndex = Failure.Code("no index")
    /// The content differs from the file that it was compared with.
    public static let contentDiffers = Failure.Code("content differs")
    /// The result of a compression does not decompress to its content.
    public static let unproven = Failure.Code("unproven")
    /// The source changed after it was opened, so that a part of it may not fit the others.
    public static let sourceChanged = Failure.Code("source changed")
    /// Only a file of known size has parts.
    public static let sizeUnknown = Failure.Code("size unknown")
    /// A part would have more frames than its card can list.
    public static let tooManyFramesInPart = Failure.Code("too many frames in part")
    /// A part can't be joined with the others; the cause is a `PartFlaw`.
    public static let part = Failure.Code("part")
    /// Some of the parts are missing.
    public static let missingParts = Failure.Code("missing parts")
    /// A content can't be shared out: it is a single frame, or its frames don't give the size of their content.
    public static let indivisible = Failure.Code("indivisible")
    /// A frame does not give the size of its content, or holds over 1 GiB, so that no seek table can list it.
    public static let unlisted = Failure.Code("unlisted")
    /// A file is several streams, each with a seek table of its own.
    public static let severalStreams = Failure.Code("several streams")
    /// The content can't be hashed.
    public static let hash = Failure.Code("hash")
}

extension Failure {
    package static func codec(_ failure: CodecFailure) -> Failure {
        if failure == .outOfMemory { return .outOfMemory }
        return Failure(.codec, failure.description, offset: failure.offset, cause: failure)
    }

    package static func foreign(_ failure: ForeignFailure) -> Failure {
        if failure == .outOfMemory { return .outOfMemory }
        return Failure(.foreign, failure.description, offset: failure.offset, cause: failure)
    }

    package static func tooLargeToHold(limit: UInt64) -> Failure {
        Failure(.tooLargeToHold, "it has more than the \(limit) bytes that are taken into memory")
    }

    package static func nothingThere(contentSize: UInt64) -> Failure {
        Failure(.nothingThere, "range starts past the end (content is \(contentSize) bytes)", offset: contentSize)
    }

    package static func onlyForward(isFile: Bool) -> Failure {
        let reason = isFile ? "it has no frames that could be found" : "it is no file"
        return Failure(.onlyForward, "\(reason): it is read forward only, and not from its end")
    }

    package static let noFile = Failure(.noFile, "it is no file: frames are looked for back and forth")

    package static func wrongIndex(_ path: FilePath) -> Failure {
        Failure(.wrongIndex, "\(path.printable) is not its index", path: path)
    }

    package static func noIndex(_ path: FilePath) -> Failure {
        Failure(.noIndex, "\(path.printable) is no whole index: it is not replaced by one", path: path)
    }

    package static func contentDiffers(from path: FilePath, at offset: UInt64) -> Failure {
        let sentence = "the content differs from \(path.printable), first at byte \(offset)"
        return Failure(.contentDiffers, sentence, path: path, offset: offset)
    }

    package static func contentEnds(before path: FilePath, at offset: UInt64) -> Failure {
        let sentence = "the content ends at byte \(offset), and \(path.printable) goes on"
        return Failure(.contentDiffers, sentence, path: path, offset: offset)
    }

    package static func contentContinues(after path: FilePath, at offset: UInt64) -> Failure {
        let sentence = "the content goes on at byte \(offset), where \(path.printable) ends"
        return Failure(.contentDiffers, sentence, path: path, offset: offset)
    }

    package static func unproven(contentOffset offset: UInt64) -> Failure {
        let sentence = "what was compressed does not give back the content, from its byte \(offset) on"
        return Failure(.unproven, "verification failed: \(sentence)", offset: offset)
    }

    package static let sourceChanged = Failure(
        .sourceChanged, "it changed while it was read: this part of it may fit no other")

    package static let sizeUnknown = Failure(.sizeUnknown, "it is no file whose size is known: it has no parts")

    package static func tooManyFramesInPart(_ count: Int) -> Failure {
        let sentence = "\(count) frames are too many for a part, which has \(PartCard.mostFrames)"
        return Failure(.tooManyFramesInPart, sentence)
    }

    package static func part(_ flaw: PartFlaw, _ path: FilePath) -> Failure {
        Failure(.part, "\(path.printable): \(flaw)", path: path, cause: flaw)
    }

    package static func missingParts(_ numbers: [Int], of count: Int) -> Failure {
        // The first of them are enough to go on.
        let named = numbers.prefix(10).map(String.init).joined(separator: ", ") + (numbers.count > 10 ? ", ..." : "")
        let sentence =
            numbers.count == 1
            ? "part \(named) of \(count) is missing" : "\(numbers.count) of \(count) parts are missing: \(named)"
        return Failure(.missingParts, sentence)
    }

    package static func indivisible(isSingleFrame: Bool) -> Failure {
        let sentence =
            isSingleFrame
            ? "it is a single frame, which can't be shared out"
            : "its frames do not say how much they hold: it can't be shared out"
        return Failure(.indivisible, sentence)
    }

    package static func unlisted(offset: UInt64) -> Failure {
        let reason = "does not say how much it holds, or holds more than 1 GiB: no seek table tells of it"
        return Failure(.unlisted, "the frame at byte \(offset) \(reason)", offset: offset)
    }

    package static func severalStreams(offset: UInt64) -> Failure {
        let reason = "the seek table at byte \(offset) ends the first of them"
        return Failure(.severalStreams, "it is several files behind each other: \(reason)", offset: offset)
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
