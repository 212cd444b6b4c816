import ZstdCodec

/// What `--version` says.
enum Version {
    static let number = "0.1.0"
    /// The libzstd that runs.
    static var library: String { libraryVersion }
}
