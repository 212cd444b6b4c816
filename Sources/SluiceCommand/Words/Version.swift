import ZstdCodec

/// What `--version` says.
enum Version {
    static let number = "0.1.0"
    /// The libzstd that runs.
    static var library: String { libraryVersion }
    /// With the version of the libzstd that runs.
    static var line: String { "sluice \(number) (libzstd \(library))" }
}
