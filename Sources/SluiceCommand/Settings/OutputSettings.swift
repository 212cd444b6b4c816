import Sluice
import SystemPackage

/// Where the data goes, and what becomes of its source.
struct OutputSettings: Sendable {
    var destination = Destination.derived
    /// The directory of derived names; nil for that of each source.
    var folder: OutputFolder?
    var removesSource = false
    /// Whether an unfinished output is kept, and continued.
    var resumes = false
    /// What is done when a disk is full; nil to wait on a terminal.
    var onFull: FullDiskAnswer?
    var isSynced = true
    /// Whether decompressed zeros become holes; nil for files that are named, and not for standard output.
    var leavesHoles: Bool?

    /// How a compressed file is written. A run that ends only when the file is on the disk sends it there directly: a
    /// copy in the page cache would only push out what other programs use. With `--no-sync` it goes through the cache,
    /// and the kernel writes it when it likes. Decompressed files stay in the cache either way, for they are most
    /// likely read next.
    var caching: Sink.Caching { isSynced ? .bypassed : .cached }
}
