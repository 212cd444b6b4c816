import ZstdCodec

/// The texts of `--version`.
enum Version {
    static let number = "1.0.0"
    static var line: String { "sluice \(number) (libzstd \(libraryVersion))" }

    /// zstd's text, with the version of the library: programs look for it, as a whole or for the version alone (`-q`).
    static func asZstd(quietness: Int, verbosity: Int) -> String {
        if quietness > 0 { return libraryVersion }
        let greeting = "*** Zstandard CLI (\(Int.bitWidth)-bit) v\(libraryVersion), by Yann Collet ***"
        return verbosity > 0 ? "\(greeting)\n*** \(line)" : greeting
    }
}
