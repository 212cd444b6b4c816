internal import ForeignCodec
public import ZstdCodec

/// Decompresses every input that has frames on all workers, and what is in another format that is read on one.
struct Decompression: Operation {
    let limits: DecodingLimits
    /// What the frames may refer to.
    let dictionary: DecompressionDictionary?
    /// Whether what is in no format that is read passes as it is.
    let passesForeign: Bool

    /// - Parameter windowLimit: bytes; the difference to a reference may have more.
    init(
        windowLimit: UInt64, dictionary: DecompressionDictionary?, passesForeign: Bool, verifiesChecksums: Bool
    ) {
        var limits = DecodingLimits(
            windowSize: max(windowLimit, dictionary?.window ?? 0), dictionaryIdentifier: dictionary?.identifier)
        limits.verifiesChecksums = verifiesChecksums
        self.limits = limits
        self.dictionary = dictionary
        self.passesForeign = passesForeign
    }

    var decompresses: Bool { true }
    var mayBypassCache: Bool { false }
    /// The size of a frame is the file's; this is what a slot bounds.
    var slotSize: Int { Int(FrameCutter.slotSize) }

    func run(on engine: Engine) throws(Failure) -> Int {
        if passesForeign, try isForeign(engine.reader) { return try Copying().run(on: engine) }
        return try run(on: engine) { [limits, dictionary] () throws(Failure) in
            try DecompressTransform(limits: limits, dictionary: dictionary)
        }
    }

    /// Cuts the input into frames, for workers that decode them.
    func run<Work: Transform & SendableMetatype & ~Copyable>(
        on engine: Engine, makeTransform: @escaping @Sendable () throws(Failure) -> Work
    ) throws(Failure) -> Int {
        // A buffer is for many frames, not for larger ones.
        let most = FrameCutter.slotSize * UInt64(engine.slots.count - engine.bufferSlots)
        let frames = FrameCutter(
            engine.reader, slots: engine.slots, limits: limits, frameLimits: (FrameCutter.slotSize, most))
        var cutter = FormatCutter(frames, engine.reader, slots: engine.slots)
        let contexts = try engine.run(&cutter, makeTransform: makeTransform)
        return memory(cutter.memory, contexts, on: engine)
    }

    /// Bytes that slots and workers could hold at most.
    ///
    /// - Parameter contexts: what the workers held between chunks.
    func memory(_ memory: FrameCutter.Memory, _ contexts: Int, on engine: Engine) -> Int {
        // Beyond the slots, the cutter holds what it has not handed on, and each worker may hold a frame whose slot has
        // already gone to the next one.
        let held = (1 + engine.workers) * max(memory.perChunk, PartCutter.partSize)
        let parts = memory.firstPart > 0 ? memory.firstPart + Pieces.count * Pieces.size : 0
        return engine.slots.count * max(memory.perSlot, PartCutter.partSize) + held + parts + contexts
            + (dictionary?.memory ?? 0)
    }

    func makeWholeFileTransform() throws(Failure) -> (any WholeFileTransform)? {
        passesForeign ? nil : try WholeFileDecompression(limits: limits, dictionary: dictionary)
    }

    private func isForeign(_ reader: ChunkReader) throws(Failure) -> Bool {
        let magic = try reader.peek(FrameScanner.magicSize).elements
        return !magic.withUnsafeBytes(FrameScanner.isFrame) && ForeignFormat(magic: magic)?.isRead != true
    }
}

extension Action {
    /// Decompresses; frames with a larger window, in bytes, are refused. What is not compressed may pass as it is.
    ///
    /// - Parameters:
    ///   - dictionary: what the frames were made with; the difference to a reference may have a window of twice that.
    ///   - verifiesChecksums: whether a frame whose checksum is not its content's is an error.
    public static func decompress(
        windowLimit: UInt64 = Job.defaultWindowLimit, dictionary: DecompressionDictionary? = nil,
        passesForeign: Bool = false, verifiesChecksums: Bool = true
    ) -> Action {
        Action(
            operation: Decompression(
                windowLimit: windowLimit, dictionary: dictionary, passesForeign: passesForeign,
                verifiesChecksums: verifiesChecksums))
    }
}
