/// The reason why bytes could not be compressed or decompressed. Offsets count compressed bytes from the start of the
/// input.
package enum CodecFailure: Error, Equatable {
    /// The input is empty; even empty content makes a frame of nine bytes or more.
    case empty
    /// The input does not start with a Zstandard frame or a skippable frame.
    case notZstandard
    /// Bytes that are not a frame follow the last frame.
    case trailingBytes(offset: UInt64)
    /// Zeros follow the last frame, and nothing proves that it is the last one: the end of the file may have been lost.
    case trailingZeros(offset: UInt64)
    /// A frame has a format older than Zstandard 0.8, which RFC 8878 does not describe.
    case legacyFormat(offset: UInt64)
    /// The frame needs the dictionary with this identifier; `given` is the identifier of the dictionary in use, 0 if it
    /// has none, nil without a dictionary.
    case needsDictionary(identifier: UInt32, offset: UInt64, given: UInt32? = nil)
    /// The frame requires a window of `bytes`, but only `limit` bytes are allowed.
    case windowTooLarge(bytes: UInt64, limit: UInt64, offset: UInt64)
    /// The input ends within a frame; `offset` is its end.
    case truncated(offset: UInt64)
    /// The stream header announced a seek table, but the input ends, or another stream begins, without one.
    case missingSeekTable(offset: UInt64)
    /// The seek table at `offset`, at the end of the input, is truncated or invalid.
    case damagedSeekTable(offset: UInt64)
    /// A frame contradicts the format or its checksum; `reason` says how, and `offset` is where the frame starts.
    case corrupt(reason: String, offset: UInt64)
    /// The content does not have the announced size, in bytes; `actual` is nil if it is larger and was not read to the
    /// end.
    case contentSizeMismatch(announced: UInt64, actual: UInt64?)
    /// The content would need more frames than a seek table can list.
    case tooManyFrames
    /// libzstd can't read the dictionary.
    case damagedDictionary
    /// No dictionary can be trained on the samples; the string gives the reason.
    case training(String)
    /// The reference or the content is larger than the largest window.
    case tooLargeForReference(bytes: UInt64, limit: UInt64)
    /// A compression parameter is outside libzstd's bounds, which are nil if libzstd does not support the parameter.
    case parameter(name: String, value: Int, bounds: ClosedRange<Int>?)
    /// libzstd could not allocate what it needs.
    case outOfMemory
    /// Any other error of libzstd, with its message.
    case library(String)
}

extension CodecFailure {
    /// The offset of the failure in the compressed input.
    package var offset: UInt64? {
        switch self {
        case .trailingBytes(let offset), .trailingZeros(let offset), .legacyFormat(let offset),
            .needsDictionary(_, let offset, _),
            .windowTooLarge(_, _, let offset), .truncated(let offset), .missingSeekTable(let offset),
            .damagedSeekTable(let offset), .corrupt(_, let offset):
            offset
        default: nil
        }
    }
}

extension CodecFailure {
    /// A stream's header announced the seek table at this offset, and it does not list the stream's frames.
    static func contradictedTable(at offset: UInt64) -> CodecFailure {
        .corrupt(reason: "the seek table contradicts the frames", offset: offset)
    }

    /// The same, where only the checksums differ.
    static func contradictedChecksums(at offset: UInt64) -> CodecFailure {
        .corrupt(reason: "the seek table's checksums are not those of the frames", offset: offset)
    }
}

extension CodecFailure: CustomStringConvertible {
    /// What happened, as a clause of a sentence.
    package var description: String {
        switch self {
        case .empty: "unexpected end of input at byte 0: there is no frame"
        case .notZstandard: "not in Zstandard format"
        case .trailingBytes(let offset): "unknown bytes after the last frame, at byte \(offset)"
        case .trailingZeros(let offset): "zeros after the last frame, from byte \(offset) on"
        case .legacyFormat(let offset): "legacy format of Zstandard before 0.8, at byte \(offset)"
        case .needsDictionary(let identifier, let offset, nil):
            "the frame at byte \(offset) needs dictionary \(identifier)"
        case .needsDictionary(let identifier, let offset, 0?):
            "the frame at byte \(offset) needs dictionary \(identifier), but the one given has no ID"
        case .needsDictionary(let identifier, let offset, let given?):
            "the frame at byte \(offset) needs dictionary \(identifier), but \(given) was given"
        case .windowTooLarge(let bytes, let limit, let offset):
            "the frame at byte \(offset) needs a window of \(size(bytes)), the limit is \(size(limit))"
        case .truncated(let offset): "unexpected end of input at byte \(offset): the last frame is truncated"
        case .missingSeekTable(let offset):
            "the input is truncated at byte \(offset): the seek table that its header announces is missing"
        case .damagedSeekTable(let offset): "the seek table at byte \(offset) is damaged or truncated"
        case .corrupt(let reason, let offset): "corrupt frame at byte \(offset): \(reason)"
        case .contentSizeMismatch(let announced, let actual?):
            "the input has \(actual.counted("byte")), but \(announced) were announced"
        case .contentSizeMismatch(let announced, nil):
            "the input has more than the announced \(announced.counted("byte"))"
        case .tooManyFrames: "more than \(SeekTable.maximumCount) frames: no seek table can list them"
        case .damagedDictionary: "the dictionary is damaged"
        case .training(let words): "can't train a dictionary: \(words)"
        case .tooLargeForReference(let bytes, let limit):
            "a patch is limited to \(size(limit)) of data, but this is \(size(bytes))"
        case .parameter(let name, let value, let bounds?):
            "\(name)=\(value) is out of range: \(bounds.lowerBound) to \(bounds.upperBound), or 0 for the level's default"
        case .parameter(let name, _, nil): "this libzstd has no \(name)"
        case .outOfMemory: "out of memory"
        case .library(let words): words
        }
    }
}

private func size(_ bytes: UInt64) -> String {
    bytes % (1 << 20) == 0 ? "\(bytes >> 20) MiB" : bytes.counted("byte")
}

extension BinaryInteger {
    /// The number followed by a noun, with an s unless the number is 1: `1 file`, `2 files`.
    package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
