package import ZstdCodec

/// Decompresses what is whole of a damaged file.
struct Recovery: DecodingOperation {
    let decompression: Decompression
    let filling: LossFilling

    func run(on engine: Engine) throws(Failure) -> Int {
        let source = engine.reader.source
        guard source.isFile else { throw .noFile }
        guard let size = source.size else { throw .codec(.empty) }
        engine.ledger.begin(filling)
        let (limits, dictionary) = (decompression.limits, decompression.dictionary)
        let file = DamagedFile(source, size: size, latch: engine.latch)
        let most = FrameCutter.slotSize * UInt64(engine.slots.count - engine.bufferSlots)
        let hunt = try FrameHunt(file, limits, dictionary, mostHeld: most)
        var cutter = RecoveryCutter(
            file, hunt, engine.ledger, engine.reader, slots: engine.slots, monitor: engine.monitor)
        let contexts = try engine.run(&cutter) { [ledger = engine.ledger] () throws(Failure) in
            try RecoveryTransform(ledger, limits: limits, dictionary: dictionary)
        }
        return decompression.memory(cutter.memory, contexts, on: engine) + cutter.huntMemory
    }
}

extension Action {
    /// Decompresses every frame that is whole of a damaged regular file; `Summary.lost` tells what is lost, and the
    /// run succeeds.
    ///
    /// Frames follow one another; where that chain breaks, the next one is taken that proves itself. Where their
    /// content belongs is told by a seek table at the end, if there is one. Of a file that was cut, the blocks of the
    /// last frame go out up to the cut. What is no file fails with `noFile`, and what has no frame at all with `codec`.
    ///
    /// - Parameters:
    ///   - filling: what becomes of content that is lost.
    ///   - windowLimit: bytes; frames with a larger window are lost.
    ///   - dictionary: what the frames were made with.
    ///   - verifiesChecksums: whether a frame whose checksum is not its content's is lost.
    package static func recover(
        _ filling: LossFilling = .zeros, windowLimit: UInt64 = Job.defaultWindowLimit,
        dictionary: DecompressionDictionary? = nil, verifiesChecksums: Bool = true
    ) -> Action {
        Action(
            operation: Recovery(
                decompression: Decompression(
                    windowLimit: windowLimit, dictionary: dictionary, passesForeign: false,
                    verifiesChecksums: verifiesChecksums), filling: filling))
    }
}
