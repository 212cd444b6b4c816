internal import ByteStreams
internal import ForeignCodec
internal import ZstdCodec

/// Decodes what comes in parts: frames, and members of the other formats that are read, one after another.
///
/// As in zstd's own command, the first bytes of each say what it is, so that a file may go on in another format.
struct SegmentDecoder: ~Copyable {
    /// What the decoder of another format takes besides the window, in bytes.
    private static let decoderMemory: UInt64 = 1 << 20

    private let limits: DecodingLimits
    private var frames: FrameDecoder
    /// The decoder of the last other format, which is used again: most often there is but one.
    private var foreign: ForeignDecoder?
    /// The most that such decoders held, in bytes.
    private var foreignMemory = 0

    /// Whether a frame or a member has begun and not ended.
    private var isWithin = false
    /// What that is, or the last one was: nil for a frame.
    private var format: ForeignFormat?
    /// Whether there was anything but frames since `begin`.
    private(set) var hasForeign = false
    /// The first bytes of what comes next, as far as they came.
    private var magic: [UInt8] = []
    /// Bytes that were decoded since `begin`, and those of them before the member.
    private var position: UInt64 = 0
    private var start: UInt64 = 0
    /// What is thrown when the bytes before it have been given out.
    private var failure: Failure?

    /// Bytes that it holds at most.
    var memory: Int { frames.memory + foreignMemory }

    /// - Parameters:
    ///   - dictionary: what frames may refer to.
    ///   - checksum: what makes the checksums of frames, from what is handed on; nil if libzstd does.
    ///   - stages: what decodes frames on several cores.
    init(
        limits: DecodingLimits, dictionary: DecompressionDictionary? = nil, checksum: FrameChecksum? = nil,
        stages: Stages? = nil
    ) throws(Failure) {
        self.limits = limits
        frames = try FrameDecoder(limits: limits, dictionary: dictionary, checksum: checksum, stages: stages)
    }

    /// Begins anew, with other input.
    mutating func begin() {
        (isWithin, format, hasForeign, magic, position, start, failure) = (false, nil, false, [], 0, 0, nil)
    }

    /// Memory for the next step.
    func makeOutput() throws(Failure) -> OutputBuffer { try frames.makeOutput() }

    /// Decodes a part.
    ///
    /// - Parameters:
    ///   - part: on return, what was not taken yet.
    ///   - isLast: whether nothing comes after it.
    ///   - offset: where the first part begins in the input, for errors.
    /// - Returns: the bytes written to `output`, and whether everything that can be written now was.
    mutating func step(
        _ part: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool, offset: UInt64
    ) throws(Failure) -> (written: Int, isDone: Bool) {
        if let failure { throw failure }
        var written = 0
        do throws(Failure) {
            let isDone = try decodeMembers(&part, isLast: isLast, into: output, &written, offset: offset)
            if isDone, isLast { try finish(offset: offset) }
            return (written, isDone)
        } catch {
            failure = error
            guard written > 0 else { throw error }
            return (written, false)
        }
    }

    /// Lets leave what the last step wrote.
    mutating func handOn(_ piece: Bytes, leave: @escaping @Sendable () -> Void) { frames.handOn(piece, leave: leave) }

    /// Waits until everything that was handed on has left.
    func settle() { frames.settle() }

    /// Decodes until the part is taken or the output full.
    ///
    /// - Returns: whether the part is taken, and everything that can be written was.
    private mutating func decodeMembers(
        _ part: inout UnsafeRawBufferPointer, isLast: Bool, into output: UnsafeMutableRawBufferPointer,
        _ written: inout Int, offset: UInt64
    ) throws(Failure) -> Bool {
        while written < output.count {
            if !isWithin {
                guard takeMagic(&part) else { return true }
                try beginMember(into: output, from: written, offset: offset)
            }
            let step = try decode(&part, isLast: isLast, into: output, from: written, offset: offset)
            written += step.written
            isWithin = !step.hasEnded
            if step.isFull { return false }
            if isWithin, part.isEmpty { return true }
        }
        return false
    }

    /// Takes the first bytes of what comes next.
    ///
    /// - Returns: whether they are all there.
    private mutating func takeMagic(_ part: inout UnsafeRawBufferPointer) -> Bool {
        while true {
            let count = min(ForeignFormat.magicSize - magic.count, part.count)
            magic += part.prefix(count)
            part = UnsafeRawBufferPointer(rebasing: part.dropFirst(count))
            guard magic.count == ForeignFormat.magicSize else { return false }
            // Streams of xz may be padded with zeros, four at a time.
            guard format == .xz, magic.allSatisfy({ $0 == 0 }) else { return true }
            position += UInt64(magic.count)
            magic = []
        }
    }

    private mutating func beginMember(
        into output: UnsafeMutableRawBufferPointer, from written: Int, offset: UInt64
    ) throws(Failure) {
        start = position
        let next = ForeignFormat(magic: magic)
        if let next, next.isRead {
            try beginForeign(next)
        } else if magic.withUnsafeBytes(FrameScanner.isFrame) {
            if format != nil || start == 0 { frames.begin(at: offset + start) }
            try frames.beginFrame()
        } else {
            throw trailingBytes(at: offset + start)
        }
        format = next
        let first = magic
        magic = []
        // In no format do so few bytes have content.
        _ = try first.span.bytes.withUnsafeBytes { bytes throws(Failure) in
            var rest = bytes
            return try decode(&rest, isLast: false, into: output, from: written, offset: offset)
        }
    }

    private mutating func beginForeign(_ next: ForeignFormat) throws(Failure) {
        if format == nil, start > 0 { try frames.finish() }
        hasForeign = true
        do throws(ForeignFailure) {
            if foreign?.format != next {
                let memoryLimit = min(limits.windowSize, .max - Self.decoderMemory) + Self.decoderMemory
                foreign = try ForeignDecoder(next, memoryLimit: memoryLimit)
            }
            try foreign?.begin()
        } catch {
            throw .foreign(error)
        }
    }

    private mutating func decode(
        _ part: inout UnsafeRawBufferPointer, isLast: Bool, into output: UnsafeMutableRawBufferPointer,
        from written: Int, offset: UInt64
    ) throws(Failure) -> (written: Int, hasEnded: Bool, isFull: Bool) {
        let before = part.count
        defer { position += UInt64(before - part.count) }
        guard format != nil else { return try frames.decode(&part, isLast: isLast, into: output, from: written) }
        do throws(ForeignFailure) {
            let room = UnsafeMutableRawBufferPointer(rebasing: output[written...])
            let (count, hasEnded) = try foreign?.decode(&part, into: room, offset: offset + start) ?? (0, true)
            foreignMemory = max(foreignMemory, foreign?.memory ?? 0)
            return (count, hasEnded, count == room.count)
        } catch {
            throw .foreign(error)
        }
    }

    /// States that the input ends here.
    private func finish(offset: UInt64) throws(Failure) {
        if !magic.isEmpty { throw trailingBytes(at: offset + position) }
        guard let format else { return try frames.finish() }
        if isWithin { throw .foreign(.truncated(format, offset: offset + position)) }
    }

    private func trailingBytes(at offset: UInt64) -> Failure {
        guard let format else { return .codec(.trailingBytes(offset: offset)) }
        return .foreign(.trailingBytes(format, offset: offset))
    }
}
