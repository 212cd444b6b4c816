internal import CXxhash
internal import CZstd

/// Checks the return value of a libzstd function.
///
/// - Parameters:
///   - offset: the start of the frame being decompressed in the input; nil when compressing.
///   - hasDictionary: whether a dictionary was given, which may be the wrong one for a frame that names none.
/// - Returns: the value, if it is not an error.
@discardableResult
func checked(_ code: Int, offset: UInt64? = nil, hasDictionary: Bool = false) throws(CodecFailure) -> Int {
    guard ZSTD_isError(code) != 0 else { return code }
    switch ZSTD_getErrorCode(code) {
    case ZSTD_error_memory_allocation: throw .outOfMemory
    // The last one means that a block uses tables that only a dictionary can provide: none was given, or a wrong one.
    case ZSTD_error_srcSize_wrong where offset != nil, ZSTD_error_corruption_detected,
        ZSTD_error_dictionary_corrupted where offset != nil:
        throw .damaged(CodecFailure.unreadable, offset: offset ?? 0, hasDictionary: hasDictionary)
    case ZSTD_error_checksum_wrong: throw .wrongChecksum(offset: offset ?? 0, hasDictionary: hasDictionary)
    case ZSTD_error_dstSize_tooSmall:
        throw .corrupt(reason: "it holds more than its header says", offset: offset ?? 0)
    case ZSTD_error_prefix_unknown: throw .corrupt(reason: "not a Zstandard frame", offset: offset ?? 0)
    default: throw .library(String(cString: ZSTD_getErrorName(code)))
    }
}

extension CodecFailure {
    fileprivate static let unreadable = "its data is damaged"

    /// The failure of a frame with a match that libzstd rejects.
    package static func damagedContent(offset: UInt64) -> Self { .corrupt(reason: unreadable, offset: offset) }

    /// The failure of input that begins with a patch when its reference is missing, or with a frame that needs a
    /// dictionary without naming it.
    package static let patchWithoutReference = CodecFailure.corrupt(reason: unreadable, offset: 0)

    /// The failure of a frame whose checksum does not match its content.
    static func wrongChecksum(offset: UInt64, hasDictionary: Bool) -> Self {
        damaged("its checksum does not match its content", offset: offset, hasDictionary: hasDictionary)
    }

    fileprivate static func damaged(_ words: String, offset: UInt64, hasDictionary: Bool) -> Self {
        .corrupt(reason: words + (hasDictionary ? ", or it was made with another dictionary" : ""), offset: offset)
    }
}

/// The identifier of a dictionary (`ZSTD_getDictID_fromDict`); 0 for raw content.
///
/// - Throws: `damagedDictionary` (`ZDICT_getDictHeaderSize`).
func dictionaryIdentifier(of content: RawSpan) throws(CodecFailure) -> UInt32 {
    guard FrameFormat.isDictionary(content) else { return 0 }
    return try content.withUnsafeBytes { content throws(CodecFailure) in
        if ZDICT_isError(ZDICT_getDictHeaderSize(content.baseAddress, content.count)) != 0 { throw .damagedDictionary }
        return ZSTD_getDictID_fromDict(content.baseAddress, content.count)
    }
}

/// The version of the libzstd in use, such as `1.5.4` (`ZSTD_versionString`).
package var libraryVersion: String { String(cString: ZSTD_versionString()) }

/// The version of the libxxhash in use, such as `0.8.1` (`XXH_versionNumber`).
package var checksumLibraryVersion: String {
    let number = XXH_versionNumber()
    return "\(number / 10000).\(number / 100 % 100).\(number % 100)"
}
