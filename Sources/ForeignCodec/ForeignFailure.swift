/// The reason why data in a foreign format could not be decoded. Offsets count compressed bytes from the start of the
/// input.
package enum ForeignFailure: Error, Equatable {
    /// The format is recognised, but can't be decoded.
    case notRead(ForeignFormat)
    /// The format can be decoded, but does not have frames to list.
    case notListed(ForeignFormat)
    /// The format can be decoded, but does not have frames that can be found in a damaged file.
    case notRecovered(ForeignFormat)
    /// The input ends before the data does; `offset` is the end of the input.
    case truncated(ForeignFormat, offset: UInt64)
    /// The data contradicts its format or its checksum; `reason` says how, and `offset` is where the member starts.
    case corrupt(ForeignFormat, reason: String, offset: UInt64)
    /// The data needs `bytes` of memory, but only `limit` bytes are allowed.
    case needsMemory(ForeignFormat, bytes: UInt64, limit: UInt64, offset: UInt64)
    /// The library does not support this variant of the format.
    case unsupported(ForeignFormat, reason: String, offset: UInt64)
    /// Bytes in an unknown format follow the data.
    case trailingBytes(ForeignFormat, offset: UInt64)
    /// Zeros follow the data: the end of the file may have been lost.
    case trailingZeros(ForeignFormat, offset: UInt64)
    /// The library could not allocate what it needs.
    case outOfMemory
}

extension ForeignFailure {
    /// The offset of the failure in the compressed input.
    package var offset: UInt64? {
        switch self {
        case .truncated(_, let offset), .corrupt(_, _, let offset), .needsMemory(_, _, _, let offset),
            .unsupported(_, _, let offset), .trailingBytes(_, let offset), .trailingZeros(_, let offset):
            offset
        case .notRead, .notListed, .notRecovered, .outOfMemory: nil
        }
    }
}

extension ForeignFailure: CustomStringConvertible {
    /// What happened, as a clause of a sentence.
    package var description: String {
        switch self {
        case .notRead(let format): "is in \(format.rawValue) format, which sluice does not read"
        case .notListed(let format): "is in \(format.rawValue) format, which has no frames to list"
        case .notRecovered(let format): "is in \(format.rawValue) format: only Zstandard files can be recovered"
        case .truncated(let format, let offset):
            "unexpected end of input at byte \(offset): the \(format.rawValue) data is truncated"
        case .corrupt(let format, let reason, let offset):
            "corrupt \(format.rawValue) data in the member at byte \(offset): \(reason)"
        case .needsMemory(let format, let bytes, let limit, let offset):
            """
            the \(format.rawValue) data at byte \(offset) needs \(bytes.ceilingMebibytes) MiB of memory, \
            the limit is \(limit.ceilingMebibytes) MiB
            """
        case .unsupported(let format, let reason, let offset):
            "the \(format.rawValue) data at byte \(offset) can't be decoded: \(reason)"
        case .trailingBytes(let format, let offset):
            "unknown bytes after the \(format.rawValue) data, at byte \(offset)"
        case .trailingZeros(let format, let offset):
            "zeros after the \(format.rawValue) data, from byte \(offset) on"
        case .outOfMemory: "out of memory"
        }
    }
}

extension UInt64 {
    /// The number in MiB, rounded up.
    package var ceilingMebibytes: UInt64 { self >> 20 + (self % (1 << 20) == 0 ? 0 : 1) }
}
