import Sluice

extension Failure {
    /// What to do about the failure, in terms of the command line; nil for nothing.
    var hint: String? {
        if let hint = codecFailure?.hint ?? (cause as? ForeignFailure)?.hint { return hint }
        if let flaw = cause as? PartFlaw, flaw == .otherBytes { return "make that part again" }
        return switch code {
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
