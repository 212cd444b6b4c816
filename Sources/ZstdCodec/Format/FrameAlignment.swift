/// Keeps frames from straddling the multiples of a size: what is left before one is filled by a skippable frame of
/// zeros.
///
/// A value, which is told of one frame after another. What it says depends on their sizes alone, so that a reader who
/// knows these comes to the same.
package struct FrameAlignment: Equatable, Sendable {
    /// Such a frame begins with it; no reader looks into it (RFC 8878, 3.1.2).
    private static let magic: UInt32 = 0x184D_2A50
    /// Bytes of the smallest that there is.
    private static let least = UInt64(FrameFormat.skippableHeaderSize)

    /// The sizes, in bytes, of whose multiples frames may be kept.
    package static let sizes = 64 << 10...1 << 30
    /// A frame has so many bytes less than the size, at least, so that what is left can be filled.
    package static let reserve = 64

    /// Bytes; nil if frames may lie anywhere.
    private let size: UInt64?
    /// Where the next byte goes.
    package private(set) var position: UInt64 = 0

    /// - Parameter size: bytes; nil if frames may lie anywhere.
    package init(_ size: Int?) { self.size = size.map { UInt64(max(1, $0)) } }

    /// Finds a place for what has so many bytes, and must not straddle a multiple.
    ///
    /// - Returns: bytes to be filled in front of it.
    package mutating func place(_ count: UInt64) -> Int {
        var padding: UInt64 = 0
        if let size, position % size > 0 {
            let rest = size - position % size
            if count != rest, count + Self.least > rest { padding = rest < Self.least ? rest + size : rest }
        }
        position += padding + count
        return Int(padding)
    }

    /// Finds a place for what has so many bytes, and has to end at a multiple.
    ///
    /// - Returns: bytes to be filled in front of it.
    package mutating func placeLast(_ count: UInt64) -> Int {
        var padding: UInt64 = 0
        if let size {
            padding = (size - (position + count) % size) % size
            if (1..<Self.least).contains(padding) { padding += size }
        }
        position += padding + count
        return Int(padding)
    }

    /// A skippable frame of so many bytes, which are none or 8 at least.
    package static func filling(_ count: Int) -> [UInt8] {
        if count == 0 { return [] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        bytes.appendLittleEndian(magic)
        bytes.appendLittleEndian(UInt32(count - FrameFormat.skippableHeaderSize))
        return bytes + [UInt8](repeating: 0, count: count - bytes.count)
    }
}
