package import Dispatch

extension Duration {
    /// Nanoseconds, within the range of the type.
    var nanoseconds: Int {
        let (seconds, attoseconds) = components
        let (whole, overflow) = Int(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : whole &+ Int(attoseconds / 1_000_000_000)
    }
}

extension Duration? {
    /// The interval, or never.
    package var dispatchInterval: DispatchTimeInterval { map { .nanoseconds($0.nanoseconds) } ?? .never }
}
