internal import Parity

/// A file with some of its bytes replaced by others, which its parity proves.
package final class RepairedSource: RangeSource {
    private struct State {
        let file: DamagedFile
        let regions: [CheckedParity.Region]
        let isProved: Bool
    }

    /// A stretch of what is read.
    private struct Segment {
        enum Origin {
            /// The file, from an offset on.
            case file(UInt64)
            /// The stream of a region, from an offset on.
            case stream(Int, UInt64)
        }

        let range: Range<UInt64>
        let origin: Origin
    }

    /// What parity knows to be wrong with what is read.
    struct Wrong {
        /// Ranges that have other bytes than were written, and can't be repaired.
        var rotten = RangeSet<UInt64>()
        /// Ranges that prove themselves, and are not what was written.
        var foreign = RangeSet<UInt64>()
        /// Where bytes are missing that can't be made, or something is left out; in order.
        var places: [(offset: UInt64, reason: String)] = []

        var isEmpty: Bool { rotten.isEmpty && foreign.isEmpty && places.isEmpty }
    }

    private let state: Locked<State>
    private let segments: [Segment]
    private let latch: FailureLatch
    package let size: Int
    let wrong: Wrong
    /// How many bytes are repaired, and in how many places.
    let repaired: (places: Int, bytes: UInt64)

    /// - Parameter isProved: whether only bytes of the streams are read, each of which is proved once more.
    init(
        _ list: consuming sending FileElements, isProved: Bool = false, _ latch: FailureLatch
    ) {
        let checked = list.checked
        var (segments, end, wrong, repaired) = ([Segment](), UInt64(0), Wrong(), (places: 0, bytes: UInt64(0)))
        for element in list.all {
            let isOfStream = element.kind == .known || isProved && element.kind == .own
            let count = UInt64(isOfStream ? element.new.count : element.old.count)
            if element.kind == .known {
                repaired = (repaired.places + 1, repaired.bytes + count)
                if element.leavesOut { wrong.places.append((end, "something whole was written over the stream here")) }
                if list.mayBeContent(element) {
                    wrong.places.append((end, "what is here may be the content of a frame"))
                }
            } else if element.isMissing {
                let isMore = element.old.count > element.new.count
                let reason = isMore ? "bytes were inserted here, and others have rotted" : "bytes are missing here"
                wrong.places.append((end, "its parity shows that \(reason)"))
            }
            if element.kind == .lost { wrong.rotten.insert(contentsOf: end..<end + count) }
            if element.kind == .foreign {
                // If something is missing within it, it is not what was written on both sides.
                wrong.foreign.insert(contentsOf: count > 0 ? end..<end + count : end - min(end, 1)..<end + 1)
            }
            if count == 0 || isProved && !isOfStream { continue }
            segments.append(
                Segment(
                    range: end..<end + count,
                    origin: isOfStream ? .stream(element.part, element.new.lowerBound) : .file(element.old.lowerBound)))
            end += count
        }
        (self.segments, self.latch, self.wrong, self.repaired) = (segments, latch, wrong, repaired)
        size = Int(clamping: end)
        state = Locked(State(file: checked.file, regions: checked.parts.map(\.region), isProved: isProved))
    }

    package func read(from offset: Int, into memory: inout OutputRawSpan) throws {
        try memory.append { memory throws(Failure) in try fill(LentMemory(memory), from: UInt64(offset)) }
    }

    /// Fills memory with bytes that there are.
    func fill(_ memory: LentMemory, from offset: UInt64) throws(Failure) -> Int {
        try state.withLock { state throws(Failure) in
            try latch.check()
            var (offset, rest) = (offset, memory.writable)
            while !rest.isEmpty {
                let segment = segments[segments.firstPosition { offset < $0.range.upperBound }]
                let count = Int(min(UInt64(rest.count), segment.range.upperBound - offset))
                try Self.read(segment, from: offset - segment.range.lowerBound, rest.extracting(..<count), state)
                offset += UInt64(count)
                rest = rest.extracting(count...)
            }
            return memory.writable.count
        }
    }

    private static func read(
        _ segment: Segment, from offset: UInt64, _ memory: UnsafeMutableRawBufferPointer, _ state: State
    ) throws(Failure) {
        switch segment.origin {
        case .file(let start):
            let range = start + offset..<start + offset + UInt64(memory.count)
            try state.file.read(at: range.lowerBound, into: memory)
            // A sector that could not be read is not read again.
            if !state.file.isLegible(range) { throw .reading(.ioError) }
        case .stream(let part, let start):
            if try state.regions[part].read(at: start + offset, into: memory) { return }
            // For recovery it is lost, as what a disk does not read.
            if !state.isProved { throw .reading(.ioError) }
            throw Failure(
                .parity, "can't be repaired: it is read in another way than a moment before, or computed too often")
        }
    }

    package func cancel() { latch.fail(.cancelled) }
}
