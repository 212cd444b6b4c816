package import Dispatch

extension FixedWidthInteger {
    /// The number without its fraction, or the closest one of this type; 0 for what is no number.
    ///
    /// For sizes, times and shares that a file, the command line or a clock may make as large as they like, where `Int`
    /// traps.
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
    /// The class behind the protocols that sources are declared to be: it is Sendable, and they are not.
    package static func made<Protocol>(_ source: Protocol) -> DispatchSource {
        guard let source = source as? DispatchSource else {
            preconditionFailure("every source of Dispatch is a DispatchSource")
        }
        return source
    }
}

extension Duration? {
    /// The interval, within the range of the type; never for nil.
    package var dispatchInterval: DispatchTimeInterval {
        guard let (seconds, attoseconds) = self?.components else { return .never }
        let (whole, isTooLong) = Int(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooMuch) = whole.addingReportingOverflow(Int(attoseconds / 1_000_000_000))
        return .nanoseconds(isTooLong || isTooMuch ? (seconds < 0 ? .min : .max) : sum)
    }
}
