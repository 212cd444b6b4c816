import Sluice
import SystemPackage

/// A file that is made from a source: what decides whether another file gives way to it.
struct NewFile {
    /// The name that it gets.
    let target: FilePath
    /// What it is; nil before it is there.
    let identity: FileIdentity?
    /// What it is made from.
    let source: FileIdentity
    /// The source as it was named; nil for standard input.
    let sourcePath: FilePath?
}
