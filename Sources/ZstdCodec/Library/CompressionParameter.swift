internal import CZstd

/// A parameter of libzstd besides the level, identified by its name in zstd.h (`ZSTD_cParameter`). The value 0 means
/// the level's default.
///
///     var options = CompressionOptions(level: 19)
///     if let parameter = CompressionParameter("windowLog") { options.parameters[parameter] = 20 }
public struct CompressionParameter: Hashable, Sendable, LosslessStringConvertible {
    /// The supported parameters. Their order is part of the format of part trailers (`PartTrailer.Parameters`).
    package enum Name: String, CaseIterable {
        case windowLog, hashLog, chainLog, searchLog, minMatch, targetLength, strategy
        case ldmHashLog, ldmMinMatch, ldmBucketSizeLog, ldmHashRateLog
        case jobSize, overlapLog
        case targetCBlockSize
        case useRowMatchFinder, literalCompressionMode
    }

    package let name: Name

    package init(_ name: Name) { self.name = name }

    /// The parameter with a name such as `windowLog`; nil if there is no such parameter.
    public init?(_ description: String) {
        guard let name = Name(rawValue: description) else { return nil }
        self.name = name
    }

    /// The name, such as `windowLog`.
    public var description: String { name.rawValue }

    package static var all: [CompressionParameter] { Name.allCases.map { CompressionParameter($0) } }

    /// The values that libzstd accepts besides 0 (`ZSTD_cParam_getBounds`); nil if it does not support the parameter.
    /// For some parameters it also accepts other values and replaces them with the nearest bound.
    public var bounds: ClosedRange<Int>? {
        let bounds = ZSTD_cParam_getBounds(parameter)
        guard ZSTD_isError(bounds.error) == 0, bounds.lowerBound <= bounds.upperBound else { return nil }
        return Int(bounds.lowerBound)...Int(bounds.upperBound)
    }

    /// - Throws: `parameter` if libzstd does not accept the value.
    func check(_ value: Int) throws(CodecFailure) {
        let bounds = bounds
        guard value == 0 || bounds?.contains(value) == true || isTaken(value) else {
            throw .parameter(name: name.rawValue, value: value, bounds: bounds)
        }
    }

    /// Whether libzstd accepts the value, within the bounds or not: which parameters it clamps depends on its version.
    private func isTaken(_ value: Int) -> Bool {
        guard let value = Int32(exactly: value), let context = ZSTD_createCCtx() else { return false }
        defer { ZSTD_freeCCtx(context) }
        return ZSTD_isError(ZSTD_CCtx_setParameter(context, parameter, value)) == 0
    }

    /// `ZSTD_c_rsyncable`, used only for frames compressed by libzstd's own workers. It has no stable name; this is its
    /// number from 1.3.8 to 1.5.7.
    static var contentCuts: ZSTD_cParameter { ZSTD_cParameter(500) }

    var parameter: ZSTD_cParameter {
        switch name {
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
        // These parameters have no stable names; these are their numbers from 1.4.1 to 1.5.7. The first one became
        // stable in 1.5.6, with another number.
        case .targetCBlockSize: ZSTD_cParameter(ZSTD_versionNumber() < 1_05_06 ? 1003 : 130)
        case .literalCompressionMode: ZSTD_cParameter(1002)
        case .useRowMatchFinder: ZSTD_cParameter(1011)
        }
    }
}

// Computed: a constant would be initialized under a lock on first use.
extension CompressionParameter {
    /// The binary logarithm of the window's bytes (`ZSTD_c_windowLog`).
    public static var windowLog: CompressionParameter { CompressionParameter(.windowLog) }
    /// The binary logarithm of the hash table's entries (`ZSTD_c_hashLog`).
    public static var hashLog: CompressionParameter { CompressionParameter(.hashLog) }
    /// The binary logarithm of the chain table's entries (`ZSTD_c_chainLog`).
    public static var chainLog: CompressionParameter { CompressionParameter(.chainLog) }
    /// The binary logarithm of the number of attempts to find a match (`ZSTD_c_searchLog`).
    public static var searchLog: CompressionParameter { CompressionParameter(.searchLog) }
    /// The length of the shortest match to search for, in bytes (`ZSTD_c_minMatch`).
    public static var minMatch: CompressionParameter { CompressionParameter(.minMatch) }
    /// The length of a match that is good enough to stop the search, in bytes, or the step of the fast levels
    /// (`ZSTD_c_targetLength`).
    public static var targetLength: CompressionParameter { CompressionParameter(.targetLength) }
    /// The search strategy: 1, the fastest, to 9, the strongest (`ZSTD_c_strategy`).
    public static var strategy: CompressionParameter { CompressionParameter(.strategy) }
    /// The binary logarithm of the number of entries in the table for long-distance matching, which must be enabled
    /// (`ZSTD_c_ldmHashLog`).
    public static var ldmHashLog: CompressionParameter { CompressionParameter(.ldmHashLog) }
    /// The length of the shortest long-distance match in bytes (`ZSTD_c_ldmMinMatch`).
    public static var ldmMinMatch: CompressionParameter { CompressionParameter(.ldmMinMatch) }
    /// The binary logarithm of the entries of a bucket in the table for long-distance matching
    /// (`ZSTD_c_ldmBucketSizeLog`).
    public static var ldmBucketSizeLog: CompressionParameter { CompressionParameter(.ldmBucketSizeLog) }
    /// The binary logarithm of the number of positions for each entry in the table for long-distance matching
    /// (`ZSTD_c_ldmHashRateLog`).
    public static var ldmHashRateLog: CompressionParameter { CompressionParameter(.ldmHashRateLog) }
    /// The size of each job of libzstd's own workers in bytes, which only a single frame uses (`ZSTD_c_jobSize`).
    public static var jobSize: CompressionParameter { CompressionParameter(.jobSize) }
    /// How much of the preceding window a job of libzstd's own workers gets: 9 for all of it, half as much for each
    /// step below, and 1 for nothing (`ZSTD_c_overlapLog`).
    public static var overlapLog: CompressionParameter { CompressionParameter(.overlapLog) }
    /// The target size of a compressed block in bytes (`ZSTD_c_targetCBlockSize`).
    public static var targetCBlockSize: CompressionParameter { CompressionParameter(.targetCBlockSize) }
    /// Whether to search for matches in rows: 1 for yes, 2 for no (`ZSTD_c_useRowMatchFinder`).
    public static var useRowMatchFinder: CompressionParameter { CompressionParameter(.useRowMatchFinder) }
    /// Whether to compress literals: 1 for yes, 2 for no (`ZSTD_c_literalCompressionMode`).
    public static var literalCompressionMode: CompressionParameter { CompressionParameter(.literalCompressionMode) }
}
