import Sluice

/// A file that is made from a source, with what decides whether it may replace another.
struct NewFile {
    let target: FilePath
    /// Nil before it exists.
    let identity: FileIdentity?
    let source: FileIdentity
    /// The source's path; nil for standard input.
    let sourcePath: FilePath?
}
