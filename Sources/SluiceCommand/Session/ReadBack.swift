import Glibc
import Sluice
import SystemPackage

/// Reads a finished compressed file back from the disk, and decodes all of it.
struct ReadBack {
    /// The limit of the window, in bytes: output of this run is decoded however large its window is.
    private static let windowLimit: UInt64 = 1 << 31
    private let job: Job

    init(_ settings: Settings, _ memory: MemoryBudget) {
        let action = Action.decompress(
            windowLimit: Self.windowLimit, dictionary: settings.references.decompression)
        var job = Job(action, threads: settings.limits.threads)
        // The job is reduced as far as possible, and runs in any case.
        if let limit = memory.limit { _ = job.fit(into: limit.bytes, inputSize: nil, countsWindows: false) }
        self.job = job
    }

    /// - Parameters:
    ///   - file: is synced and readable. Its position changes.
    ///   - latch: cancels the job.
    /// - Throws: as `Job.run` does for damaged input.
    func check(_ file: FileDescriptor, _ latch: FailureLatch) throws(Failure) {
        // Direct writes left nothing in the page cache. What it has of the file is dropped, where the file system can.
        try? file.setDirectWrites(false)
        posix_fadvise(file.rawValue, 0, 0, POSIX_FADV_DONTNEED)
        guard lseek(file.rawValue, 0, SEEK_SET) == 0 else { throw .reading(Errno(rawValue: errno)) }
        _ = try job.run(from: try Source(file), to: nil, latch: latch)
    }
}
