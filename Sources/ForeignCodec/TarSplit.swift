internal import CJansson

/// What tar-split keeps of a tar archive, and zstd:chunked brings with it: all bytes but the content of files, as JSON
/// objects, one after another.
package enum TarSplit {
    package enum Entry: Equatable {
        /// Bytes of the archive: headers, and what fills blocks.
        case bytes([UInt8])
        /// The place of a file's content, in bytes.
        case content(UInt64)
    }

    /// Calls a body with each entry, in the order of the archive.
    ///
    /// - Returns: false if the bytes are anything else; the body may have been called before that.
    package static func read<Thrown>(
        _ text: [UInt8], _ body: (Entry) throws(Thrown) -> Void
    ) throws(Thrown) -> Bool {
        var rest = text[...]
        while true {
            rest = rest.drop { [0x20, 0x0A, 0x0D].contains($0) }
            if rest.isEmpty { return true }
            guard let entry = next(in: &rest) else { return false }
            try body(entry)
        }
    }

    private static func next(in text: inout ArraySlice<UInt8>) -> Entry? {
        var end = json_error_t()
        let value = text.withUnsafeBytes {
            json_loadb($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, Int(JSON_DISABLE_EOF_CHECK), &end)
        }
        guard let value else { return nil }
        defer { json_decref(value) }
        text = text.dropFirst(Int(end.position))
        switch json_integer_value(json_object_get(value, "type")) {
        case 1: return UInt64(exactly: json_integer_value(json_object_get(value, "size"))).map(Entry.content)
        case 2:
            let payload = json_object_get(value, "payload")
            guard let digits = json_string_value(payload) else { return nil }
            return UnsafeRawBufferPointer(start: digits, count: json_string_length(payload)).decodedBase64.map(
                Entry.bytes)
        default: return nil
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The value of each digit; 64 of what is none.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 64, count: 256)
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, digit) in digits.utf8.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    /// The bytes that these are the digits of (RFC 4648, section 4); nil if they are none.
    fileprivate var decodedBase64: [UInt8]? {
        guard count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count / 4 * 3)
        var (bits, digits) = (UInt32(0), 0)
        let padding = suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        for digit in dropLast(padding) {
            let value = Self.values[Int(digit)]
            guard value < 64 else { return nil }
            (bits, digits) = (bits << 6 | UInt32(value), digits + 1)
            if digits % 4 != 1 { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(6 - 2 * ((digits + 3) % 4)))) }
        }
        return bytes
    }
}
