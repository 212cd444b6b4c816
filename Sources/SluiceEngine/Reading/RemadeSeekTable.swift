internal import Parity

extension ParityRegion<FileBlocks> {
    /// Checks all sets, and makes the seek table again if it is not the one that was written.
    func checkAll(_ latch: FailureLatch) throws(Failure) {
        for set in description.sets.indices {
            try latch.check()
            try check(set)
        }
        if try !findTail() { try remakeTail() }
    }

    /// Makes the seek table of the frames, if it is the one that the description knows.
    private func remakeTail() throws(Failure) {
        guard let wanted = description.tail, wanted.size <= ParityDescription.Tail.mostMade else { return }
        var entries: [SeekTable.Entry] = []
        var walk = FrameWalk(over: try RepairedFrames(self))
        // Each entry of a table has eight bytes or more.
        while UInt64(entries.count) < wanted.size / 8, let step = try walk.next() {
            guard step.flaw == nil, let entry = SeekTable.Entry(step.frame) else { return }
            entries.append(entry)
        }
        for hasChecksums in [true, false] {
            var table = SeekTable(hasChecksums: hasChecksums)
            for entry in entries { table.append(entry) }
            if take(tail: table.encoded) { return }
            // There may be a filling before it.
            table.append(SeekTable.Entry(skippable: 0))
            let filling = Int(wanted.size) - table.encoded.count
            guard filling >= 8 else { continue }
            table = SeekTable(hasChecksums: hasChecksums)
            for entry in entries { table.append(entry) }
            table.append(SeekTable.Entry(skippable: filling))
            if take(tail: FrameAlignment.filling(filling) + table.encoded) { return }
        }
    }
}

/// The frames of a repaired stream, up to its seek table. They end where something is lost.
private final class RepairedFrames: FrameOrigin {
    private let region: ParityRegion<FileBlocks>
    private var held: Range<UInt64> = 0..<0
    private let memory: HeapMemory

    init(_ region: ParityRegion<FileBlocks>) throws(Failure) {
        self.region = region
        memory = HeapMemory(try OutputBuffer.allocate(4096))
    }

    var size: UInt64 { region.description.tailStart }

    func bytes(from offset: UInt64) throws(Failure) -> UnsafeRawBufferPointer {
        if !held.contains(offset) {
            held = 0..<0
            // What is lost may begin right after a header.
            for most in [4096, 32, 1] as [UInt64] where held.isEmpty && offset < size {
                let end = min(size, offset + most)
                if try region.read(at: offset, into: memory.writable.extracting(..<Int(end - offset))) {
                    held = offset..<end
                }
            }
            if held.isEmpty { return UnsafeRawBufferPointer(start: nil, count: 0) }
        }
        return UnsafeRawBufferPointer(memory.writable.extracting(Int(offset - held.lowerBound)..<held.count))
    }
}
