import ForeignCodec
import Sluice
import SystemPackage
import ZstdCodec

extension Failure {
    /// What a person can do about it, in the words of the command line; nil if there is nothing.
    var hint: String? {
        if let hint = codecFailure?.hint ?? (cause as? ForeignFailure)?.hint { return hint }
        if let path, let flaw = cause as? PartFlaw { return flaw.hint(for: path) }
        return switch code {
        case .onlyForward: "name a file of frames; or tail -c takes the end of what sluice -d writes"
        case .wrongIndex: "-f makes it anew"
        case .noIndex: "name another file, or remove this one first"
        case .indivisible: "sluice -d without --part decompresses it"
        case .unlisted, .severalStreams: "sluice -dc OLD | sluice -o NEW makes frames of it that can be added to"
        case .sharedLeftover:
            "\(path?.printable ?? "it") has to be yours alone, with mode 0600 and one name; remove it if it is not needed"
        case .otherSource: "-f makes anew what differs"
        case .outOfThreads: "-T1 takes the fewest; ulimit -u and ulimit -v show limits"
        default: nil
        }
    }
}

extension Failure {
    /// Whether it says that what was read is damaged, or can't be read.
    var isOfDamage: Bool {
        switch codecFailure {
        case .truncated, .trailingBytes, .missingSeekTable, .damagedSeekTable, .corrupt: true
        default: self == .reading(.ioError)
        }
    }
}

extension PartFlaw {
    fileprivate func hint(for path: FilePath) -> String? {
        switch self {
        case .noLabel, .otherSource, .otherCount: "rm \(path.printable)* begins anew"
        case .otherBytes: "make that part anew"
        case .otherMark(let share): "--part=\(share.number)/\(share.count) makes it anew"
        default: nil
        }
    }
}

extension CodecFailure {
    fileprivate var hint: String? {
        switch self {
        // The largest window that --long takes.
        case .windowTooLarge(let bytes, _, _) where bytes <= 1 << 31:
            "decompress with --long=\(max(10, bytes.ceilingLog2)), or --memory=\(bytes.ceilingMebibytes)MiB"
        case .needsDictionary: "-D FILE names the dictionary"
        case .damagedDictionary: "-D takes what --train makes, or content that is like that of the files"
        case .tooLargeForReference: "split both, as with split -b 1G, and make a patch of each part"
        case .tooManyFrames: "larger frames, with -B"
        case .legacyFormat: "decompress it with a zstd that was built with support for legacy formats"
        default: nil
        }
    }
}

extension ForeignFailure {
    fileprivate var hint: String? {
        switch self {
        case .needsMemory(_, let bytes, _, _): "decompress with --memory=\(bytes.ceilingMebibytes)MiB"
        case .notListed: "sluice -t tells whether it is whole, and how much it holds"
        default: nil
        }
    }
}

extension UInt64 {
    fileprivate var ceilingMebibytes: UInt64 { self >> 20 + (self % (1 << 20) == 0 ? 0 : 1) }
}
