package import Dispatch

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
