/// Bytes that stay where they are, and as they are, for as long as somebody refers to this.
public protocol HeldMemory: AnyObject, Sendable {
    /// To be looked at by whoever keeps a reference meanwhile; for everybody else there is `withUnsafeBytes`.
    var bytes: UnsafeRawBufferPointer { get }
}

extension HeldMemory {
    /// The result of `body` for the bytes, which stay until it returns.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(bytes)
    }
}
