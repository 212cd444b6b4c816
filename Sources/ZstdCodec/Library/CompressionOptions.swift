internal import CZstd

/// Options for compressing content to frames. The frames depend only on these options and the content, unless the level
/// adapts.
///
///     var options = CompressionOptions(level: 12, frameSize: 1 << 20)
///     options.cutsByContent = true
///     try await Compression(options).run(from: .file("a.tar"), to: .file("a.tar.zst"))
public struct CompressionOptions: Equatable, Sendable {
    /// The level: 1 to 22, or negative for the fast levels (`ZSTD_c_compressionLevel`).
    public var level: Int
    /// The content size of each frame except the last, within `frameSizes`, in bytes; nil for the level's default
    /// (docs/format.md, "Output").
    public var frameSize: Int?
    /// The binary logarithm of the window size in bytes for long-distance matching
    /// (`ZSTD_c_enableLongDistanceMatching`); nil to disable it.
    public var longWindowLog: Int?
    /// Whether each frame ends in a checksum of its content (`ZSTD_c_checksumFlag`).
    public var hasChecksum: Bool
    /// Whether each frame contains its content size, if that is known when the frame begins (`ZSTD_c_contentSizeFlag`).
    public var hasContentSize = true
    /// Whether each frame contains the identifier of its dictionary, if that has one (`ZSTD_c_dictIDFlag`).
    public var hasDictionaryIdentifier = true
    /// Whether the content determines where frames end, or blocks within a single frame (`ZSTD_c_rsyncable`), so that
    /// unchanged content is compressed to the same bytes as before. On average, frames then have about half the frame
    /// size.
    public var cutsByContent = false
    /// The levels between which the level adapts to the speed of input and output, from frame to frame or within a
    /// single frame; nil for a fixed level.
    public var adaptiveLevels: ClosedRange<Int>?
    /// The size whose multiples frames don't straddle, in bytes; nil if frames may lie anywhere.
    package var alignment: Int?
    /// Parameters besides the level (`ZSTD_CCtx_setParameter`). If libzstd rejects a value, a run throws
    /// `invalidOption`. A window larger than a frame is reduced to the frame's size.
    public var parameters: [CompressionParameter: Int] = [:]

    /// Options with the defaults of `zstd`.
    ///
    /// - Parameters:
    ///   - level: from -131072, the fastest, to 22, the strongest.
    ///   - frameSize: the content size of each frame except the last, in bytes; nil for the level's default.
    ///   - longWindowLog: the binary logarithm of the window size for long-distance matching; nil to disable it.
    ///   - hasChecksum: whether frames end in checksums of their content.
    public init(level: Int = 3, frameSize: Int? = nil, longWindowLog: Int? = nil, hasChecksum: Bool = true) {
        self.level = level
        self.frameSize = frameSize
        self.longWindowLog = longWindowLog
        self.hasChecksum = hasChecksum
    }

    /// The levels of libzstd, `ZSTD_minCLevel` to `ZSTD_maxCLevel`.
    public static var levels: ClosedRange<Int> { Int(ZSTD_minCLevel())...Int(ZSTD_maxCLevel()) }

    /// Sets the strongest and slowest parameters, as `--max` of zstd 1.5.7 does.
    ///
    /// - Parameter contentSize: the content size of the frame in bytes; nil if unknown. libzstd reduces all tables to
    ///   it, except the one for long-distance matches, which takes 8 GiB if the size is unknown.
    package mutating func maximize(contentSize: UInt64?) {
        level = Self.levels.upperBound
        let greatest: [CompressionParameter] = [
            .windowLog, .chainLog, .hashLog, .searchLog, .targetLength, .strategy, .overlapLog, .ldmHashLog,
            .ldmBucketSizeLog,
        ]
        for parameter in greatest { parameters[parameter] = parameter.bounds?.upperBound }
        parameters[.minMatch] = CompressionParameter.minMatch.bounds?.lowerBound
        parameters[.ldmMinMatch] = 16
        longWindowLog = parameters[.windowLog]
        if let contentSize, let hashLog = CompressionParameter.ldmHashLog.bounds {
            parameters[.ldmHashLog] = max(hashLog.lowerBound, min(hashLog.upperBound, contentSize.ceilingLog2))
        }
    }

