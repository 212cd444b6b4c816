package import Dispatch

extension FixedWidthInteger {
    /// The number without its fraction, or the closest one of this type; 0 for NaN.
    ///
    /// For sizes, times and ratios from a file, the command line or a clock, which may be of any size; `Int` would
    /// trap.
    package init(clamping number: Double) {
        self = Self(exactly: number.rounded(.towardZero)) ?? (number > 0 ? .max : number < 0 ? .min : 0)
    }

    /// The sum, or the closest number of this type.
    package func addingClamped(_ other: Self) -> Self {
        let (sum, isOutside) = addingReportingOverflow(other)
        return !isOutside ? sum : other < 0 ? .min : .max
    }
}

extension DispatchSource {
    /// The class of all sources. Its factory methods return protocols, which are not Sendable.
    package static func made<Protocol>(_ source: Protocol) -> DispatchSource {
        guard let source = source as? DispatchSource else {
            preconditionFailure("every source of Dispatch is a DispatchSource")
        }
        return source
    }
}

extension Duration? {
    /// The interval, clamped to the range of the type; `.never` for nil.
    package var dispatchInterval: DispatchTimeInterval {
        guard let (seconds, attoseconds) = self?.components else { return .never }
        let (whole, isTooLong) = Int(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooMuch) = whole.addingReportingOverflow(Int(attoseconds / 1_000_000_000))
        return .nanoseconds(isTooLong || isTooMuch ? (seconds < 0 ? .min : .max) : sum)
    }
}
