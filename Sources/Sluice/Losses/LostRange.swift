/// A stretch of a damaged file from which nothing could be recovered.
public struct LostRange: Equatable, Sendable {
    /// Bytes of the file; empty where bytes are missing.
    public var input: Range<UInt64>
    /// Bytes of the content before it, as far as it is known what was lost before.
    public var contentOffset: UInt64
    /// Bytes of content that are lost, as far as that is known.
    public var contentSize: UInt64
    /// Whether it is known that no more than these are lost.
    public var isExact: Bool
    /// Bytes of zeros that stand in their place.
    public var filled: UInt64
    /// Why it is lost.
    public var reason: String
}
