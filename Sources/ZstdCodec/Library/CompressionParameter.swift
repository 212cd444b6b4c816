internal import CZstd

/// A parameter of libzstd besides the level, by its name in zstd.h (`ZSTD_cParameter`); 0 leaves it to the level.
public enum CompressionParameter: String, CaseIterable, Sendable {
    /// Binary logarithms, except `minMatch` and `targetLength`, in bytes, and `strategy`, 1 to 9.
    case windowLog, hashLog, chainLog, searchLog, minMatch, targetLength, strategy
    /// For long-distance matching, which has to be on; `ldmMinMatch` in bytes, the others binary logarithms.
    case ldmHashLog, ldmMinMatch, ldmBucketSizeLog, ldmHashRateLog
    /// For libzstd's own workers, which only streamed frames have: bytes, and 1 to 9 for the share of the window.
    case jobSize, overlapLog
    /// The desired bytes of a compressed block (`ZSTD_c_targetCBlockSize`).
    case targetCBlockSize
    /// 1 for on, 2 for off (`ZSTD_c_useRowMatchFinder`, `ZSTD_c_literalCompressionMode`).
    case useRowMatchFinder, literalCompressionMode

    /// The values that libzstd accepts besides 0 (`ZSTD_cParam_getBounds`); nil if it does not know the parameter.
    public var bounds: ClosedRange<Int>? {
        let bounds = ZSTD_cParam_getBounds(parameter)
        guard ZSTD_isError(bounds.error) == 0, bounds.lowerBound <= bounds.upperBound else { return nil }
        return Int(bounds.lowerBound)...Int(bounds.upperBound)
    }

    /// - Throws: `parameter` if libzstd does not accept the value.
    func check(_ value: Int) throws(CodecFailure) {
        let bounds = bounds
        guard value == 0 || bounds?.contains(value) == true else {
            throw .parameter(name: rawValue, value: value, bounds: bounds)
        }
    }

    /// `ZSTD_c_rsyncable`, for frames on libzstd's own workers only: its number from 1.3.8 to 1.5.7, since it has no
    /// stable name.
    static var contentCuts: ZSTD_cParameter { ZSTD_cParameter(500) }

    var parameter: ZSTD_cParameter {
        switch self {
        case .windowLog: ZSTD_c_windowLog
        case .hashLog: ZSTD_c_hashLog
        case .chainLog: ZSTD_c_chainLog
        case .searchLog: ZSTD_c_searchLog
        case .minMatch: ZSTD_c_minMatch
        case .targetLength: ZSTD_c_targetLength
        case .strategy: ZSTD_c_strategy
        case .ldmHashLog: ZSTD_c_ldmHashLog
        case .ldmMinMatch: ZSTD_c_ldmMinMatch
        case .ldmBucketSizeLog: ZSTD_c_ldmBucketSizeLog
        case .ldmHashRateLog: ZSTD_c_ldmHashRateLog
        case .jobSize: ZSTD_c_jobSize
        case .overlapLog: ZSTD_c_overlapLog
        // Numbers in 1.4.1 to 1.5.7 of parameters without a stable name. The first became stable in 1.5.6, with another
        // number.
        case .targetCBlockSize: ZSTD_cParameter(ZSTD_versionNumber() < 1_05_06 ? 1003 : 130)
        case .literalCompressionMode: ZSTD_cParameter(1002)
        case .useRowMatchFinder: ZSTD_cParameter(1011)
        }
    }
}
