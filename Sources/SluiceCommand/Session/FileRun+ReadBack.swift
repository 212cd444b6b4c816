import CAllocator
import Glibc
import Sluice

extension FileRun {
    /// Reads the output back from the disk for `--verify=file`, and decodes all of it.
    func readBack(_ output: borrowing Output) throws(Complaint) {
        guard settings.verification.readsBack, let sink = output.sink else { return }
        try Complaint.about(source: output.name, OutputFile.sync(sink.descriptor, output.name))
        do throws(Failure) { try decode(sink.descriptor) } catch {
            var complaint = Complaint(output.name, "read back from the disk: \(error)")
            complaint.failure = error
            throw complaint
        }
    }

    /// - Parameter file: is synced.
    /// - Throws: as `Job.run` does for damaged input.
    private func decode(_ file: FileDescriptor) throws(Failure) {
        // However large the window of the output is.
        let decompression = Decompression(
            dictionary: settings.references.decompression, windowLimit: Int(DecodingLimits.largestWindow))
        var job = Job(decompression, threads: settings.limits.threads)
        // The job is reduced as far as possible beside the window, and runs in any case.
        if let limit = context.memory.limit {
            let window = UInt64(settings.compression.options.windowSize(contentSize: nil))
            let bytes = limit.bytes - min(limit.bytes, window)
            _ = job.fit(into: bytes, inputSize: nil, countsWindows: false)
        }
        // Windows are mapped, so that what compression has left serves only for the rest.
        sluice_return_memory()
        // Direct writes left nothing in the page cache. Drop what it has of the file, where the file system can.
        try? file.setDirectWrites(false)
        posix_fadvise(file.rawValue, 0, 0, POSIX_FADV_DONTNEED)
        try Failure.reading(file.stand(at: 0))
        _ = try job.run(from: try Source(file), to: nil, latch: latch)
    }
}
