internal import CZstd

/// The parameters of a level (`ZSTD_getCParams`).
package struct LevelParameters: Sendable {
    /// As libzstd has them. A dictionary of seven would take a tenth of the time of a small run.
    private var numbers = [UInt32](repeating: 0, count: 7)

    /// - Parameters:
    ///   - contentSize: bytes of the frame, if they are known.
    ///   - dictionarySize: bytes of the dictionary.
    /// - Returns: nil if this libzstd does not give them.
    package init?(level: Int, contentSize: UInt64?, dictionarySize: Int = 0) {
        let level = Int32(clamping: level)
        guard sluice_parameters_of_level(level, contentSize ?? 0, dictionarySize, &numbers) else { return nil }
    }

    /// The place of one of the seven parameters that every level has; nil for others.
    private static func place(of parameter: CompressionParameter) -> Int? {
        let names: [CompressionParameter.Name] = [
            .windowLog, .chainLog, .hashLog, .searchLog, .minMatch, .targetLength, .strategy,
        ]
        return names.firstIndex(of: parameter.name)
    }

    /// The number of one of the seven parameters; 0 for others, which can't be set.
    package subscript(parameter: CompressionParameter) -> Int {
        get { Self.place(of: parameter).map { Int(numbers[$0]) } ?? 0 }
        set { if let place = Self.place(of: parameter) { numbers[place] = UInt32(clamping: newValue) } }
    }

    /// Bytes of a context with these parameters (`ZSTD_estimateCCtxSize_usingCParams`); nil if this libzstd can't say.
    var contextMemory: Int? {
        let memory = sluice_memory_of_context(numbers)
        return memory > 0 && ZSTD_isError(memory) == 0 ? memory : nil
    }

    /// Overrides the level's parameters by those that were chosen.
    mutating func take(_ chosen: [CompressionParameter: Int]) {
        for (parameter, value) in chosen where value > 0 { self[parameter] = value }
    }
}
