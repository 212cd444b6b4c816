package import ByteStreams

/// A way to do some runs that is faster than the pipeline between two channels. What keeps a run from it is listed only
/// here.
package enum FastPath: CaseIterable, Sendable {
    /// The calling thread reads, transforms and writes a small input as a whole (docs/decisions/small-files.md).
    case whole
    /// Each thread does that with one of many small files, which are synced together.
    case batch
    /// Workers read what is cached of a file (docs/decisions/reading.md).
    case readingInWorkers
    /// Whole blocks of compressed data go past the page cache.
    case pastCache

    /// In the order in which they are looked for: what depends on the input comes before what was asked for.
    var obstacles: [Obstacle] {
        switch self {
        case .whole:
            [.store, .size, .operation, .memory, .resumption, .rateLimit, .reading, .fullDisk, .watched, .described]
        case .batch: [.rateLimit, .waiting, .chain, .readBack, .described]
        case .readingInWorkers: [.noFile, .decoding, .rateLimit, .hash, .dispatch]
        case .pastCache: [.content, .unsynced, .fileSystem]
        }
    }

    /// Describes for `-vv` what the run does.
    package func words(_ obstacle: Obstacle?) -> String {
        let (taken, otherwise) =
            switch self {
            case .whole: ("as a whole on one thread", "in a pipeline")
            case .batch: ("in a batch", "one by one")
            case .readingInWorkers: ("workers read what is cached", "Dispatch reads")
            case .pastCache: ("writes go past the page cache", "writes go through the page cache")
            }
        return obstacle.map { "\(otherwise) (\($0.rawValue))" } ?? taken
    }
}

/// What keeps a run from a fast path, in words.
package enum Obstacle: String, Sendable {
    case size = "the input is larger than 4 MiB, or has no size yet"
    case operation = "it can't be done as a whole"
    case memory = "it may take more than 64 MiB"
    case store = "the output goes to a store"
    case resumption = "an interrupted run is continued"
    case rateLimit = "the rate is limited"
    case reading = "--read chooses the way"
    case dispatch = "--read=dispatch"
    case fullDisk = "it waits for space when the disk is full"
    case noFile = "the input is not a regular file"
    case decoding = "frames are found as they are read"
    case hash = "the content is hashed in its order"
    case content = "content is likely to be read next"
    case unsynced = "the output is not synced"
    case fileSystem = "the file system, or the place in the file, does not allow it"

    // The caller says these (`Job.saidObstacles`).
    case watched = "a bar or statistics show it"
    case described = "-v describes it"
    case waiting = "--on-full=wait"
    case chain = "an output is an input"
    case readBack = "the output is read back"
}

extension Job {
    /// What keeps the run from a fast path; nil if it takes it.
    ///
    /// - Parameter source: nil if only the options count.
    package func obstacle(to path: FastPath, from source: Source?, to sink: Sink?) -> Obstacle? {
        path.obstacles.first { isMet($0, source, sink) }
    }

    private func isMet(_ obstacle: Obstacle, _ source: Source?, _ sink: Sink?) -> Bool {
        switch obstacle {
        case .size: !isMomentary && source?.sizeAtHand ?? .max > Self.largestWholeFile
        case .operation: operation.shortcut == nil
        // A run that may take more must ask how much is available.
        case .memory: operation.readsContent && memory(inputSize: source?.sizeAtHand) > 64 << 20
        case .store: sink != nil && sink?.descriptor == nil
        case .resumption: sink?.resumption != nil
        case .rateLimit: rateLimit != nil
        case .reading: reading != .auto
        case .dispatch: reading == .dispatch
        case .fullDisk: fullDisk != nil
        case .noFile: source?.isFile != true
        case .decoding: operation.decompresses
        case .hash: hash != nil && operation.readsContent
        case .content: !operation.readsContent
        case .unsynced: sink?.isSynced != true
        case .fileSystem: sink?.takesBlocks != true
        case .watched, .described, .waiting, .chain, .readBack: saidObstacles.contains(obstacle)
        }
    }

    private var isMomentary: Bool { if case .momentary? = operation.shortcut { true } else { false } }
}
