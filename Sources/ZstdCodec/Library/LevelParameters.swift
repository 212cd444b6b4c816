internal import CZstd

/// The numbers that libzstd has for a level (`ZSTD_getCParams`), each in the unit of its `CompressionParameter`.
package struct LevelParameters: Equatable, Sendable {
    /// The binary logarithm of the window, in bytes.
    package var windowLog: Int
    /// The binary logarithm of the table of chains, in entries.
    package var chainLog: Int
    /// The binary logarithm of the table of hashes, in entries.
    package var hashLog: Int
    /// The binary logarithm of how many places are searched.
    package var searchLog: Int
    /// Bytes of the shortest match.
    package var minMatch: Int
    /// Bytes of a match that is long enough, or what the strategy makes of it.
    package var targetLength: Int
    /// 1 to 9, `ZSTD_fast` to `ZSTD_btultra2`.
    package var strategy: Int

    /// - Parameters:
    ///   - contentSize: bytes of the frame, if they are known.
    ///   - dictionarySize: bytes of what the frame may refer to.
    /// - Returns: nil if this libzstd does not tell.
    package init?(level: Int, contentSize: UInt64?, dictionarySize: Int = 0) {
        var parameters = sluice_parameters()
        guard sluice_parameters_of_level(Int32(clamping: level), contentSize ?? 0, dictionarySize, &parameters) else {
            return nil
        }
        windowLog = Int(parameters.windowLog)
        chainLog = Int(parameters.chainLog)
        hashLog = Int(parameters.hashLog)
        searchLog = Int(parameters.searchLog)
        minMatch = Int(parameters.minMatch)
        targetLength = Int(parameters.targetLength)
        strategy = Int(parameters.strategy)
    }

    /// Bytes of a context that has them (`ZSTD_estimateCCtxSize_usingCParams`); nil if this libzstd does not tell.
    var contextMemory: Int? {
        let parameters = sluice_parameters(
            windowLog: UInt32(windowLog), chainLog: UInt32(chainLog), hashLog: UInt32(hashLog),
            searchLog: UInt32(searchLog), minMatch: UInt32(minMatch), targetLength: UInt32(targetLength),
            strategy: Int32(strategy))
        let memory = sluice_memory_of_context(parameters)
        return memory > 0 && ZSTD_isError(memory) == 0 ? memory : nil
    }

    /// Takes what was chosen in place of what the level has.
    mutating func take(_ chosen: [CompressionParameter: Int]) {
        for (parameter, value) in chosen where value > 0 {
            switch parameter {
            case .windowLog: windowLog = value
            case .chainLog: chainLog = value
            case .hashLog: hashLog = value
            case .searchLog: searchLog = value
            case .minMatch: minMatch = value
            case .targetLength: targetLength = value
            case .strategy: strategy = value
            default: break
            }
        }
    }
}
