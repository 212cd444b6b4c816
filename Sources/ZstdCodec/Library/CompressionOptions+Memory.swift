/// Upper bounds for the memory that compression takes, known before it begins.
extension CompressionOptions {
    /// Bytes of a context where libzstd gives no estimate: more than any level takes without long-distance matches.
    private static let unknownContext = 1 << 30
    /// Bytes of a job of libzstd's own workers, at least and at most (`ZSTDMT_JOBSIZE_MIN`, `ZSTDMT_JOBSIZE_MAX`).
    private static let jobSizes = 512 << 10...1 << 30
    /// Bytes of the largest content that libzstd does not split into jobs.
    private static let smallestForJobs: UInt64 = 512 << 10

    /// Bytes of a context that compresses `contentSize` bytes in one go.
    package func contextMemory(contentSize: UInt64?) -> Int {
        guard let memory = parameters(contentSize: contentSize)?.contextMemory else { return Self.unknownContext }
        return memory + longMatchMemory(contentSize: contentSize)
    }

    /// Bytes of a context, and of libzstd's own workers, for one frame whose content is streamed.
    ///
    /// The dictionary itself is not counted, but the copy that the workers digest is (`ZSTDMT_initCStream_internal`).
    package func streamMemory(workers: Int, contentSize: UInt64?, dictionary: CompressionDictionary? = nil) -> Int {
        // libzstd chooses the tables for both together.
        let level = parameters(contentSize: contentSize.map { $0 + UInt64(dictionary?.memory ?? 0) })
        let context = level?.contextMemory ?? Self.unknownContext
        let long = longMatchMemory(contentSize: contentSize)
        let window = 1 << min(level?[.windowLog] ?? 27, 31)
        let content = Int(clamping: contentSize ?? .max)
        if workers == 0 || contentSize.map({ $0 <= Self.smallestForJobs }) == true {
            // The window, and a block on either side of it (`ZSTD_CStreamInSize`, `ZSTD_CStreamOutSize`).
            return context + long + min(window, content) + 1 << 20
        }
        let job = jobSize(level)
        // `ZSTDMT_initCStream_internal`: a ring for the content, and a buffer for the result of each job.
        let ring = max(longWindowLog == nil ? 0 : window, job * workers) + 3 * job
        var jobs = 1
        while jobs < workers + 2 { jobs *= 2 }
        let results = min(2 * workers + 3, jobs) * Self.bound(job)
        let most = content == .max ? content : Self.bound(content)
        let digest = dictionary.map { $0.isDigested ? 0 : $0.memory + context } ?? 0
        return workers * context + digest + long + min(ring, content) + min(results, most) + 1 << 20
    }

    /// Bytes of the largest window that a frame asks for.
    package func windowSize(contentSize: UInt64?) -> Int {
        1 << min(parameters(contentSize: contentSize)?[.windowLog] ?? 27, 31)
    }

    /// Bytes of each job of libzstd's own workers.
    package func jobSize(contentSize: UInt64?) -> Int { jobSize(parameters(contentSize: contentSize)) }

    /// `ZSTDMT_computeTargetJobLog`.
    private func jobSize(_ level: LevelParameters?) -> Int {
        let wanted =
            if let chosen = parameters[.jobSize], chosen > 0 {
                chosen
            } else if longWindowLog != nil {
                1 << min(30, max(21, (level?[.chainLog] ?? 27) + 3))
            } else {
                1 << min(30, max(20, (level?[.windowLog] ?? 27) + 2))
            }
        return min(max(wanted, Self.jobSizes.lowerBound), Self.jobSizes.upperBound)
    }

    private func parameters(contentSize: UInt64?) -> LevelParameters? {
        // libzstd takes 0 for a size that is not known.
        var parameters = LevelParameters(level: level, contentSize: contentSize.map { max(1, $0) })
        parameters?.take(self.parameters)
        if let longWindowLog {
            // libzstd makes no window larger than the content.
            let log = contentSize.map { max(CompressionParameter.windowLog.bounds?.lowerBound ?? 10, $0.ceilingLog2) }
            parameters?[.windowLog] = min(longWindowLog, log ?? longWindowLog)
        }
        return parameters
    }

    /// Bytes for long-distance matches: 8 for each entry of the table, and as many again for its buckets and matches.
    private func longMatchMemory(contentSize: UInt64?) -> Int {
        guard let longWindowLog else { return 0 }
        let chosen = parameters[.ldmHashLog].flatMap { $0 > 0 ? $0 : nil }
        return 2 * 8 << (chosen ?? max(6, longWindowLog - 7))
    }
}
