internal import ForeignCodec
internal import ZstdCodec

/// Decompresses every input that has frames on all workers, and what is in another format that is read on one.
struct Decompression: Operation {
    /// The largest window that is accepted, in bytes.
    let windowLimit: UInt64
    /// Whether what is in no format that is read passes as it is.
    let passesForeign: Bool

    var decompresses: Bool { true }
    var mayBypassCache: Bool { false }
    /// The size of a frame is the file's; this is what a slot bounds.
    var slotSize: Int { Int(FrameCutter.slotSize) }

    func run(on engine: Engine) throws(Failure) -> Int {
        if passesForeign, try isForeign(engine.reader) { return try Copying().run(on: engine) }
        // A buffer is for many frames, not for larger ones.
        let most = FrameCutter.slotSize * UInt64(engine.slots.count - engine.bufferSlots)
        let frames = FrameCutter(
            engine.reader, slots: engine.slots, windowLimit: windowLimit, frameLimits: (FrameCutter.slotSize, most))
        var cutter = FormatCutter(frames, engine.reader, slots: engine.slots)
        let contexts = try engine.run(&cutter) { [windowLimit] () throws(Failure) in
            try DecompressTransform(windowLimit: windowLimit)
        }
        // Beyond the slots, the cutter holds what it has not handed on, and each worker may hold a frame whose slot has
        // already gone to the next one.
        let held = (1 + engine.workers) * max(cutter.largestChunk, FrameCutter.partSize)
        let parts = cutter.firstPart > 0 ? cutter.firstPart + Pieces.count * Pieces.size : 0
        return engine.slots.count * max(cutter.largest, FrameCutter.partSize) + held + parts + contexts
    }

    func makeWholeFileTransform() throws(Failure) -> (any WholeFileTransform)? {
        passesForeign ? nil : try WholeFileDecompression(windowLimit: windowLimit)
    }

    private func isForeign(_ reader: ChunkReader) throws(Failure) -> Bool {
        let magic = try reader.peek(FrameScanner.magicSize).elements
        return !magic.withUnsafeBytes(FrameScanner.isFrame) && ForeignFormat(magic: magic)?.isRead != true
    }
}

extension Action {
    /// Decompresses; frames with a larger window, in bytes, are refused. What is not compressed may pass as it is.
    public static func decompress(
        windowLimit: UInt64 = Job.defaultWindowLimit, passesForeign: Bool = false
    ) -> Action {
        Action(operation: Decompression(windowLimit: windowLimit, passesForeign: passesForeign))
    }
}
