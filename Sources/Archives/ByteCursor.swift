extension [UInt8] {
    /// Appends a number as a varint: seven bits per byte, the lowest first.
    mutating func append(varint number: UInt64) {
        var rest = number
        while rest > 0x7F {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Appends a signed number as a varint; numbers near zero are short.
    mutating func append(signed number: Int64) {
        append(varint: UInt64(bitPattern: number << 1 ^ number >> 63))
    }

    mutating func append(counted bytes: [UInt8]) {
        append(varint: UInt64(bytes.count))
        self += bytes
    }
}

/// Reads numbers and bytes from the start of a buffer; missing or malformed input makes it fail for good.
struct ByteCursor {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    private(set) var hasFailed = false

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() -> UInt8 {
        guard position < bytes.count else {
            hasFailed = true
            return 0
        }
        defer { position += 1 }
        return bytes[position]
    }

    /// Most numbers take one byte.
    @inline(__always)
    mutating func varint() -> UInt64 {
        guard position < bytes.count, bytes[position] < 0x80 else { return longVarint() }
        defer { position += 1 }
        return UInt64(bytes[position])
    }

    private mutating func longVarint() -> UInt64 {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let next = byte()
            if shift == 63, next > 1 {
                hasFailed = true
                return 0
            }
            number |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return number }
            shift += 7
        }
    }

    mutating func signed() -> Int64 {
        let number = varint()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    @inline(__always)
    mutating func slice(_ count: UInt64) -> UnsafeRawBufferPointer {
        guard count <= UInt64(bytes.count - position) else {
            hasFailed = true
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        defer { position += Int(count) }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + Int(count)])
    }

    mutating func counted() -> [UInt8] { Array(slice(varint())) }

    mutating func number32() -> UInt32 {
        let number = varint()
        if number > UInt32.max { hasFailed = true }
        return UInt32(truncatingIfNeeded: number)
    }
}
