import ZstdCodec

/// What `--version` says.
enum Version {
    static let number = "0.1.0"
    /// The libzstd that runs.
    static var library: String { libraryVersion }
    /// With the version of the libzstd that runs.
    static var line: String { "sluice \(number) (libzstd \(library))" }

    /// What zstd says, whose version is that of its library: programs look for it, as a whole or after `-q` alone.
    static func asZstd(quietness: Int, verbosity: Int) -> String {
        if quietness > 0 { return library }
        let greeting = "*** Zstandard CLI (\(Int.bitWidth)-bit) v\(library), by Yann Collet ***"
        return verbosity > 0 ? "\(greeting)\n*** \(line)" : greeting
    }
}
