/// A frame found in a damaged file, with what a seek table lists of one.
struct FoundFrame {
    let input: Range<UInt64>
    /// Bytes, if its header says so; 0 if it is skippable.
    let contentSize: UInt64?
    let checksum: UInt32?
}
