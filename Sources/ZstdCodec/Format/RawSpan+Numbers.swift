extension RawSpan {
    /// The byte at `offset`.
    @inlinable package subscript(offset: Int) -> UInt8 { unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

    /// The little-endian number at `offset`, which must lie within the span.
    @inlinable package func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, as type: Number.Type
    ) -> Number {
        Number(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: type))
    }

    /// Whether all bytes are zero.
    package var areZeros: Bool {
        var position = 0
        while position + 8 <= byteCount {
            if unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self) != 0 { return false }
            position += 8
        }
        return (position..<byteCount).allSatisfy { self[$0] == 0 }
    }

    /// How many of the bytes at the start are zeros.
    var leadingZeros: Int {
        var count = 0
        while byteCount - count >= 8, unsafeLoadUnaligned(fromUncheckedByteOffset: count, as: UInt64.self) == 0 {
            count += 8
        }
        while count < byteCount, self[count] == 0 { count += 1 }
        return count
    }

    /// Whether `bytes` lie at `offset`.
    func has(_ bytes: [UInt8], at offset: Int) -> Bool {
        offset + bytes.count <= byteCount && bytes.indices.allSatisfy { self[offset + $0] == bytes[$0] }
    }

    /// Whether these bytes are exactly one skippable frame with this magic number.
    func isSkippableFrame(_ magic: UInt32) -> Bool {
        byteCount >= FrameFormat.skippableHeaderSize && littleEndian(at: 0, as: UInt32.self) == magic
            && Int(littleEndian(at: 4, as: UInt32.self)) == byteCount - FrameFormat.skippableHeaderSize
    }
}

extension [UInt8] {
    /// A copy of bytes.
    package init(copying bytes: RawSpan) { self = bytes.withUnsafeBytes { Self($0) } }

    /// Appends a copy of bytes.
    package mutating func append(copying bytes: RawSpan) { bytes.withUnsafeBytes { append(contentsOf: $0) } }
}
