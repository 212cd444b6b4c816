/// What tar-split keeps of a tar archive, and zstd:chunked brings with it: all bytes but the content of files, in lines
/// of JSON as Go writes it.
///
/// A parser of all JSON takes longer than decompressing the archive, so anything else is not understood.
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
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            guard let entry = entry(rest[..<end]) else { return false }
            try body(entry)
            rest = rest[(end + 1)...]
        }
        return rest.isEmpty
    }

    private static func entry(_ line: ArraySlice<UInt8>) -> Entry? {
        guard line.last == UInt8(ascii: "}") else { return nil }
        // A quote within a string has a backslash in front of it, so these are no part of a name.
        if line.starts(with: #"{"type":1,"#.utf8) {
            let size = Array(#","size":"#.utf8)
            guard let place = line.indices.first(where: { line[$0] == size[0] && line[$0...].starts(with: size) })
            else { return .content(0) }
            let digits = line[place...].dropFirst(size.count).prefix { (48...57).contains($0) }
            return UInt64(String(decoding: digits, as: UTF8.self)).map(Entry.content)
        }
        let start = Array(#"{"type":2,"payload":""#.utf8)
        guard line.starts(with: start) else { return nil }
        let digits = line.dropFirst(start.count).prefix { $0 != UInt8(ascii: "\"") }
        return decodedBase64(digits).map(Entry.bytes)
    }

    /// The value of each digit of Base64 (RFC 4648, section 4); 64 of what is none.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 64, count: 256)
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, digit) in digits.utf8.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    /// - Returns: nil if the digits are none.
    private static func decodedBase64(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
        guard digits.count % 4 == 0 else { return nil }
        let padding = digits.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        let values = values
        var highest: UInt8 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: digits.count / 4 * 3) { bytes, size in
            var (bits, count) = (UInt32(0), 0)
            for digit in digits.dropLast(padding) {
                let value = values[Int(digit)]
                highest = max(highest, value)
                (bits, count) = (bits << 6 | UInt32(value), count + 1)
                if count % 4 == 1 { continue }
                bytes[size] = UInt8(truncatingIfNeeded: bits >> UInt32(6 - 2 * ((count + 3) % 4)))
                size += 1
            }
        }
        return highest < 64 ? bytes : nil
    }
}
