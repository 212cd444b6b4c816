/// A frame of a damaged file, which a worker tries to decode.
struct TriedFrame {
    /// Its bytes in the file.
    let input: Range<UInt64>
    /// What it becomes at most, in bytes.
    let bound: UInt64
    /// What is lost if it can't be decoded.
    let claim: Claim
}
