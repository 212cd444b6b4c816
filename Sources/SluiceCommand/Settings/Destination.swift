import SystemPackage

/// The requested destination of the output.
enum Destination: Equatable, Sendable {
    /// A name derived from the source's; standard output for standard input.
    case derived
    case standardOutput
    case path(FilePath)
}
