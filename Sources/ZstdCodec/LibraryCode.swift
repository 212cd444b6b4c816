internal import CZstd

/// What a function of libzstd returned: a number, or an error.
///
/// - Throws: the error as this module's own.
@discardableResult
func checked(_ code: Int, offset: UInt64 = 0) throws(CodecFailure) -> Int {
    guard ZSTD_isError(code) != 0 else { return code }
    switch ZSTD_getErrorCode(code) {
    case ZSTD_error_memory_allocation: throw .outOfMemory
    case ZSTD_error_srcSize_wrong: throw .contentSizeMismatch
    case ZSTD_error_corruption_detected: throw .corrupt(reason: "its data is damaged", offset: offset)
    case ZSTD_error_checksum_wrong:
        throw .corrupt(reason: "its checksum does not match its content", offset: offset)
    case ZSTD_error_dstSize_tooSmall:
        throw .corrupt(reason: "it holds more than its header says", offset: offset)
    case ZSTD_error_prefix_unknown: throw .corrupt(reason: "not a Zstandard frame", offset: offset)
    default: throw .library(String(cString: ZSTD_getErrorName(code)))
    }
}

/// The version of the libzstd that runs, such as `1.5.4` (`ZSTD_versionString`).
public var libraryVersion: String { String(cString: ZSTD_versionString()) }
