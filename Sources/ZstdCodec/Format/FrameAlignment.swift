/// Keeps frames from straddling the multiples of a size, by filling the room before a multiple with a skippable frame.
///
/// The places depend on the sizes of the frames alone, so a reader that knows these arrives at the same places.
package struct FrameAlignment: Equatable, Sendable {
    /// The magic number of the filling (RFC 8878, 3.1.2).
    private static let magic: UInt32 = 0x184D_2A50
    /// Bytes of the smallest filling.
    private static let least = UInt64(FrameFormat.skippableHeaderSize)

    /// The sizes that may be chosen, in bytes.
    package static let sizes = 64 << 10...1 << 30
    /// Bytes by which a frame has to be smaller than the size, so that the rest can be filled.
    package static let reserve = 64

    /// Bytes; nil if frames may lie anywhere.
    private let size: UInt64?
    /// Where the next byte goes.
    package private(set) var position: UInt64 = 0

    /// - Parameter size: bytes; nil if frames may lie anywhere.
    package init(_ size: Int?) { self.size = size.map { UInt64(max(1, $0)) } }

    /// Places `count` bytes so that they don't straddle a multiple.
    ///
    /// - Returns: bytes to fill in front of them.
    package mutating func place(_ count: UInt64) -> Int {
        var padding: UInt64 = 0
        if let size, position % size > 0 {
            let rest = size - position % size
            if count != rest, count + Self.least > rest { padding = rest < Self.least ? rest + size : rest }
        }
        position += padding + count
        return Int(padding)
    }

    /// Places `count` bytes so that they end at a multiple.
    ///
    /// - Returns: bytes to fill in front of them.
    package mutating func placeLast(_ count: UInt64) -> Int {
        var padding: UInt64 = 0
        if let size {
            padding = (size - (position + count) % size) % size
            if (1..<Self.least).contains(padding) { padding += size }
        }
        position += padding + count
        return Int(padding)
    }

    /// A skippable frame of `count` bytes: at least 8, or none.
    package static func filling(_ count: Int) -> [UInt8] {
        if count == 0 { return [] }
        let header = [UInt8](skippable: magic, size: count)
        return header + [UInt8](repeating: 0, count: count - header.count)
    }
}
