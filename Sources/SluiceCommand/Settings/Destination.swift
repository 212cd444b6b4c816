import SystemPackage

/// Where the data goes, as it was asked for.
enum Destination: Equatable, Sendable {
    /// A name made from the source's, or standard output for standard input.
    case derived
    case standardOutput
    case path(FilePath)
}
