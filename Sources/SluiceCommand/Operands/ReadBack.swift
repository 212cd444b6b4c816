import Glibc
import Sluice
import SystemPackage

/// Reads a finished file of frames back from the disk, and decodes all of it.
struct ReadBack {
    /// What was made here is decoded however large its window is, in bytes.
    private static let windowLimit: UInt64 = 1 << 31
    private let job: Job

    init(_ settings: Settings, _ memory: MemoryBudget) {
        let action = Action.decompress(
            windowLimit: Self.windowLimit, dictionary: settings.references.decompression)
        var job = Job(action, threads: settings.threads)
        // It gets as small as it can, and is run in any case.
        if let limit = memory.limit { _ = job.fit(into: limit.bytes, inputSize: nil, countsWindows: false) }
        self.job = job
    }

    /// - Parameters:
    ///   - file: synced, and open to be read; it stands elsewhere afterwards.
    ///   - latch: ends it from elsewhere.
    /// - Throws: as `Job.run` does for what is damaged.
    func check(_ file: FileDescriptor, _ latch: FailureLatch) throws(Failure) {
        // What was written past the page cache is not in it, and what lies there is given away where that can be had.
        try? file.setDirectWrites(false)
        posix_fadvise(file.rawValue, 0, 0, POSIX_FADV_DONTNEED)
        guard lseek(file.rawValue, 0, SEEK_SET) == 0 else { throw .reading(Errno(rawValue: errno)) }
        _ = try job.run(from: try Source(file), to: nil, latch: latch)
    }
}
