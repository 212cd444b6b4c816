internal import CIsal

/// Decodes the deflate data of one gzip member after another with ISA-L.
final class IsalInflater {
    enum Step {
        case goesOn
        /// The data has ended: so many of the bytes that were taken before, and none of the segment, come after it.
        case ended(given: Int)
        /// ISA-L refuses the data: segment and room are as before.
        case refused
    }

    private let inflater: OpaquePointer

    init() throws(GzipDamage) {
        guard let inflater = sluice_inflater_create() else { throw .noMemory }
        self.inflater = inflater
    }

    deinit { sluice_inflater_destroy(inflater) }

    static var memory: Int { sluice_inflater_size() }

    /// Of the content that was written.
    var checksum: UInt32 { sluice_inflater_checksum(inflater) }

    func begin() { sluice_inflater_begin(inflater) }

    /// Decodes until the segment is taken, the room full, or the data ended.
    func inflate(_ segment: inout RawSpan, into room: inout UnsafeMutableRawBufferPointer) -> Step {
        var work = sluice_inflating()
        work.output = room.assumingMemoryBound(to: UInt8.self).baseAddress
        work.output_count = room.count
        let result = segment.withUnsafeBytes { segment in
            work.input = segment.assumingMemoryBound(to: UInt8.self).baseAddress
            work.input_count = segment.count
            return sluice_inflate(inflater, &work)
        }
        guard result != SLUICE_INFLATE_REFUSES else { return .refused }
        segment.drop(max(0, work.taken))
        room.drop(work.written)
        return result == SLUICE_INFLATED ? .ended(given: max(0, -work.taken)) : .goesOn
    }

    /// Lets zlib go on from the place before the last step, or from here.
    ///
    /// - Returns: also the data that comes before the next input.
    func handOver(before: Bool) throws(GzipDamage) -> (RawInflater, data: [UInt8]) {
        var place = sluice_handover()
        guard sluice_inflater_hand_over(inflater, before, &place) else { throw .noSuccessor }
        return try RawInflater.takeOver(place)
    }
}
