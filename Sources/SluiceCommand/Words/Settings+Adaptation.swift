import Sluice
import ZstdCodec

/// Levels that follow how fast the ends of a run are.
extension Settings {
    static let adaptSentence = "--adapt takes bounds of the level, as in --adapt=min=1,max=9"
    /// Without `--ultra` there is none above.
    private static let highestCommon = 19

    /// - Throws: why this can't be done, or not with the other options.
    mutating func take(
        adaptation bounds: ClosedRange<Int>, _ options: TuningOptions
    ) throws(UsageError) {
        if !verb.heeds.contains(.frames) {
            return warnings.append("--adapt is ignored: each level is measured for itself")
        }
        if options.singleThread { throw UsageError("--adapt does not go with --single-thread", hint: "-T1 does") }
        if options.isStrongest { throw UsageError("--adapt lets the level change, and --max sets the highest") }
        compression.adaptiveLevels = bounds
        compression.level = min(max(compression.level, bounds.lowerBound), bounds.upperBound)
    }

    /// The bounds that words such as `min=1,max=9` set, one after another; `free`, which `--adapt` alone becomes, sets
    /// none.
    static func adaptiveLevels(_ words: [String]) throws(UsageError) -> ClosedRange<Int> {
        var (least, most): (Int?, Int?) = (nil, nil)
        for word in words where word.contains("=") {
            for part in word.split(separator: ",", omittingEmptySubsequences: false) {
                let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard sides.count == 2, let number = level(sides[1]) else { throw UsageError(adaptSentence) }
                switch sides[0] {
                case "min": least = number
                case "max": most = number
                default: throw UsageError(adaptSentence)
                }
            }
        }
        return try adaptiveLevels(from: least, to: most)
    }

    private static func adaptiveLevels(from least: Int?, to most: Int?) throws(UsageError) -> ClosedRange<Int> {
        let levels = CompressionOptions.levels
        // There is no level 0: as with zstd the next one is meant.
        let lowest = least.map { $0 == 0 ? 1 : max($0, levels.lowerBound) } ?? ((most ?? 1) < 1 ? levels.lowerBound : 1)
        let standard = lowest > highestCommon ? levels.upperBound : highestCommon
        let highest = most.map { $0 == 0 ? -1 : min($0, levels.upperBound) } ?? standard
        guard lowest <= highest else { throw UsageError("--adapt: no level is from \(lowest) to \(highest)") }
        return lowest...highest
    }

    /// A number of 32 bits, with or without a sign.
    private static func level(_ word: Substring) -> Int? {
        guard word.first != "+", let number = Int(word), number.magnitude <= UInt32.max else { return nil }
        return number
    }
}
