/// One way to compress a buffer, and to decompress what it became, in memory that is kept.
protocol Way: AnyObject {
    /// Compresses a buffer by its number.
    func compress(_ number: Int) throws
    /// Decompresses what was compressed last.
    func decompress() throws
    /// Whether a content came back.
    func has(_ content: [UInt8]) -> Bool
}
