/// Places frames so that none straddles a multiple of a given size, by filling the space before a multiple with a
/// skippable frame.
///
/// The offsets depend only on the sizes of the frames, so a reader that knows these computes the same offsets.
package struct FrameAlignment: Equatable, Sendable {
    /// The magic number of the filler frame (RFC 8878, 3.1.2).
    private static let magic: UInt32 = 0x184D_2A50
    /// The size of the smallest filler frame in bytes.
    private static let least = UInt64(FrameFormat.skippableHeaderSize)

    /// The sizes that can be chosen, in bytes.
    package static let sizes = 64 << 10...1 << 30
    /// How many bytes smaller than the size a frame has to be, so that the rest can be filled.
    package static let reserve = 64

    /// The size in bytes; nil if frames may lie anywhere.
    private let size: UInt64?
    /// The offset of the next byte.
    package private(set) var position: UInt64 = 0

    /// - Parameter size: in bytes, at least that of the smallest filling; nil if frames may lie anywhere.
    package init(_ size: Int?) { self.size = size.map { max(Self.least, UInt64(clamping: $0)) } }

    /// Places `count` bytes so that they don't straddle a multiple.
    ///
    /// - Returns: how many bytes to fill before them.
    package mutating func place(_ count: UInt64) -> Int {
        var padding: UInt64 = 0
        if let size, position % size > 0 {
            let rest = size - position % size
            if count != rest, count + Self.least > rest { padding = rest < Self.least ? rest + size : rest }
        }
        position += padding + count
        return Int(padding)
    }

    /// Passes `count` bytes that may lie anywhere.
    package mutating func pass(_ count: UInt64) { position += count }

    /// Places `count` bytes so that they end at a multiple.
    ///
    /// - Returns: how many bytes to fill before them.
    package mutating func placeLast(_ count: UInt64) -> Int {
        var padding: UInt64 = 0
        if let size {
            padding = (size - (position + count) % size) % size
            if (1..<Self.least).contains(padding) { padding += size }
        }
        position += padding + count
        return Int(padding)
    }

    /// A skippable frame of `count` bytes, which is 8 or more; no bytes for 0.
    package static func filling(_ count: Int) -> [UInt8] {
        if count == 0 { return [] }
        let header = [UInt8](skippable: magic, size: count)
        return header + [UInt8](repeating: 0, count: count - header.count)
    }
}
