package import ByteStreams
internal import Dispatch
internal import Parity

/// Copies the frames of a file, and adds parity, with a seek table that lists it if the file has one.
package struct ParityAddition: RunOperation {
    private let copying = Copying()
    private let share: ParityShare
    var shape = ParityEncoder.Shape()
    /// The frames of the file.
    private let frames: SeekTable
    private let hasTable: Bool
    /// How many bytes of the file are copied.
    private let length: UInt64

    /// - Parameters:
    ///   - source: the file.
    ///   - percent: parity in per cent of its bytes.
    /// - Throws: `parity` if it has parity, `noFile`, `reading`; `codec` if the file is truncated, or not compressed;
    ///   `unlisted`, `severalStreams`.
    package init(to source: Source, percent: Int) throws(Failure) {
        share = ParityShare(percent: percent)
        guard source.isRandomAccess, let size = source.size else { throw .noFile }
        do throws(Failure) { frames = try SeekTable(ofFramesIn: source) } catch {
            guard error.code == .unlisted else { throw error }
            // Without a table, parity may as well follow all of it.
            frames = SeekTable(hasChecksums: false)
        }
        let limits = Decompression(windowLimit: .max).ownLimits
        if frames.entries.isEmpty {
            let file = DamagedFile(source, size: size, latch: FailureLatch())
            let chain = try FrameChain(of: file, limits, ignoresZeros: source.ignoresZeros)
            if let failure = chain.verdict.failure { throw .codec(failure) }
        }
        if try CheckedParity.isIn(source, frames, limits) { throw Failure(.parity, "has parity already") }
        length = frames.entries.isEmpty ? size : frames.compressedSize
        hasTable = length != size
    }

    package var contentSide: Activity.Content { .both }
    package var slotSize: Int { copying.slotSize }
    package func workers(of threads: Int) -> Int { copying.workers(of: threads) }
    package func memory(of size: RunSize) -> Int {
        copying.memory(of: size) + (parityMemory(inputSize: length) ?? 0) + 2 * frames.memory
    }

    package func parityMemory(inputSize: UInt64?) -> Int? {
        // Without a list of frames, parity is held until all have come.
        let held = frames.entries.isEmpty ? Int(clamping: length) / 100 * share.percent : 0
        return ParityEncoder.memory(share, for: Int(clamping: length)) + held
    }

    package func begin(from source: inout Source, to sink: Sink?) throws(Failure) -> (any Envelope)? {
        source = source.subrange(0..<length)
        return ParityEnvelope(around: CopiedEnvelope(frames, hasTable: hasTable), share, shape)
    }

    package func run(on engine: Engine) throws(Failure) {
        let cut = frames.entries.isEmpty ? nil : FrameEndCut(frames, chunkSize: slotSize)
        try copying.run(on: engine, length: length, cut: cut)
    }
}

/// The envelope of frames that are copied in pieces of any size.
private struct CopiedEnvelope: TableEnvelope {
    private let frames: SeekTable
    let hasTable: Bool
    private var table: SeekTable
    /// The next frame of those that have not come as a whole.
    private var next = 0
    /// Bytes that have come of it.
    private var partial: UInt64 = 0

    init(_ frames: SeekTable, hasTable: Bool) {
        (self.frames, self.hasTable) = (frames, hasTable)
        table = SeekTable(hasChecksums: frames.hasChecksums)
    }

    var isWithinFrame: Bool { partial > 0 }

    mutating func append(_ frame: ChunkResult) -> [UInt8] {
        partial += UInt64(frame.bytes.count)
        while next < frames.entries.count, partial >= UInt64(frames.entries[next].compressedSize) {
            partial -= UInt64(frames.entries[next].compressedSize)
            table.append(frames.entries[next])
            next += 1
        }
        return []
    }

    mutating func beginTable() -> [UInt8] { [] }
    mutating func append(skippable size: Int) { table.append(SeekTable.Entry(skippable: size)) }

    func lastFrames() -> [UInt8] { [] }
    func encodedTable() -> [UInt8] { table.encoded }
}

/// Ends pieces of a file where frames end, as far as one does within a piece.
private struct FrameEndCut: ChunkCut {
    private let frames: SeekTable
    private let chunkSize: Int
    /// The next frame, and where it begins.
    private var next = 0
    private var start: UInt64 = 0
    private(set) var position = 0

    init(_ frames: SeekTable, chunkSize: Int) { (self.frames, self.chunkSize) = (frames, chunkSize) }

    var step: Int { 64 << 10 }
    var lookSize: Int { 1 }
    var passesHoles: Bool { false }

    mutating func begin(at offset: UInt64) {
        position = chunkSize
        while next < frames.entries.count {
            let end = start + UInt64(frames.entries[next].compressedSize)
            if end > offset + UInt64(chunkSize) { break }
            (start, next) = (end, next + 1)
            if end > offset { position = Int(end - offset) - 1 }
        }
    }

    mutating func take(_ bytes: RawSpan) -> Int? { position + 1 }
}
