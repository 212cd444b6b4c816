import SystemPackage

/// How fast the input is read at most, in bytes per second, as it was asked for.
enum RateSetting: Equatable, Sendable {
    case fixed(UInt64)
    /// What this file says, and again whenever it changes.
    case file(FilePath)

    /// Bytes per second, if they are known beforehand.
    var fixed: UInt64? { if case .fixed(let rate) = self { rate } else { nil } }

    /// The file that says it.
    var file: FilePath? { if case .file(let path) = self { path } else { nil } }

    /// Bytes per second, such as `10M` or `10M/s`; nil for what is none, or 0.
    static func parse(_ text: String) -> UInt64? {
        let number = text.hasSuffix("/s") ? String(text.dropLast(2)) : text
        return ByteCount.parse(number).flatMap { $0 > 0 ? $0 : nil }
    }
}
