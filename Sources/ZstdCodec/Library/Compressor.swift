internal import CZstd

/// A compression context of libzstd (`ZSTD_CCtx`), whose memory is reused for each frame.
package struct Compressor: ~Copyable {
    private let context: OpaquePointer
    private let dictionary: CompressionDictionary?
    /// The size of the streamed content in bytes; nil if unknown.
    private var announced: UInt64?
    /// How many bytes of it were consumed.
    private var taken: UInt64 = 0
    /// Whether the frame's header is still to come.
    private var isAtHeader = true
    private let widensWindow: Bool

    /// - Parameters:
    ///   - workers: the number of libzstd's own threads, which only `stream` uses; 0 to compress on the calling thread.
    ///   - dictionary: a dictionary made for the same options.
    /// - Throws: `outOfMemory`, `parameter`.
    package init(
        _ options: CompressionOptions, workers: Int = 0, dictionary: CompressionDictionary? = nil
    ) throws(CodecFailure) {
        try options.check()
        guard let context = ZSTD_createCCtx() else { throw .outOfMemory }
        do {
            for (parameter, value) in Self.parameters(options, workers: workers) {
                try checked(ZSTD_CCtx_setParameter(context, parameter, Int32(clamping: value)))
            }
            try dictionary?.attach(to: context)
        } catch {
            ZSTD_freeCCtx(context)
            throw error
        }
        (self.context, self.dictionary) = (context, dictionary)
        widensWindow = options.widensWindow
    }

    deinit { ZSTD_freeCCtx(context) }

    /// The memory that the context holds, in bytes (`ZSTD_sizeof_CCtx`).
    package var memory: Int { ZSTD_sizeof_CCtx(context) }

    /// Sets the level of the next frame, or of the rest of a frame that libzstd's workers have started
    /// (`ZSTD_CCtx_setParameter`).
    package mutating func setLevel(_ level: Int) throws(CodecFailure) {
        try checked(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Int32(clamping: level)))
        // A digest keeps the level that it was made for. Only the first job of a frame uses the dictionary.
        if taken == 0 { try dictionary?.attach(to: context) }
    }

    /// Compresses `content` into one frame, in slices that give the bytes of one call, where libzstd does that.
    ///
    /// - Parameters:
    ///   - frame: room for `CompressionOptions.bound(content.count)` bytes.
    ///   - goesOn: is told after each slice but the last one how many bytes of content it had; returns whether to go
    ///     on.
    /// - Returns: the size of the frame in bytes; nil if it was not to go on.
    package mutating func compress(
        _ content: RawSpan, into frame: UnsafeMutableRawBufferPointer, goesOn: (_ consumed: Int) -> Bool
    ) throws(CodecFailure) -> Int? {
        guard content.byteCount > Self.sliceSize, Self.makesSlices else {
            return try compress(content, into: frame)
        }
        guard let size = try compressInSlices(content, into: frame, goesOn) else { return nil }
        widenWindow(of: UnsafeMutableRawBufferPointer(rebasing: frame[..<size]), toHold: UInt64(content.byteCount))
        return size
    }

    /// Compresses `content` into one frame in one call (`ZSTD_compress2`).
    ///
    /// - Parameter frame: room for `CompressionOptions.bound(content.count)` bytes.
    /// - Returns: the size of the frame in bytes.
    package mutating func compress(
        _ content: RawSpan, into frame: UnsafeMutableRawBufferPointer
    ) throws(CodecFailure) -> Int {
        try dictionary?.attachToFrame(of: context)
        let size = try content.withUnsafeBytes { content throws(CodecFailure) in
            try checked(ZSTD_compress2(context, frame.baseAddress, frame.count, content.baseAddress, content.count))
        }
        widenWindow(of: UnsafeMutableRawBufferPointer(rebasing: frame[..<size]), toHold: UInt64(content.byteCount))
        return size
    }

    /// libzstd can't be told to do it: a larger window finds other matches, in larger tables.
    private func widenWindow(of frame: UnsafeMutableRawBufferPointer, toHold contentSize: UInt64) {
        if widensWindow { FrameHeader.widenWindow(of: frame, toHold: contentSize) }
    }

    /// As `ZSTD_compress2` does, with buffers that stay in place (`ZSTD_c_stableInBuffer`, `ZSTD_c_stableOutBuffer`),
    /// but several blocks at a time.
    private mutating func compressInSlices(
        _ content: RawSpan, into frame: UnsafeMutableRawBufferPointer, _ goesOn: (_ consumed: Int) -> Bool
    ) throws(CodecFailure) -> Int? {
        try begin(contentSize: UInt64(content.byteCount))
        try setStableBuffers(true)
        defer {
            // A frame that was begun can't take parameters.
            _ = ZSTD_CCtx_reset(context, ZSTD_reset_session_only)
            try? setStableBuffers(false)
        }
        var target = ZSTD_outBuffer(dst: frame.baseAddress, size: frame.count, pos: 0)
        return try content.withUnsafeBytes { content throws(CodecFailure) -> Int? in
            var source = ZSTD_inBuffer(src: content.baseAddress, size: 0, pos: 0)
            while true {
                source.size = min(content.count, source.size + Self.sliceSize)
                let isLast = source.size == content.count
                let end = isLast ? ZSTD_e_end : ZSTD_e_continue
                let left = try checked(ZSTD_compressStream2(context, &target, &source, end))
                if isLast { return left == 0 ? target.pos : try checked(Self.tooSmall) }
                guard goesOn(Self.sliceSize) else { return nil }
            }
        }
    }

    private func setStableBuffers(_ areStable: Bool) throws(CodecFailure) {
        for parameter in Self.stableBuffers {
            try checked(ZSTD_CCtx_setParameter(context, parameter, areStable ? 1 : 0))
        }
    }

    /// Bytes of content in a slice: whole blocks, which take a quarter of a second at the highest level.
    static let sliceSize = 256 << 10
    /// `ZSTD_c_stableInBuffer` and `ZSTD_c_stableOutBuffer`, under their names in the stable interface.
    private static let stableBuffers = [ZSTD_c_experimentalParam9, ZSTD_c_experimentalParam10]
    /// libzstd's return value for insufficient output memory (`ZSTD_error_dstSize_tooSmall`).
    private static let tooSmall = -Int(ZSTD_error_dstSize_tooSmall.rawValue)
    /// The versions whose slices make the same bytes as one call. From 1.5.7 on, libzstd looks further ahead to decide
    /// where blocks end.
    private static let slicedVersions: ClosedRange<UInt32> = 10504...10506

    /// Whether the libzstd that runs makes the same bytes of slices as in one call.
    static let makesSlices = slicedVersions.contains(ZSTD_versionNumber())

    /// Begins a frame with streamed content (`ZSTD_CCtx_setPledgedSrcSize`).
    ///
    /// - Parameter contentSize: its content size in bytes, for the frame's header; nil if unknown.
    package mutating func begin(contentSize: UInt64?) throws(CodecFailure) {
        try checked(ZSTD_CCtx_reset(context, ZSTD_reset_session_only))
        try dictionary?.attachToFrame(of: context)
        try checked(ZSTD_CCtx_setPledgedSrcSize(context, contentSize ?? UInt64.max))
        announced = contentSize
        (taken, isAtHeader) = (0, true)
    }

    /// Compresses a segment of the content of one frame (`ZSTD_compressStream2`).
    ///
    /// - Parameters:
    ///   - content: on return, the bytes not consumed yet.
    ///   - output: has room for a frame's header.
    ///   - isLast: whether the frame ends with this content.
    /// - Returns: the number of bytes written to `output`, and whether libzstd has nothing more to write now.
    /// - Throws: `contentSizeMismatch` if the segments do not add up to the announced size.
    package mutating func stream(
        _ content: inout RawSpan, into output: UnsafeMutableRawBufferPointer, isLast: Bool
    ) throws(CodecFailure) -> (written: Int, isDone: Bool) {
        try checkSize(taken + UInt64(content.byteCount), isWhole: isLast)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let (left, count) = try content.withUnsafeBytes { content throws(CodecFailure) in
            var source = ZSTD_inBuffer(src: content.baseAddress, size: content.count, pos: 0)
            let end = isLast ? ZSTD_e_end : ZSTD_e_continue
            return (try checked(ZSTD_compressStream2(context, &target, &source, end)), source.pos)
        }
        content = content.extracting(droppingFirst: count)
        taken += UInt64(count)
        if isAtHeader, target.pos > 0 {
            isAtHeader = false
            if let announced {
                widenWindow(of: UnsafeMutableRawBufferPointer(rebasing: output[..<target.pos]), toHold: announced)
            }
        }
        return (target.pos, isLast ? left == 0 : content.isEmpty && target.pos < target.size)
    }

    /// Reports a wrong size at once, with the numbers; libzstd would report only the fact, and with workers only at the
    /// end.
    private func checkSize(_ size: UInt64, isWhole: Bool) throws(CodecFailure) {
        guard let announced, isWhole ? size != announced : size > announced else { return }
        throw .contentSizeMismatch(announced: announced, actual: isWhole ? size : nil)
    }

    private static func parameters(_ options: CompressionOptions, workers: Int) -> [(ZSTD_cParameter, Int)] {
        var parameters = [
            (ZSTD_c_compressionLevel, options.level), (ZSTD_c_checksumFlag, options.hasChecksum ? 1 : 0),
            (ZSTD_c_contentSizeFlag, options.hasContentSize ? 1 : 0),
            (ZSTD_c_dictIDFlag, options.hasDictionaryIdentifier ? 1 : 0), (ZSTD_c_nbWorkers, workers),
        ]
        if let windowLog = options.longWindowLog {
            parameters += [(ZSTD_c_enableLongDistanceMatching, 1), (ZSTD_c_windowLog, windowLog)]
        }
        if options.adaptiveLevels != nil, workers > 0 {
            // The window keeps its initial size (that of level 3), and a job must not be smaller than the part of the
            // window that it refers back to.
            parameters.append((ZSTD_c_jobSize, options.effectiveFrameSize))
            if options.longWindowLog == nil { parameters.append((ZSTD_c_windowLog, 21)) }
        }
        if options.cutsByContent, workers > 0 { parameters.append((CompressionParameter.contentCuts, 1)) }
        return parameters + options.parameters.map { ($0.key.parameter, $0.value) }
    }
}
