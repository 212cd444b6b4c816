internal import CZstd

/// The parameters of a level (`ZSTD_getCParams`).
package struct LevelParameters: Equatable, Sendable {
    private var numbers: [CompressionParameter: Int]

    /// - Parameters:
    ///   - contentSize: bytes of the frame, if they are known.
    ///   - dictionarySize: bytes of the dictionary.
    /// - Returns: nil if this libzstd does not give them.
    package init?(level: Int, contentSize: UInt64?, dictionarySize: Int = 0) {
        var found = sluice_parameters()
        guard sluice_parameters_of_level(Int32(clamping: level), contentSize ?? 0, dictionarySize, &found) else {
            return nil
        }
        numbers = [
            .windowLog: Int(found.windowLog), .chainLog: Int(found.chainLog), .hashLog: Int(found.hashLog),
            .searchLog: Int(found.searchLog), .minMatch: Int(found.minMatch),
            .targetLength: Int(found.targetLength), .strategy: Int(found.strategy),
        ]
    }

    /// The number of one of the seven parameters that every level has; 0 for others.
    package subscript(parameter: CompressionParameter) -> Int {
        get { numbers[parameter] ?? 0 }
        set { numbers[parameter] = newValue }
    }

    /// Bytes of a context with these parameters (`ZSTD_estimateCCtxSize_usingCParams`); nil if this libzstd can't say.
    var contextMemory: Int? {
        let parameters = sluice_parameters(
            windowLog: UInt32(self[.windowLog]), chainLog: UInt32(self[.chainLog]), hashLog: UInt32(self[.hashLog]),
            searchLog: UInt32(self[.searchLog]), minMatch: UInt32(self[.minMatch]),
            targetLength: UInt32(self[.targetLength]), strategy: Int32(self[.strategy]))
        let memory = sluice_memory_of_context(parameters)
        return memory > 0 && ZSTD_isError(memory) == 0 ? memory : nil
    }

    /// Overrides the level's parameters by those that were chosen.
    mutating func take(_ chosen: [CompressionParameter: Int]) {
        for (parameter, value) in chosen where value > 0 && numbers[parameter] != nil { numbers[parameter] = value }
    }
}
