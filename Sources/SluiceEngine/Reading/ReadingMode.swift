/// How a file is read for compression to frames of equal size: by a channel of Dispatch, or by the workers.
package enum ReadingMode: String, CaseIterable, Sendable {
    /// Dispatch reads from the disk. Workers copy from the page cache if each processor has a worker, or a worker is
    /// idle.
    case auto
    /// Dispatch reads one chunk after another: libdispatch does one read or write at a time for all files of a disk.
    case dispatch
    /// Each worker reads the chunk that it compresses next, while others read theirs.
    case workers
}
