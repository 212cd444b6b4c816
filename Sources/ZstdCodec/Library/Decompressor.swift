internal import CZstd

/// A decompression context of libzstd (`ZSTD_DCtx`), whose memory is reused for each frame.
package struct Decompressor: ~Copyable {
    private var context: OpaquePointer
    private let dictionary: DecompressionDictionary?
    let verifiesChecksums: Bool
    /// The bytes received of the streamed frame's header, and whether libzstd has got them.
    private var header: (bytes: [UInt8], isDone: Bool) = ([], false)
    /// The start of a block of the streamed frame that has not come as a whole.
    private var held: [UInt8] = []
    /// How many bytes libzstd asks for next: usually a block, and the header of the block after it.
    private var wanted = 0
    /// Whether libzstd may have content that it had no room for.
    private var hasOutput = false
    /// The most bytes of content that the context has kept of streamed frames.
    private var history: UInt64 = 0
    /// Whether libzstd has reached the end of the streamed frame.
    package private(set) var hasEnded = false
    /// The frames that the last call of `decompress` decoded and that end in no checksum.
    package private(set) var unchecked: [UncheckedFrame] = []

    /// - Throws: `outOfMemory`.
    package init(dictionary: DecompressionDictionary? = nil, verifiesChecksums: Bool = true) throws(CodecFailure) {
        context = try Self.makeContext(dictionary, verifiesChecksums: verifiesChecksums)
        self.dictionary = dictionary
        self.verifiesChecksums = verifiesChecksums
    }

    deinit { ZSTD_freeDCtx(context) }

    /// The memory that the context holds, in bytes (`ZSTD_sizeof_DCtx`).
    package var memory: Int { ZSTD_sizeof_DCtx(context) }

    /// Decompresses whole frames, one after another, and verifies their checksums.
    ///
    /// libzstd decodes each in one call (`ZSTD_decompressDCtx`), where matches may reach beyond the window, back to the
    /// start of the frame. Its streaming decoder rejects such matches, or finds other bytes there. So frames with more
    /// content than their window are streamed here too: a frame must have the same content however it arrives.
    ///
    /// - Parameters:
    ///   - content: memory for the frames' decompressed bound.
    ///   - offset: the start of the first frame in the input, for errors.
    /// - Returns: the number of decompressed bytes.
    package mutating func decompress(
        _ frames: RawSpan, into content: UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(CodecFailure) -> Int {
        unchecked.removeAll(keepingCapacity: true)
        return try decompress(frames, into: content, offset: offset, behind: 0)
    }

    /// - Parameter place: bytes of content that the same call has decoded before.
    private mutating func decompress(
        _ frames: RawSpan, into content: UnsafeMutableRawBufferPointer, offset: UInt64, behind place: Int
    ) throws(CodecFailure) -> Int {
        var (position, written) = (0, 0)
        while position < frames.byteCount {
            let rest = frames.extracting(position...)
            let room = UnsafeMutableRawBufferPointer(rebasing: content[written...])
            let start = offset + UInt64(position)
            let size = rest.withUnsafeBytes { ZSTD_findFrameCompressedSize($0.baseAddress, $0.count) }
            // Decoding will report what is wrong.
            if ZSTD_isError(size) != 0 { return written + (try decompressInOneGo(rest, room, start)) }
            let frame = rest.extracting(..<size)
            let count =
                Self.isNarrow(frame, room: room.count)
                ? try streamWhole(frame, room, start) : try decompressInOneGo(frame, room, start)
            if let header = FrameHeader(ofFrame: frame), !header.hasChecksum {
                unchecked.append(
                    UncheckedFrame(
                        input: start..<start + UInt64(size), content: place + written..<place + written + count,
                        statesSize: header.contentSize != nil))
            }
            written += count
            position += size
        }
        return written
    }

    private mutating func decompressInOneGo(
        _ frame: RawSpan, _ content: UnsafeMutableRawBufferPointer, _ offset: UInt64
    ) throws(CodecFailure) -> Int {
        try dictionary?.attachToFrame(of: context)
        let code = frame.withUnsafeBytes { frame in
            ZSTD_decompressDCtx(context, content.baseAddress, content.count, frame.baseAddress, frame.count)
        }
        return try decoded(code, frame, offset: offset)
    }

    private mutating func streamWhole(
        _ frame: RawSpan, _ content: UnsafeMutableRawBufferPointer, _ offset: UInt64
    ) throws(CodecFailure) -> Int {
        try begin()
        var rest = frame
        var written = 0
        while !hasEnded {
            let before = rest.byteCount
            let room = UnsafeMutableRawBufferPointer(rebasing: content[written...])
            let count = try stream(&rest, into: room, offset: offset).written
            written += count
            // The whole frame is available, so only memory can be missing.
            if count == 0, rest.byteCount == before, !hasEnded { try checked(Self.tooSmall, offset: offset) }
        }
        let stated = FrameHeader(ofFrame: frame)?.contentSize
        if let stated, stated != UInt64(written) { throw .damagedContent(offset: offset) }
        return written
    }

    /// Decompresses what the beginning of a frame holds.
    ///
    /// - Parameter content: memory for all of it.
    /// - Returns: the number of decompressed bytes; 0 if something else is wrong with the frame.
    /// - Throws: `outOfMemory`.
    package mutating func decompressBeginning(
        _ frame: RawSpan, into content: UnsafeMutableRawBufferPointer
    ) throws(CodecFailure) -> Int {
        do throws(CodecFailure) {
            try begin()
            var rest = frame
            return try stream(&rest, into: content, isLast: true, offset: 0).written
        } catch {
            if error == .outOfMemory { throw error }
            return 0
        }
    }

    /// Whether a frame may hold more than its window, according to its header or its blocks.
    private static func isNarrow(_ frame: RawSpan, room: Int) -> Bool {
        guard let header = FrameHeader(ofFrame: frame), header.isNarrow(for: UInt64(room)) else { return false }
        if let size = header.contentSize { return header.isNarrow(for: size) }
        var scanner = FrameScanner()
        return (try? scanner.scan(frame).ended).map { header.isNarrow(for: $0.blockBound) } ?? false
    }

    /// libzstd's return value for insufficient output memory (`ZSTD_error_dstSize_tooSmall`).
    private static let tooSmall = -Int(ZSTD_error_dstSize_tooSmall.rawValue)

    /// Begins a streamed frame.
    package mutating func begin() throws(CodecFailure) {
        try checked(ZSTD_DCtx_reset(context, ZSTD_reset_session_only))
        try dictionary?.attachToFrame(of: context)
        (header, hasEnded) = (([], false), false)
        (held, wanted, hasOutput) = ([], 0, false)
    }

    /// Decompresses a segment of one frame (`ZSTD_decompressStream`).
    ///
    /// libzstd gets blocks as a whole. It would decode a raw block in the pieces that come, and its buffer of the last
    /// content could begin again between two of them. What a match beyond the window finds depends on where that is.
    ///
    /// - Parameters:
    ///   - segment: on return, the bytes not consumed yet.
    ///   - isLast: whether the input ends with the segment, also within a block.
    ///   - offset: the start of the frame in the input, for errors.
    /// - Returns: the number of bytes written to `content`, and whether libzstd has nothing more to write now.
    package mutating func stream(
        _ segment: inout RawSpan, into content: UnsafeMutableRawBufferPointer, isLast: Bool = false, offset: UInt64
    ) throws(CodecFailure) -> (written: Int, isDone: Bool) {
        if !header.isDone {
            try takeHeader(&segment, offset: offset)
            if segment.isEmpty { return (0, true) }
        }
        var target = ZSTD_outBuffer(dst: content.baseAddress, size: content.count, pos: 0)
        while true {
            let count = hold(&segment, isLast: isLast)
            // libzstd takes a few calls without input for an error.
            if count == 0, !hasOutput { return (target.pos, segment.isEmpty) }
            if count == 0, target.pos == target.size { return (target.pos, false) }
            let before = target.pos
            let taken = try streamNext(count, of: &segment, into: &target, offset: offset)
            hasOutput = target.pos == target.size
            // What may be the checksum is taken with the last of the content: if it is wrong, that must not leave.
            let isFull = hasOutput && wanted != Self.checksumSize
            if hasEnded || isFull || count > 0 && taken == 0 && target.pos == before {
                return (target.pos, hasEnded && segment.isEmpty)
            }
        }
    }

    private static let checksumSize = 4
    /// The most bytes that libzstd asks for of a block.
    private static let mostHeld = FrameFormat.maximumBlockSize + FrameFormat.blockHeaderSize

    /// Holds bytes of a block that is not complete.
    ///
    /// - Returns: how many bytes libzstd gets next, of those that are held, or of the segment if none are.
    private mutating func hold(_ segment: inout RawSpan, isLast: Bool) -> Int {
        func complete(_ count: Int) -> Int? {
            if count >= wanted || isLast || wanted > Self.mostHeld { return min(count, wanted) }
            // A block is not kept waiting for the header of the next.
            let block = wanted - FrameFormat.blockHeaderSize
            return block > 0 && count >= block ? block : nil
        }
        if held.isEmpty, let count = complete(segment.byteCount) { return count }
        let more = segment.extracting(first: max(0, wanted - held.count))
        held.append(copying: more)
        segment = segment.extracting(droppingFirst: more.byteCount)
        return complete(held.count) ?? 0
    }

    /// Gives libzstd the bytes that `hold` has found; returns how many it consumed.
    private mutating func streamNext(
        _ count: Int, of segment: inout RawSpan, into target: inout ZSTD_outBuffer, offset: UInt64
    ) throws(CodecFailure) -> Int {
        if held.isEmpty {
            let taken = try stream(segment.extracting(first: count), into: &target, offset: offset)
            segment = segment.extracting(droppingFirst: taken)
            return taken
        }
        var bytes: [UInt8] = []
        swap(&bytes, &held)
        let taken = try stream(bytes.span.bytes.extracting(first: count), into: &target, offset: offset)
        bytes.removeFirst(taken)
        swap(&bytes, &held)
        return taken
    }

    /// - Returns: how many bytes of the segment were consumed.
    private mutating func stream(
        _ segment: RawSpan, into target: inout ZSTD_outBuffer, offset: UInt64
    ) throws(CodecFailure) -> Int {
        let (code, taken) = segment.withUnsafeBytes { segment in
            var source = ZSTD_inBuffer(src: segment.baseAddress, size: segment.count, pos: 0)
            return (ZSTD_decompressStream(context, &target, &source), source.pos)
        }
        wanted = try decoded(code, header.bytes.span.bytes, offset: offset)
        hasEnded = wanted == 0
        return taken
    }

    /// Passes only the header to libzstd: given the whole frame, it would decode the frame in one call.
    private mutating func takeHeader(_ segment: inout RawSpan, offset: UInt64) throws(CodecFailure) {
        var start = FrameStart.incomplete(needed: 1)
        // If no frame begins here, let libzstd report what is wrong.
        while case .incomplete = start, !segment.isEmpty {
            header.bytes.append(segment[0])
            segment = segment.extracting(droppingFirst: 1)
            let parsed = try? FrameStart(header.bytes.span.bytes, at: 0, isFirst: true)
            start = parsed ?? .skippable(rest: 0)
        }
        if case .incomplete = start { return }
        if case .frame(let header) = start { try makeRoom(for: header) }
        header.isDone = true
        let bytes = header.bytes
        var none = ZSTD_outBuffer(dst: nil, size: 0, pos: 0)
        _ = try stream(bytes.span.bytes, into: &none, offset: offset)
    }

    /// Makes the context keep no more content than the frame's window needs: otherwise, matches that reach farther
    /// would depend on earlier frames.
    private mutating func makeRoom(for header: FrameHeader) throws(CodecFailure) {
        // The context keeps all of the content.
        if let size = header.contentSize, size <= header.windowSize {
            history = max(history, size)
            return
        }
        let kept = header.windowSize + UInt64(header.blockLimit)
        if kept < history {
            let next = try Self.makeContext(dictionary, verifiesChecksums: verifiesChecksums)
            ZSTD_freeDCtx(context)
            (context, history) = (next, 0)
            try dictionary?.attachToFrame(of: context)
        }
        history = max(history, kept)
    }

    /// Checks the return value of a decoding function.
    ///
    /// - Parameter frame: at least its header.
    private func decoded(_ code: Int, _ frame: RawSpan, offset: UInt64) throws(CodecFailure) -> Int {
        if ZSTD_getErrorCode(code) == ZSTD_error_dictionary_wrong {
            throw .needsDictionary(
                identifier: frame.withUnsafeBytes { ZSTD_getDictID_fromFrame($0.baseAddress, $0.count) },
                offset: offset, given: dictionary?.identifier)
        }
        return try checked(code, offset: offset, hasDictionary: dictionary != nil)
    }

    /// Compares a checksum computed outside libzstd with the one at the end of the frame.
    ///
    /// - Throws: the failure that `stream` would throw.
    package func check(_ checksum: UInt32, against stored: UInt32?, offset: UInt64) throws(CodecFailure) {
        if checksum != stored { throw .wrongChecksum(offset: offset, hasDictionary: dictionary != nil) }
    }

    /// Compares a frame's actual content size with the one in its header.
    ///
    /// libzstd's streaming decoder does not do that after an empty block, the one for whole frames does: a frame has
    /// one verdict.
    ///
    /// - Throws: the failure that `stream` would throw elsewhere.
    package func check(_ size: UInt64, of frame: FrameScanner.Frame, offset: UInt64) throws(CodecFailure) {
        guard let header = frame.header, let stored = header.contentSize, size != stored else { return }
        // `ZSTD_decodingBufferSize`: for a frame with no more content than that, libzstd's buffer has just the content
        // size.
        let kept = header.windowSize + UInt64(header.blockLimit) + 64
        if size > stored, stored <= kept { try checked(Self.tooSmall, offset: offset) }
        throw .damagedContent(offset: offset)
    }

    private static func makeContext(
        _ dictionary: DecompressionDictionary?, verifiesChecksums: Bool
    ) throws(CodecFailure) -> OpaquePointer {
        guard let context = ZSTD_createDCtx() else { throw .outOfMemory }
        // `DecodingLimits` has already checked the window, so libzstd's own limit must not be lower.
        let largest = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound
        do {
            try checked(ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, largest))
            // `ZSTD_d_forceIgnoreChecksum`, under its name in the stable interface.
            if !verifiesChecksums { try checked(ZSTD_DCtx_setParameter(context, ZSTD_d_experimentalParam3, 1)) }
            try dictionary?.attach(to: context)
        } catch {
            ZSTD_freeDCtx(context)
            throw error
        }
        return context
    }
}

