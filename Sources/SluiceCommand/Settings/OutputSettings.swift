import Sluice

/// The requested destination of the output.
enum Destination: Equatable, Sendable {
    /// A name derived from the source's; standard output for standard input.
    case derived
    case standardOutput
    case path(FilePath)

    /// The path, if one was named.
    var path: FilePath? { if case .path(let path) = self { path } else { nil } }
}

/// Where the output goes, and what happens to the source.
struct OutputSettings: Sendable {
    var destination = Destination.derived
    /// The directory of derived outputs; nil for each source's own.
    var folder: OutputFolder?
    var removesSource = false
    /// Whether unfinished output is kept, and continued by the next run.
    var resumes = false
    /// Whether writes to a full disk wait for space, rather than fail; nil to wait on a terminal only.
    var waitsWhenFull: Bool?
    var isSynced = true
    /// Whether decompressed zeros become holes; nil for files only, not standard output.
    var leavesHoles: Bool?
}