    /// The most bytes of a reference and its content: the size of the largest window.
    package static var referenceLimit: UInt64 { 1 << UInt64(CompressionParameter.windowLog.bounds?.upperBound ?? 30) }

    /// Makes a frame able to reach all of a reference, as `zstd --patch-from` does, with a window and long-distance
    /// matches.
    ///
    /// - Parameters:
    ///   - referenceSize: in bytes.
    ///   - contentSize: the content size of the frame in bytes; nil if it is about that of the reference.
    /// - Throws: `tooLargeForReference`, because a window is limited to 2 GiB.
    package mutating func reach(referenceSize: UInt64, contentSize: UInt64?) throws(CodecFailure) {
        guard let bounds = CompressionParameter.windowLog.bounds else { return }
        let largest = max(referenceSize, contentSize ?? 0)
        guard largest <= Self.referenceLimit else {
            throw .tooLargeForReference(bytes: largest, limit: Self.referenceLimit)
        }
        parameters[.windowLog] = nil
        let windowLog = contentSize?.ceilingLog2 ?? referenceSize.ceilingLog2 + 1
        longWindowLog = min(max(windowLog, bounds.lowerBound), bounds.upperBound)
    }

    /// The value of `--long` for a window of `bytes`; nil if no decoder accepts such a window.
    package static func windowLog(for bytes: UInt64) -> Int? {
        guard let bounds = CompressionParameter.windowLog.bounds, bytes <= 1 << UInt64(bounds.upperBound) else {
            return nil
        }
        return max(bounds.lowerBound, bytes.ceilingLog2)
    }

    /// Checks whether libzstd accepts all values, without compressing anything.
    ///
    /// - Throws: `parameter`.
    package func check() throws(CodecFailure) {
        guard Self.levels.contains(level) else {
            throw .parameter(name: "level", value: level, bounds: Self.levels)
        }
        if let bounds = adaptiveLevels, !Self.levels.contains(bounds) {
            throw .parameter(name: "level", value: bounds.upperBound, bounds: Self.levels)
        }
        if let longWindowLog { try CompressionParameter.windowLog.check(longWindowLog) }
        for (parameter, value) in parameters { try parameter.check(value) }
    }

    /// Whether frames say a window that holds their content, where every decoder accepts that. A window that was asked
    /// for is kept: it is what some decoder has memory for.
    var widensWindow: Bool { longWindowLog == nil && (parameters[.windowLog] ?? 0) == 0 }

    /// The most bytes that `size` bytes of content can be compressed to (`ZSTD_compressBound`).
    package static func bound(_ size: Int) -> Int { ZSTD_compressBound(size) }

    /// Everything except the content that determines the bytes of a frame, on one line: these options, and the version
    /// of libzstd.
    package var recipe: String {
        let numbers = parameters.map { "\($0)=\($1)" }.sorted()
        let others = [
            longWindowLog.map { "long=\($0)" }, hasChecksum ? nil : "no-check",
            alignment.map { "align=\($0)" },
            hasContentSize ? nil : "no-content-size", widensWindow ? "wide" : nil, cutsByContent ? "rsyncable" : nil,
            adaptiveLevels.map { "adapt=\($0)" },
        ]
        let words = ["zstd-\(libraryVersion)", "level=\(level)", "frame-size=\(effectiveFrameSize)"]
        return (words + others.compactMap(\.self) + numbers).joined(separator: " ")
    }
}

/// Upper bounds of the memory needed for compression, known before it begins.
extension CompressionOptions {
    /// The memory of a context for which libzstd gives no estimate, in bytes: more than any level needs without
    /// long-distance matches.
    private static let unknownContext = 1 << 30
    /// The smallest and the largest job size of libzstd's own workers, in bytes (`ZSTDMT_JOBSIZE_MIN`,
    /// `ZSTDMT_JOBSIZE_MAX`).
    private static let jobSizes = 512 << 10...1 << 30
    /// The size of the largest content that libzstd does not split into jobs, in bytes.
    private static let smallestForJobs: UInt64 = 512 << 10

