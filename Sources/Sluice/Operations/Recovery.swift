/// Decompresses every intact frame of a damaged regular file; `Summary.lost` tells what is lost, and the run succeeds.
///
/// Frames follow one another; where that chain breaks, the next frame that proves itself is taken. A seek table at the
/// end, if there is one, tells where content belongs. If the file was cut, the blocks of the last frame go out up to
/// the cut. The run fails with `noFile` if the source is no file, and with `codec` or `foreign` if it has no frame at
/// all.
package struct Recovery: DecodingOperation {
    package var decompression: Decompression
    private let filling: LossFilling

    /// - Parameters:
    ///   - filling: what becomes of content that is lost.
    ///   - decompression: frames that it refuses are lost.
    package init(_ filling: LossFilling = .zeros, _ decompression: Decompression = Decompression()) {
        self.filling = filling
        self.decompression = decompression
    }

    // Memory is not saved: frames with large windows would be lost.
    package mutating func reduceMemory(by saving: Saving) -> Bool { false }

    package func run(on engine: Engine) throws(Failure) {
        let source = engine.reader.source
        guard source.isFile else { throw .noFile }
        guard let size = source.size else { throw .codec(.empty) }
        engine.ledger.begin(filling)
        let (limits, dictionary) = (decompression.ownLimits, decompression.dictionary)
        // Where the disk can't read the end, it is lost.
        let zeros = (try? source.zerosOffset(latch: engine.latch)) ?? size
        // Behind a seek table whose sizes add up to what is in front of it, nothing can be missing.
        let table = zeros < size ? try? source.subrange(0..<zeros).seekTable() : nil
        let file = DamagedFile(source, size: table == nil ? size : zeros, latch: engine.latch)
        let room = decompression.chunks(on: engine)
        var cutter = RecoveryCutter(
            scan: try RecoveryScan(
                file, limits, FrameTrial(file, limits, dictionary), mostHeld: room.mostHeld,
                zeros: (zeros, source.ignoresZeros)),
            limits: limits,
            room: room, ledger: engine.ledger,
            reader: engine.reader, monitor: engine.job.monitor)
        try engine.run(&cutter) { [ledger = engine.ledger] () throws(Failure) in
            try RecoveryTransform(ledger, limits: limits, dictionary: dictionary)
        }
    }
}

extension Source {
    /// Where the zeros begin with which a file ends; nil if its last byte is none.
    fileprivate func zerosOffset(latch: FailureLatch) throws(Failure) -> UInt64? {
        guard let size, size > 0, try bytes(at: size - 1, count: 1) == [0] else { return nil }
        var end = size
        while end > 0 {
            try latch.check()
            let start = end - min(end, 1 << 18)
            guard let bytes = try bytes(at: start, count: Int(end - start)) else { return nil }
            if let last = bytes.lastIndex(where: { $0 != 0 }) { return start + UInt64(last) + 1 }
            end = start
        }
        return 0
    }
}
