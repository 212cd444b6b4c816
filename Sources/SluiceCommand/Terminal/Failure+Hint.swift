import ForeignCodec
import Sluice
import ZstdCodec

extension Failure {
    /// What a person can do about it, in the words of the command line; nil if there is nothing.
    var hint: String? {
        switch self {
        case .codec(let failure): failure.hint
        case .foreign(let failure): failure.hint
        case .onlyForward: "name a regular file, or use sluice -d | tail -c"
        case .wrongIndex: "-f replaces it"
        case .noIndex: "name another file, or remove this one first"
        case .indivisible: "sluice -d without --part decompresses it"
        case .part(.noLabel, let path), .part(.otherSource, let path), .part(.otherCount, let path):
            "to start over: rm \(path.printable)*"
        case .part(.otherBytes, _): "make that part again"
        case .part(.otherMark(let share), _): "--part=\(share.number)/\(share.count) makes it again"
        case .unlisted, .severalStreams: "sluice -dc OLD | sluice -o NEW makes a file that can grow"
        case .file("go on with", let path, .notPermitted):
            "\(path.printable) must belong to you, with mode 0600 and one name; remove it if it is not needed"
        case .otherSource: "-f starts over"
        default: nil
        }
    }
}

extension Failure {
    /// Whether it says that what was read is damaged, or can't be read.
    var isOfDamage: Bool {
        switch self {
        case .codec(.truncated), .codec(.trailingBytes), .codec(.missingSeekTable), .codec(.damagedSeekTable),
            .codec(.corrupt), .reading(.ioError):
            true
        default: false
        }
    }
}

extension CodecFailure {
    fileprivate var hint: String? {
        switch self {
        // The largest window that --long takes.
        case .windowTooLarge(let bytes, _, _) where bytes <= 1 << 31:
            "decompress with --long=\(max(10, bytes.ceilingLog2)), or --memory=\(bytes.ceilingMebibytes)MiB"
        case .needsDictionary: "name the dictionary with -D FILE"
        case .damagedDictionary: "-D takes a trained dictionary, or content that resembles the files"
        case .tooLargeForReference: "split both, as with split -b 1G, and make a patch of each part"
        case .tooManyFrames: "use larger frames, with -B"
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
