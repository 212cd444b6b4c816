extension Flag {
    /// The long name of an option, without dashes, by which options refer to one another.
    enum Name: String, CaseIterable, Sendable {
        case adapt, against, align, append, asyncio, benchmark, buffer, check, compress
        case compressibility
        case copy
        case decompress, connections, dictID, dictionary, fast
        case filelist, follow, force, format, frames, generate, hash
        case help, index, interval
        case join
        case json, keep, length, level, lines, list, long, max, maxdict
        case member, members, memory, name
        case offset
        case output, parity, part, priority, progress, quiet, range
        case read, recompress
        case recover, recursive, repair, report, resume, rm
        case rsyncable, sandbox
        case seconds
        case selectivity, separately, sparse, stats, stdout, sync, tail, test
        case threads
        case timeout
        case trace, train, ultra, usage, verbose, verify, version, zstd
        case acceptStatus = "accept-status"
        case asTar = "as-tar"
        case autoThreads = "auto-threads"
        case bufferStart = "buffer-start"
        case compressLiterals = "compress-literals"
        case contentSize = "content-size"
        case excludeCompressed = "exclude-compressed"
        case flushInterval = "flush-interval"
        case frameSize = "frame-size"
        case fromCommand = "from-command"
        case headerLines = "header-lines"
        case httpHeader = "http-header"
        case ignoreZeros = "ignore-zeros"
        case lastLevel = "last-level"
        case limitRate = "limit-rate"
        case mmapDict = "mmap-dict"
        case noDictID = "no-dictID"
        case noName = "no-name"
        case objectVersion = "object-version"
        case uploadPart = "upload-part"
        case onFull = "on-full"
        case outputDirFlat = "output-dir-flat"
        case outputDirMirror = "output-dir-mirror"
        case passThrough = "pass-through"
        case patchApply = "patch-apply"
        case patchFrom = "patch-from"
        case rowMatchFinder = "row-match-finder"
        case showDefaultCparams = "show-default-cparams"
        case singleCoreDecoding = "single-core-decoding"
        case singleFrame = "single-frame"
        case singleThread = "single-thread"
        case sizeHint = "size-hint"
        case statsFile = "stats-file"
        case streamSize = "stream-size"
        case tailLines = "tail-lines"
        case targetCompressedBlockSize = "target-compressed-block-size"
        case trainCover = "train-cover"
        case trainFastcover = "train-fastcover"
        case trainLegacy = "train-legacy"
    }
}
