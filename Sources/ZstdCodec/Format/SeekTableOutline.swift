/// What is kept of a seek table that passes by in a stream: enough to tell whether it is true, whatever its size.
package struct SeekTableOutline: Equatable, Sendable {
    /// Of the compressed sizes that it lists.
    let sizes: NumberDigest
    /// Of the decompressed sizes.
    let contentSizes: NumberDigest
    /// Of the checksums; nil if its entries carry none.
    let checksums: NumberDigest?
}
