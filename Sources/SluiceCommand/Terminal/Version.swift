import ZstdCodec

/// The texts of `--version`.
enum Version {
    static let number = "0.1.0"
    static var line: String { "sluice \(number) (libzstd \(libraryVersion))" }

    /// The text of zstd, whose version is that of its library: programs look for it, as a whole or alone with `-q`.
    static func asZstd(quietness: Int, verbosity: Int) -> String {
        if quietness > 0 { return libraryVersion }
        let greeting = "*** Zstandard CLI (\(Int.bitWidth)-bit) v\(libraryVersion), by Yann Collet ***"
        return verbosity > 0 ? "\(greeting)\n*** \(line)" : greeting
    }
}
