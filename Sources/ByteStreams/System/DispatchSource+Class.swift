package import Dispatch

extension DispatchSource {
    /// The class behind the protocols that sources are declared to be: that is Sendable, and they are not.
    package static func made<Protocol>(_ source: Protocol) -> DispatchSource {
        guard let source = source as? DispatchSource else {
            preconditionFailure("every source of Dispatch is a DispatchSource")
        }
        return source
    }
}
