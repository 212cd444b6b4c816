package import ByteStreams

/// The bytes of the output around its frames.
package protocol Envelope: Sendable {
    /// Adds the next frame.
    ///
    /// - Returns: the bytes that go in front of it.
    /// - Throws: why there is no room for it.
    mutating func append(_ frame: Frame) throws(Failure) -> [UInt8]
    /// The bytes that end the output.
    ///
    /// - Throws: why the output must not be completed.
    func trailer() throws(Failure) -> [UInt8]
}
