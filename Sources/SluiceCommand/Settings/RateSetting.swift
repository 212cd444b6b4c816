import SystemPackage

/// The limit of the rate of reading, in bytes per second.
enum RateSetting: Sendable {
    case fixed(UInt64)
    /// The rate in this file, which may change.
    case file(FilePath)

    /// Bytes per second; nil if a file sets the rate.
    var fixed: UInt64? { if case .fixed(let rate) = self { rate } else { nil } }

    /// The file that sets the rate; nil if it is fixed.
    var file: FilePath? { if case .file(let path) = self { path } else { nil } }

    /// Parses bytes per second, such as `10M` or `10M/s`; nil for anything else, or 0.
    static func parse(_ text: String) -> UInt64? {
        let number = text.hasSuffix("/s") ? String(text.dropLast(2)) : text
        return ByteCount.parse(number).flatMap { $0 > 0 ? $0 : nil }
    }
}
