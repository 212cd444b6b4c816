internal import CLzma

/// Decodes xz streams with liblzma's block decoder, and verifies checks, index and footer like its stream decoder.
/// Unlike that one, it can begin between blocks.
final class XzDecoder: ForeignDecoder {
    private enum Step { case header, blockHeader, block, index, footer }

    private let memoryLimit: UInt64
    private var stream = lzma_stream()
    private var step = Step.header
    private var flags = lzma_stream_flags()
    private var block: XzBlock?
    private var hash: XzIndexHash?
    /// The bytes of a header or footer received so far.
    private var gathered: [UInt8] = []
    private var endsBetweenBlocks = false
    /// The sizes of the next blocks, if only these are decoded.
    private var expected: ArraySlice<XzPlace.Sizes> = []
    private(set) var memory = 0

    init(memoryLimit: UInt64) { self.memoryLimit = memoryLimit }

    deinit { lzma_end(&stream) }

    func begin(at place: XzPlace?) throws(ForeignFailure) {
        (step, gathered) = (place == nil ? .header : .blockHeader, [])
        expected = place?.expected ?? []
        endsBetweenBlocks = !expected.isEmpty
        // The index lists all blocks of the stream, also those before the place.
        hash = try XzIndexHash(place?.blocks ?? [])
        // The place contains a header that was read before.
        if let place { try lzma_stream_header_decode(&flags, place.header).check(.xz, place.start) }
    }

    var mayEnd: Bool { endsBetweenBlocks && step == .blockHeader && gathered.isEmpty }

    func decode(
        _ segment: inout RawSpan, into room: inout UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(ForeignFailure) -> Bool {
        // Each step ends with its part of the stream, so continue until a step makes no progress.
        while true {
            let (before, free) = (segment.byteCount, room.count)
            if try advance(&segment, &room, offset) { return true }
            if segment.byteCount == before, room.count == free { return false }
        }
    }

    /// Runs the current step as far as bytes are available; returns whether the stream has ended.
    private func advance(
        _ rest: inout RawSpan, _ room: inout UnsafeMutableRawBufferPointer, _ offset: UInt64
    ) throws(ForeignFailure) -> Bool {
        switch step {
        case .header:
            guard let header = gather(XzPlace.headerSize, from: &rest) else { return false }
            try lzma_stream_header_decode(&flags, header).check(.xz, offset)
            if lzma_check_is_supported(flags.check) == 0 { try LZMA_UNSUPPORTED_CHECK.check(.xz, offset) }
            step = .blockHeader
        case .blockHeader:
            guard let first = gathered.first ?? rest.withUnsafeBytes(\.first) else { return false }
            if XzPlace.isIndex(first) {
                step = .index
                try compareIndex(&rest, offset)
                return false
            }
            guard let header = gather(XzPlace.headerSize(ofBlock: first), from: &rest) else { return false }
            try beginBlock(header, offset)
        case .block: try decodeBlock(&rest, &room, offset)
        case .index: try compareIndex(&rest, offset)
        case .footer:
            guard let footer = gather(XzPlace.headerSize, from: &rest) else { return false }
            try compareFooter(footer, offset)
            return true
        }
        return false
    }

    /// The next `count` bytes, once all of them are available.
    private func gather(_ count: Int, from rest: inout RawSpan) -> [UInt8]? {
        let more = min(count - gathered.count, rest.byteCount)
        rest.withUnsafeBytes { gathered += $0.prefix(more) }
        rest.drop(more)
        guard gathered.count == count else { return nil }
        defer { gathered = [] }
        return gathered
    }

    private func beginBlock(_ header: [UInt8], _ offset: UInt64) throws(ForeignFailure) {
        let block = XzBlock(header, check: flags.check)
        try block.code.check(.xz, offset)
        // liblzma reports UINT64_MAX for filters that it does not know.
        if block.memory == .max { try LZMA_OPTIONS_ERROR.check(.xz, offset) }
        guard block.memory <= memoryLimit else {
            throw .needsMemory(.xz, bytes: block.memory, limit: memoryLimit, offset: offset)
        }
        if let sizes = expected.popFirst(), !block.expect(sizes) { try LZMA_DATA_ERROR.check(.xz, offset) }
        memory = Int(clamping: block.memory)
        // This reuses the memory of the last block.
        try block.begin(&stream).check(.xz, offset)
        self.block = consume block
        step = .block
    }

    private func decodeBlock(
        _ rest: inout RawSpan, _ room: inout UnsafeMutableRawBufferPointer, _ offset: UInt64
    ) throws(ForeignFailure) {
        let code = stream.code(&rest, into: &room)
        try code.check(.xz, offset)
        guard code == LZMA_STREAM_END else { return }
        if let sizes = block?.sizes, let code = hash?.append(sizes) { try code.check(.xz, offset) }
        block = nil
        step = .blockHeader
    }

    private func compareIndex(_ rest: inout RawSpan, _ offset: UInt64) throws(ForeignFailure) {
        guard !rest.isEmpty, let code = hash?.decode(&rest) else { return }
        try code.check(.xz, offset)
        if code == LZMA_STREAM_END { step = .footer }
    }

    private func compareFooter(_ footer: [UInt8], _ offset: UInt64) throws(ForeignFailure) {
        var found = lzma_stream_flags()
        var header = flags
        let code = lzma_stream_footer_decode(&found, footer)
        // A wrong magic number at the end of a stream is damage, not another format.
        try (code == LZMA_FORMAT_ERROR ? LZMA_DATA_ERROR : code).check(.xz, offset)
        guard found.backward_size == hash?.size else { return try LZMA_DATA_ERROR.check(.xz, offset) }
        try lzma_stream_flags_compare(&header, &found).check(.xz, offset)
    }
}
