import ZstdCodec

/// The texts of `--version`.
enum Version {
    static let number = "0.1.0"
    /// The version of libzstd at run time.
    static var library: String { libraryVersion }
    static var line: String { "sluice \(number) (libzstd \(library))" }

    /// The text of zstd, whose version is that of its library: programs look for it, as a whole or alone with `-q`.
    static func asZstd(quietness: Int, verbosity: Int) -> String {
        if quietness > 0 { return library }
        let greeting = "*** Zstandard CLI (\(Int.bitWidth)-bit) v\(library), by Yann Collet ***"
        return verbosity > 0 ? "\(greeting)\n*** \(line)" : greeting
    }
}
