internal import CZstd

/// What a function of libzstd returned: a number, or an error.
///
/// - Parameters:
///   - offset: where the frame that is decompressed begins in the input; nil when content is compressed.
///   - hasDictionary: whether a dictionary was given, a frame without an identifier may need another one.
/// - Throws: the error as this module's own.
@discardableResult
func checked(_ code: Int, offset: UInt64? = nil, hasDictionary: Bool = false) throws(CodecFailure) -> Int {
    guard ZSTD_isError(code) != 0 else { return code }
    switch ZSTD_getErrorCode(code) {
    case ZSTD_error_memory_allocation: throw .outOfMemory
    case ZSTD_error_srcSize_wrong where offset != nil, ZSTD_error_corruption_detected:
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

    /// What is said of data that begins with a patch, if what it was made from was not given.
    package static let patchWithoutReference = CodecFailure.corrupt(reason: unreadable, offset: 0)

    /// A frame whose checksum is not that of its content, whoever found it out.
    static func wrongChecksum(offset: UInt64, hasDictionary: Bool) -> Self {
        damaged("its checksum does not match its content", offset: offset, hasDictionary: hasDictionary)
    }

    fileprivate static func damaged(_ words: String, offset: UInt64, hasDictionary: Bool) -> Self {
        .corrupt(reason: words + (hasDictionary ? ", or it was made with another dictionary" : ""), offset: offset)
    }
}

/// The number of a dictionary (`ZSTD_getDictID_fromDict`); 0 for what does not say that it is one, and is one of
/// content alone.
///
/// - Throws: `damagedDictionary` (`ZDICT_getDictHeaderSize`).
func dictionaryIdentifier(of content: UnsafeRawBufferPointer) throws(CodecFailure) -> UInt32 {
    guard FrameFormat.isDictionary(content) else { return 0 }
    if ZDICT_isError(ZDICT_getDictHeaderSize(content.baseAddress, content.count)) != 0 { throw .damagedDictionary }
    return ZSTD_getDictID_fromDict(content.baseAddress, content.count)
}

/// The version of the libzstd that runs, such as `1.5.4` (`ZSTD_versionString`).
package var libraryVersion: String { String(cString: ZSTD_versionString()) }
