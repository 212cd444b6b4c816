import Sluice

/// What becomes of a file that is damaged.
extension Settings {
    mutating func take(_ options: RecoveryOptions, _ range: RangeOptions) throws(UsageError) {
        guard let filling = options.recover else { return }
        guard verb.heeds.contains(.recovery) else {
            throw UsageError("--recover is for what is decompressed", hint: "it goes with -d")
        }
        if range.areGiven {
            throw UsageError("--recover takes all of the content, and no part of it")
        }
        if removesSource {
            throw UsageError(
                "--recover and --rm: what is lost today may be had of the file tomorrow", hint: "leave --rm out")
        }
        lossFilling = filling
    }
}
