import Sluice

/// The output of `--recover --json`, described by docs/recovery.schema.json.
struct LossObject: Encodable {
    struct File: Encodable {
        let name: String
        /// The bytes of a name that is not UTF-8.
        let nameBase64: String?
        let recoveredBytes: UInt64
        /// The known minimum.
        let lostBytes: UInt64
        /// Whether the loss is exactly `lostBytes`.
        let exact: Bool
        let lostInputBytes: UInt64
        let zeroBytes: UInt64
        let unprovedEnd: Bool
        let rangeCount: Int
        let ranges: [Range]
    }

    struct Range: Encodable {
        let inputOffset: UInt64
        let inputBytes: Int
        let contentOffset: UInt64
        let contentBytes: UInt64
        let exact: Bool
        let zeroBytes: UInt64
        let reason: String
    }

    let version = 2
    let files: [File]

    init(_ reports: [LossReport]) {
        files = reports.map { report in
            let lost = report.lost
            return File(
                name: report.name.string, nameBase64: JSON.base64(report.name), recoveredBytes: lost.recovered,
                lostBytes: lost.contentSize,
                exact: lost.isExact, lostInputBytes: lost.inputSize, zeroBytes: lost.filled,
                unprovedEnd: lost.endsUnproved, rangeCount: lost.count,
                ranges: lost.ranges.map { range in
                    Range(
                        inputOffset: range.input.lowerBound, inputBytes: range.input.count,
                        contentOffset: range.contentOffset, contentBytes: range.contentSize, exact: range.isExact,
                        zeroBytes: range.filled, reason: range.reason)
                })
        }
    }
}
