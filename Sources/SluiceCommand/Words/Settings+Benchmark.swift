import ZstdCodec

/// What is measured, and how.
extension Settings {
    mutating func take(_ options: BenchmarkOptions?) throws(UsageError) {
        measuring.levels = compression.level...compression.level
        guard let options else { return }
        let last = min(options.lastLevel ?? compression.level, CompressionOptions.levels.upperBound)
        measuring.levels = compression.level...max(compression.level, last)
        guard (options.compressibility ?? 0) <= 100 else { throw UsageError("-P takes a percentage, 0 to 100") }
        measuring.compressibility = Double(options.compressibility ?? 50) / 100
        measuring.time = .seconds(min(options.seconds ?? 3, 86400))
        measuring.isSeparate = options.separately
        measuring.onlyDecompresses = options.onlyDecompression
    }
}
