internal import CZstd

/// A decompression context of libzstd (`ZSTD_DCtx`), whose memory is used again for each frame.
package struct Decompressor: ~Copyable {
    private var context: OpaquePointer
    private let dictionary: DecompressionDictionary?
    let verifiesChecksums: Bool
    /// The header of the frame that is streamed, as far as it came, and whether libzstd has it.
    private var header: (bytes: [UInt8], isDone: Bool) = ([], false)
    /// Bytes of content that the context keeps of streamed frames.
    private var history: UInt64 = 0
    /// Whether libzstd has seen the end of the frame that is streamed.
    package private(set) var hasEnded = false

    /// - Throws: `outOfMemory`.
    package init(dictionary: DecompressionDictionary? = nil, verifiesChecksums: Bool = true) throws(CodecFailure) {
        context = try Self.makeContext(dictionary, verifiesChecksums: verifiesChecksums)
        self.dictionary = dictionary
        self.verifiesChecksums = verifiesChecksums
    }

    deinit { ZSTD_freeDCtx(context) }

    /// Bytes that the context holds (`ZSTD_sizeof_DCtx`).
    package var memory: Int { ZSTD_sizeof_DCtx(context) }

    /// Decompresses whole frames, one after another, and verifies their checksums.
    ///
    /// libzstd decodes each in one go (`ZSTD_decompressDCtx`), where matches may reach beyond the window, to the start
    /// of the frame. Its streaming decoder does not let them, or finds other bytes there: frames with more content than
    /// their window come from that, so that a frame has one content, however it comes.
    ///
    /// - Parameters:
    ///   - content: room for the frames' decompressed bound.
    ///   - offset: where the first frame begins in the input, for errors.
    /// - Returns: the decompressed bytes.
    package mutating func decompress(
        _ frames: UnsafeRawBufferPointer, into content: UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(CodecFailure) -> Int {
        var (position, written) = (0, 0)
        while position < frames.count {
            let rest = UnsafeRawBufferPointer(rebasing: frames[position...])
            let room = UnsafeMutableRawBufferPointer(rebasing: content[written...])
            let start = offset + UInt64(position)
            let size = ZSTD_findFrameCompressedSize(rest.baseAddress, rest.count)
            // Decoding reports what is wrong.
            if ZSTD_isError(size) != 0 { return written + (try decompressInOneGo(rest, room, start)) }
            let frame = UnsafeRawBufferPointer(rebasing: rest[..<size])
            if Self.isNarrow(frame, room: room.count) {
                written += try streamWhole(frame, room, start)
            } else {
                written += try decompressInOneGo(frame, room, start)
            }
            position += size
        }
        return written
    }

    private mutating func decompressInOneGo(
        _ frame: UnsafeRawBufferPointer, _ content: UnsafeMutableRawBufferPointer, _ offset: UInt64
    ) throws(CodecFailure) -> Int {
        try dictionary?.attachToFrame(of: context)
        let code = ZSTD_decompressDCtx(context, content.baseAddress, content.count, frame.baseAddress, frame.count)
        return try decoded(code, frame, offset: offset)
    }

    private mutating func streamWhole(
        _ frame: UnsafeRawBufferPointer, _ content: UnsafeMutableRawBufferPointer, _ offset: UInt64
    ) throws(CodecFailure) -> Int {
        try begin()
        var (rest, written) = (frame, 0)
        while !hasEnded {
            let before = rest.count
            let room = UnsafeMutableRawBufferPointer(rebasing: content[written...])
            let count = try stream(&rest, into: room, offset: offset).written
            written += count
            // The whole frame is at hand, so only room can be missing.
            if count == 0, rest.count == before, !hasEnded { try checked(Self.tooSmall, offset: offset) }
        }
        return written
    }

    /// Whether a frame may hold more than its window, according to its header or its blocks.
    private static func isNarrow(_ frame: UnsafeRawBufferPointer, room: Int) -> Bool {
        guard let header = FrameHeader(ofFrame: frame), header.isNarrow(for: UInt64(room)) else { return false }
        if let size = header.contentSize { return header.isNarrow(for: size) }
        var scanner = FrameScanner()
        return (try? scanner.scan(frame).ended).map { header.isNarrow(for: $0.blockBound) } ?? false
    }

    /// libzstd's return value for too little room (`ZSTD_error_dstSize_tooSmall`).
    private static let tooSmall = -Int(ZSTD_error_dstSize_tooSmall.rawValue)

    /// Begins a frame that is streamed.
    package mutating func begin() throws(CodecFailure) {
        try checked(ZSTD_DCtx_reset(context, ZSTD_reset_session_only))
        try dictionary?.attachToFrame(of: context)
        (header, hasEnded) = (([], false), false)
    }

    /// Decompresses a segment of one frame (`ZSTD_decompressStream`).
    ///
    /// - Parameters:
    ///   - segment: on return, the bytes that were not taken yet.
    ///   - offset: where the frame begins in the input, for errors.
    /// - Returns: the bytes written to `content`, and whether libzstd has nothing more to write now.
    package mutating func stream(
        _ segment: inout UnsafeRawBufferPointer, into content: UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(CodecFailure) -> (written: Int, isDone: Bool) {
        if !header.isDone {
            try takeHeader(&segment, offset: offset)
            if segment.isEmpty { return (0, true) }
        }
        var target = ZSTD_outBuffer(dst: content.baseAddress, size: content.count, pos: 0)
        while true {
            let taken = try stream(segment, into: &target, offset: offset)
            segment = UnsafeRawBufferPointer(rebasing: segment.dropFirst(taken))
            if hasEnded || segment.isEmpty || target.pos == target.size || taken == 0 {
                return (target.pos, segment.isEmpty && (hasEnded || target.pos < target.size))
            }
        }
    }

    /// - Returns: how many bytes of the segment were taken.
    private mutating func stream(
        _ segment: UnsafeRawBufferPointer, into target: inout ZSTD_outBuffer, offset: UInt64
    ) throws(CodecFailure) -> Int {
        var source = ZSTD_inBuffer(src: segment.baseAddress, size: segment.count, pos: 0)
        let code = ZSTD_decompressStream(context, &target, &source)
        let left = try header.bytes.span.bytes.withUnsafeBytes { header throws(CodecFailure) in
            try decoded(code, header, offset: offset)
        }
        hasEnded = left == 0
        return source.pos
    }

    /// Gives libzstd the header alone: with the whole frame after it, it would decode the frame in one go.
    private mutating func takeHeader(_ segment: inout UnsafeRawBufferPointer, offset: UInt64) throws(CodecFailure) {
        var start = FrameStart.incomplete(needed: 1)
        // If no frame begins there, libzstd says what is wrong.
        while case .incomplete = start, !segment.isEmpty {
            header.bytes.append(segment[0])
            segment = UnsafeRawBufferPointer(rebasing: segment.dropFirst())
            let parsed = header.bytes.withUnsafeBytes { try? FrameStart($0, at: 0, isFirst: true) }
            start = parsed ?? .skippable(rest: 0)
        }
        if case .incomplete = start { return }
        if case .frame(let header) = start { try makeRoom(for: header) }
        header.isDone = true
        let bytes = header.bytes
        var none = ZSTD_outBuffer(dst: nil, size: 0, pos: 0)
        _ = try bytes.span.bytes.withUnsafeBytes { bytes throws(CodecFailure) in
            try stream(bytes, into: &none, offset: offset)
        }
    }

    /// Makes the context keep no more content than the frame's window needs: matches that reach farther would otherwise
    /// depend on the frames before.
    private mutating func makeRoom(for header: FrameHeader) throws(CodecFailure) {
        // The context keeps the whole content.
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

    /// Checks the return value of a function that decodes.
    ///
    /// - Parameter frame: its header, at least.
    private func decoded(
        _ code: Int, _ frame: UnsafeRawBufferPointer, offset: UInt64
    ) throws(CodecFailure) -> Int {
        if ZSTD_getErrorCode(code) == ZSTD_error_dictionary_wrong {
            throw .needsDictionary(
                identifier: ZSTD_getDictID_fromFrame(frame.baseAddress, frame.count), offset: offset,
                given: dictionary?.identifier)
        }
        return try checked(code, offset: offset, hasDictionary: dictionary != nil)
    }

    /// Compares a checksum that was computed outside libzstd with the one at the frame's end.
    ///
    /// - Throws: the failure that `stream` would throw.
    package func check(_ checksum: UInt32, against stored: UInt32?, offset: UInt64) throws(CodecFailure) {
        if checksum != stored { throw .wrongChecksum(offset: offset, hasDictionary: dictionary != nil) }
    }

    /// Compares how much content a frame had with what its header says.
    ///
    /// - Throws: the failure that `stream` would throw, which does not compare it after an empty block.
    package func check(_ size: UInt64, of frame: FrameScanner.Frame, offset: UInt64) throws(CodecFailure) {
        guard let header = frame.header, let stored = header.contentSize, size != stored else { return }
        // `ZSTD_decodingBufferSize`: a frame that holds less than it keeps has no more room than that.
        let kept = header.windowSize + UInt64(header.blockLimit) + 64
        if size > stored, stored <= kept { try checked(Self.tooSmall, offset: offset) }
        if !frame.endsEmpty { throw .damagedContent(offset: offset) }
    }

    private static func makeContext(
        _ dictionary: DecompressionDictionary?, verifiesChecksums: Bool
    ) throws(CodecFailure) -> OpaquePointer {
        guard let context = ZSTD_createDCtx() else { throw .outOfMemory }
        // `DecodingLimits` has checked the window, so libzstd's own limit must not be lower.
        let largest = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound
        do {
            try checked(ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, largest))
            // `ZSTD_d_forceIgnoreChecksum`, by its name in the stable interface.
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
    /// Decompresses whole entries of an index, each of which must have exactly the content that it says. A checksum
    /// that only the seek table has is verified as the frame's own would be.
    ///
    /// - Parameters:
    ///   - bytes: those of the entries, from `offset` in the file on.
    ///   - content: room for what the entries say.
    /// - Throws: as for other frames; `damagedSeekTable`, or `corrupt` for another index, if the index is wrong.
    package mutating func decompress(
        _ bytes: UnsafeRawBufferPointer, from offset: UInt64, in index: FrameIndex,
        into content: UnsafeMutableRawBufferPointer
    ) throws(CodecFailure) {
        var (rest, room, position) = (bytes, content, index.position(ofInput: offset) ?? index.count)
        while !rest.isEmpty {
            let entry = index[position]
            let frames = UnsafeRawBufferPointer(rebasing: rest[..<entry.input.count])
            let memory = UnsafeMutableRawBufferPointer(rebasing: room[..<entry.content.count])
            let start = entry.input.lowerBound
            let count = try decompress(frames, into: memory, offset: start)
            try index.check(contentSize: UInt64(count), ofEntry: position)
            if verifiesChecksums, let checksum = entry.checksum, FrameHeader(ofFrame: frames)?.hasChecksum == false,
                checksum != ContentChecksum.of(UnsafeRawBufferPointer(memory))
            {
                // Either of the two may be damaged.
                let reason = "its content does not match the seek table's checksum, and the frame has none"
                throw .corrupt(reason: reason, offset: start)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[frames.count...])
            room = UnsafeMutableRawBufferPointer(rebasing: room[memory.count...])
            position += 1
        }
    }
}

extension Decompressor {
    /// Begins between two blocks of a frame, in the state that the blocks before would have left.
    ///
    /// libzstd takes that state only as a frame. This one holds the window twice: matches in the blocks that set the
    /// offsets and the tables need content to refer to, and the content that those blocks make must not come between
    /// the window and the blocks that follow.
    ///
    /// - Parameters:
    ///   - header: the frame's header.
    ///   - content: the content before, as far back as the window reaches.
    ///   - blocks: compressed blocks that set the tables and the repeated offsets.
    ///   - scratch: memory that may be overwritten.
    package mutating func begin(
        within header: FrameHeader, behind content: UnsafeRawBufferPointer, restoring blocks: [UInt8],
        scratch: UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(CodecFailure) {
        try begin()
        try drop(header.withoutSizes(window: header.windowSize), scratch, offset)
        try drop(content, limit: header.blockLimit, scratch, offset)
        try drop(blocks, scratch, offset)
        try drop(content, limit: header.blockLimit, scratch, offset)
    }

    /// Decodes content as raw blocks.
    private mutating func drop(
        _ content: UnsafeRawBufferPointer, limit: Int, _ scratch: UnsafeMutableRawBufferPointer, _ offset: UInt64
    ) throws(CodecFailure) {
        var rest = content
        while !rest.isEmpty {
            let block = UnsafeRawBufferPointer(rebasing: rest.prefix(limit))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(block.count))
            // RFC 8878, 3.1.1.2.
            let header = block.count << 3
            try drop([UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16)], scratch, offset)
            try drop(block, scratch, offset)
        }
    }

    private mutating func drop(
        _ bytes: [UInt8], _ scratch: UnsafeMutableRawBufferPointer, _ offset: UInt64
    ) throws(CodecFailure) {
        try bytes.span.bytes.withUnsafeBytes { bytes throws(CodecFailure) in try drop(bytes, scratch, offset) }
    }

    private mutating func drop(
        _ bytes: UnsafeRawBufferPointer, _ scratch: UnsafeMutableRawBufferPointer, _ offset: UInt64
    ) throws(CodecFailure) {
        var (rest, isDone) = (bytes, false)
        while !isDone { isDone = try stream(&rest, into: scratch, offset: offset).isDone }
    }
}
