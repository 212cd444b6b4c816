/// Who reads a file that is compressed to frames of equal size: a channel of Dispatch, or the workers themselves.
package enum Reading: String, CaseIterable, Sendable {
    /// Dispatch reads what has to come from the disk. Workers read what is in the page cache, which is but a copy, if
    /// there is a worker on each processor, or if one of them waits.
    case auto
    /// Dispatch reads everything, one chunk after another: libdispatch does one read or write at a time for all the
    /// files of a disk.
    case dispatch
    /// Each worker reads the chunk that it compresses next, while others read theirs.
    case workers
}