extension Decompressor {
    /// Decompresses whole entries of an index, each of which must have exactly the content size it claims.
    ///
    /// - Parameters:
    ///   - bytes: the bytes of the entries, starting at `offset` in the file.
    ///   - limits: frames beyond them are refused.
    ///   - content: memory for the entries' content.
    /// - Throws: as for other frames; if the index is wrong, `damagedSeekTable`, or `corrupt` if it does not come from
    ///   a table.
    package mutating func decompress(
        _ bytes: RawSpan, from offset: UInt64, in index: FrameIndex, within limits: DecodingLimits,
        into content: UnsafeMutableRawBufferPointer
    ) throws(CodecFailure) {
        unchecked.removeAll(keepingCapacity: true)
        var rest = bytes
        var (place, position) = (0, index.position(ofInput: offset) ?? index.count)
        while !rest.isEmpty {
            let entry = index[position]
            let frames = rest.extracting(..<entry.input.count)
            try index.check(frames, ofEntry: position, within: limits)
            let memory = UnsafeMutableRawBufferPointer(rebasing: content[place..<place + entry.content.count])
            let count = try decompress(frames, into: memory, offset: entry.input.lowerBound, behind: place)
            try index.check(contentSize: UInt64(count), ofEntry: position)
            rest = rest.extracting(frames.byteCount...)
            (place, position) = (place + memory.count, position + 1)
        }
    }
}

/// A frame that was decoded and that ends in no checksum.
package struct UncheckedFrame {
    /// Its bytes in the input.
    package let input: Range<UInt64>
    /// Its content among that of the call.
    package let content: Range<Int>
    /// Whether its header gives the size of the content.
    package let statesSize: Bool
}