    /// The memory of a context that compresses `contentSize` bytes in one call, in bytes.
    package func contextMemory(contentSize: UInt64?) -> Int {
        guard let memory = parameters(contentSize: contentSize)?.contextMemory else { return Self.unknownContext }
        return memory + longMatchMemory(contentSize: contentSize)
    }

    /// The memory of a context, and of libzstd's own workers, for one frame with streamed content, in bytes.
    ///
    /// It does not include the dictionary, but the copy that workers digest (`ZSTDMT_initCStream_internal`).
    package func streamMemory(workers: Int, contentSize: UInt64?, dictionary: CompressionDictionary? = nil) -> Int {
        // libzstd chooses table sizes for content and dictionary together.
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

    /// The size of the largest window that a frame requires, in bytes.
    package func windowSize(contentSize: UInt64?) -> Int {
        let window = 1 << min(parameters(contentSize: contentSize)?[.windowLog] ?? 27, 31)
        return widensWindow ? max(window, Int(FrameFormat.widestPortableWindow)) : window
    }

    /// The size of each job of libzstd's own workers, in bytes.
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
        // libzstd interprets 0 as an unknown size.
        var parameters = LevelParameters(level: level, contentSize: contentSize.map { max(1, $0) })
        parameters?.take(self.parameters)
        if let longWindowLog {
            // libzstd makes the window no larger than the content.
            let log = contentSize.map { max(CompressionParameter.windowLog.bounds?.lowerBound ?? 10, $0.ceilingLog2) }
            parameters?[.windowLog] = min(longWindowLog, log ?? longWindowLog)
        }
        return parameters
    }

    /// The memory for long-distance matches in bytes: 8 for each table entry, and the same amount again for buckets and
    /// matches.
    private func longMatchMemory(contentSize: UInt64?) -> Int {
        guard let longWindowLog else { return 0 }
        let chosen = parameters[.ldmHashLog].flatMap { $0 > 0 ? $0 : nil }
        return 2 * 8 << (chosen ?? max(6, longWindowLog - 7))
    }
}

/// The parameters of a level (`ZSTD_getCParams`).
package struct LevelParameters: Sendable {
    /// In the order of libzstd. A `Dictionary` of seven numbers would take a tenth of the time of a small run.
    private var numbers = [UInt32](repeating: 0, count: 7)

    /// - Parameters:
    ///   - contentSize: the content size of the frame in bytes; nil if unknown.
    ///   - dictionarySize: the size of the dictionary in bytes.
    /// - Returns: nil if this libzstd does not provide them.
    package init?(level: Int, contentSize: UInt64?, dictionarySize: Int = 0) {
        let level = Int32(clamping: level)
        guard sluice_parameters_of_level(level, contentSize ?? 0, dictionarySize, &numbers) else { return nil }
    }

    /// The index of one of the seven parameters that every level has; nil for others.
    private static func place(of parameter: CompressionParameter) -> Int? {
        let names: [CompressionParameter.Name] = [
            .windowLog, .chainLog, .hashLog, .searchLog, .minMatch, .targetLength, .strategy,
        ]
        return names.firstIndex(of: parameter.name)
    }

    /// The value of one of the seven parameters; 0 for others, which can't be set.
    package subscript(parameter: CompressionParameter) -> Int {
        get { Self.place(of: parameter).map { Int(numbers[$0]) } ?? 0 }
        set { if let place = Self.place(of: parameter) { numbers[place] = UInt32(clamping: newValue) } }
    }

    /// The memory of a context with these parameters in bytes (`ZSTD_estimateCCtxSize_usingCParams`); nil if this
    /// libzstd can't estimate it.
    var contextMemory: Int? {
        let memory = sluice_memory_of_context(numbers)
        return memory > 0 && ZSTD_isError(memory) == 0 ? memory : nil
    }

    /// Replaces the level's parameters with those that were set explicitly.
    mutating func take(_ chosen: [CompressionParameter: Int]) {
        for (parameter, value) in chosen where value > 0 { self[parameter] = value }
    }
}
