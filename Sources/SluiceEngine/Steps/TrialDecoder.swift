/// Decodes frames in bounded memory and drops the content, to find out whether they are whole.
final class TrialDecoder {
    private static let bufferSize = 1 << 20

    private let file: DamagedFile
    private let limits: DecodingLimits
    private let dictionary: DecompressionDictionary?
    /// Proves frames without a checksum; nil if nothing does.
    private let listed: ListedContents?
    private var decoder: FrameDecoder
    private let input: HeapMemory
    private let output: HeapMemory
    /// Bytes of input and output of the last trial.
    private var work: UInt64 = 0

    init(
        _ file: DamagedFile, _ limits: DecodingLimits, _ dictionary: DecompressionDictionary?,
        _ listed: ListedContents? = nil
    ) throws(Failure) {
        self.file = file
        self.limits = limits
        self.listed = limits.verifiesChecksums ? listed : nil
        self.dictionary = dictionary
        input = HeapMemory(try OutputBuffer.allocate(Self.bufferSize))
        output = HeapMemory(try OutputBuffer.allocate(Self.bufferSize))
        decoder = try FrameDecoder(limits: limits, dictionary: dictionary)
    }

    /// Decodes what may be a frame (`FrameTrial`).
    func prove(_ range: Range<UInt64>, most: UInt64) throws(Failure) -> (verdict: FrameVerdict, work: UInt64) {
        work = 0
        defer { dropLargeWindow() }
        do throws(Failure) { return (try decode(range, most: most), work) } catch {
            guard error.codecFailure != nil else { throw error }
            return (.failed(error.message), work)
        }
    }

    /// Releases a window that is so large that only one decoder may have it at a time.
    private func dropLargeWindow() {
        guard limits.isLarge(decoder.memory), let next = try? FrameDecoder(limits: limits, dictionary: dictionary)
        else { return }
        decoder = next
    }

    private func decode(_ range: Range<UInt64>, most: UInt64) throws(Failure) -> FrameVerdict {
        decoder.begin(at: range.lowerBound)
        try decoder.beginFrame()
        let (entry, statesSize) = try entry(of: range)
        var hash = try codec(ContentChecksum())
        var (next, content, hasEnded) = (range.lowerBound, UInt64(0), false)
        while next < range.upperBound, !hasEnded {
            let count = min(range.upperBound - next, UInt64(Self.bufferSize))
            try file.read(at: next, into: input.writable.extracting(..<Int(count)))
            guard file.isLegible(next..<next + count) else { return .failed("it can't be read") }
            next += count
            var rest = input.bytes.bytes.extracting(..<Int(count))
            var isDone = false
            while !isDone {
                let (written, isEnd, _) = try decoder.decode(
                    &rest, isLast: next == range.upperBound, into: output.writable)
                hasEnded = isEnd
                if entry != nil { hash.append(output.bytes.bytes.extracting(..<written)) }
                isDone = hasEnded || rest.isEmpty && written < output.count
                content += UInt64(written)
                work = next - range.lowerBound + content
                guard work <= most else { return .failed("too much looks like a frame here") }
            }
            guard rest.isEmpty else { return .failed("it ends before its blocks do") }
        }
        guard hasEnded, next == range.upperBound else { return .cut(content) }
        if let entry { try codec(entry.check(size: content, statesSize: statesSize, hash.value)) }
        return .whole(content)
    }

    /// Whether a checksum, of the frame itself or of the seek table, proves a frame that decodes.
    func hasChecksum(_ range: Range<UInt64>) throws(Failure) -> Bool {
        guard limits.verifiesChecksums else { return false }
        if try entry(of: range).entry != nil { return true }
        return try hasFrameChecksum(range)
    }

    /// Whether a frame needs another dictionary, or a larger window than is allowed, so that a trial proves nothing.
    func needsMore(_ range: Range<UInt64>) throws(Failure) -> Bool {
        let start = input.writable.extracting(..<min(FrameHeader.mostBytes, range.count))
        try file.read(at: range.lowerBound, into: start)
        guard let header = FrameHeader(ofFrame: start.bytes) else { return false }
        do throws(CodecFailure) { try limits.check(header, at: range.lowerBound) } catch { return true }
        return false
    }

    /// Whether a frame has a checksum of its own.
    func hasFrameChecksum(_ range: Range<UInt64>) throws(Failure) -> Bool {
        let start = input.writable.extracting(..<min(FrameHeader.mostBytes, range.count))
        try file.read(at: range.lowerBound, into: start)
        return FrameHeader(ofFrame: start.bytes)?.hasChecksum == true
    }

    /// What the seek table lists of a frame without a checksum that has exactly these bytes.
    private func entry(
        of range: Range<UInt64>
    ) throws(Failure) -> (entry: ListedContents.Entry?, statesSize: Bool) {
        guard let entry = try listed?.entry(at: range.lowerBound), entry.input == range else { return (nil, false) }
        let start = input.writable.extracting(..<min(FrameHeader.mostBytes, range.count))
        try file.read(at: range.lowerBound, into: start)
        guard let header = FrameHeader(ofFrame: start.bytes), !header.hasChecksum else { return (nil, false) }
        return (entry, header.contentSize != nil)
    }
}
