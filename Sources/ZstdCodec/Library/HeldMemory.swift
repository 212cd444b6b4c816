/// An object that keeps bytes in place and unchanged for its lifetime.
package protocol HeldMemory: AnyObject, Sendable {
    /// Valid as long as the caller refers to the object, as `withUnsafeBytes` does.
    var bytes: UnsafeRawBufferPointer { get }
}

extension HeldMemory {
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(bytes)
    }
}
