/// Bytes that stay where they are, and as they are, for as long as somebody refers to this.
package protocol HeldMemory: AnyObject, Sendable {
    /// They are there as long as the caller keeps a reference to this; `withUnsafeBytes` keeps one.
    var bytes: UnsafeRawBufferPointer { get }
}

extension HeldMemory {
    /// The result of `body` for the bytes, which stay until it returns.
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(bytes)
    }
}
