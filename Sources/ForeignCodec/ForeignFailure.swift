/// Why data in a foreign format could not be decoded. Offsets count compressed bytes from the start of the input.
public enum ForeignFailure: Error, Equatable {
    /// The format is known, and there is no decoder for it.
    case notRead(ForeignFormat)
    /// The format is read, but has no frames that could be listed.
    case notListed(ForeignFormat)
    /// The input ends before the data does; `offset` is where it ends.
    case truncated(ForeignFormat, offset: UInt64)
    /// The data contradicts its format or its checksum; `reason` says how, and `offset` is where the member starts.
    case corrupt(ForeignFormat, reason: String, offset: UInt64)
    /// The data asks for `bytes` of memory where `limit` bytes are allowed.
    case needsMemory(ForeignFormat, bytes: UInt64, limit: UInt64, offset: UInt64)
    /// The format has variants, and this one is not known to the library that decodes it.
    case unsupported(ForeignFormat, reason: String, offset: UInt64)
    /// Bytes follow the data that are in no format that is read.
    case trailingBytes(ForeignFormat, offset: UInt64)
    /// The library could not allocate what it needs.
    case outOfMemory
}

extension ForeignFailure {
    /// The compressed byte that it is about, from the start of the input.
    public var offset: UInt64? {
        switch self {
        case .truncated(_, let offset), .corrupt(_, _, let offset), .needsMemory(_, _, _, let offset),
            .unsupported(_, _, let offset), .trailingBytes(_, let offset):
            offset
        case .notRead, .notListed, .outOfMemory: nil
        }
    }
}

extension ForeignFailure: CustomStringConvertible {
    /// What happened, as it stands within a sentence, with the offset in bytes where there is one.
    public var description: String {
        switch self {
        case .notRead(let format): "is in \(format.name) format, which sluice does not read"
        case .notListed(let format): "is in \(format.name) format, which has no frames to list"
        case .truncated(let format, let offset):
            "unexpected end of input at byte \(offset): the \(format.name) data is cut"
        case .corrupt(let format, let reason, let offset):
            "corrupt \(format.name) data in the member at byte \(offset): \(reason)"
        case .needsMemory(let format, let bytes, let limit, let offset):
            """
            the \(format.name) data at byte \(offset) needs \(bytes.ceilingMebibytes) MiB of memory, \
            the limit is \(limit.ceilingMebibytes) MiB
            """
        case .unsupported(let format, let reason, let offset):
            "the \(format.name) data at byte \(offset) can't be decoded: \(reason)"
        case .trailingBytes(let format, let offset): "unknown bytes after the \(format.name) data, at byte \(offset)"
        case .outOfMemory: "out of memory"
        }
    }
}

extension UInt64 {
    fileprivate var ceilingMebibytes: UInt64 { self >> 20 + (self % (1 << 20) == 0 ? 0 : 1) }
}
