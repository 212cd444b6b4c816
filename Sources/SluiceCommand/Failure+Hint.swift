import Sluice
import ZstdCodec

extension Failure {
    /// What a person can do about it, in the words of the command line; nil if there is nothing.
    var hint: String? {
        guard case .codec(let failure) = self else { return nil }
        return switch failure {
        // The largest window that --long takes.
        case .windowTooLarge(let bytes, _, _) where bytes <= 1 << 31:
            "decompress with --long=\(max(10, bytes.ceilingLog2)), or --memory=\(bytes.ceilingMebibytes)MiB"
        case .needsDictionary: "decompress it with zstd -D DICTIONARY"
        case .tooManyFrames: "larger frames, with -B"
        case .legacyFormat: "decompress it with a zstd that was built with support for legacy formats"
        default: nil
        }
    }
}

extension UInt64 {
    fileprivate var ceilingMebibytes: UInt64 { self >> 20 + (self % (1 << 20) == 0 ? 0 : 1) }

    /// The smallest n with 2^n at or above the value; 0 for 0 and 1.
    fileprivate var ceilingLog2: Int { self <= 1 ? 0 : 64 - (self - 1).leadingZeroBitCount }
}
