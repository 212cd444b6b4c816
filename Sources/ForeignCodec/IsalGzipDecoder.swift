/// Decodes gzip members (RFC 1952) with ISA-L, at three times the speed of zlib.
///
/// zlib has the last word. Where ISA-L refuses the data, and where the input ends within it, zlib takes over at the
/// place before (`IsalInflater.handOver`). So what is refused, why, and the content before it are those of zlib, and no
/// content is made twice.
final class IsalGzipDecoder: ForeignDecoder {
    private enum Part { case header, data, trailer }

    private let inflater: IsalInflater
    /// Set once it has taken over, until the member's end.
    private var successor: RawInflater?

    private var part = Part.header
    private var header = GzipHeader()
    private var trailer = GzipTrailer(checksum: 0, size: 0)
    /// Of the content so far, modulo 2^32 as the trailer states it.
    private var size: UInt32 = 0
    /// The last bytes that were taken, of which ISA-L may give some back at the end of the data.
    private var recent: [UInt8] = []
    /// Bytes that come before the next segment.
    private var held: [UInt8] = []

    init() throws(ForeignFailure) {
        do throws(GzipDamage) { inflater = try IsalInflater() } catch { throw error.failure(offset: 0) }
    }

    /// With zlib's (zconf.h), if it has taken over.
    var memory: Int { IsalInflater.memory + (successor == nil ? 0 : 40 << 10) }

    func begin(at _: XzPlace?) {
        inflater.begin()
        successor = nil
        (part, header, size) = (.header, GzipHeader(), 0)
        (recent, held) = ([], [])
    }

    func decode(
        _ segment: inout RawSpan, into room: inout UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(ForeignFailure) -> Bool {
        do throws(GzipDamage) { return try decode(&segment, into: &room) } catch { throw error.failure(offset: offset) }
    }

    func drain(into room: inout UnsafeMutableRawBufferPointer, offset: UInt64) throws(ForeignFailure) -> Bool {
        guard part == .data else { return false }
        do throws(GzipDamage) {
            if successor == nil { try handOver(before: false) }
            var nothing = RawSpan()
            return try decode(&nothing, into: &room)
        } catch {
            // That the input ends within the data is true also where zlib can't go on.
            if error == .noSuccessor { return false }
            throw error.failure(offset: offset)
        }
    }

    private func decode(
        _ segment: inout RawSpan, into room: inout UnsafeMutableRawBufferPointer
    ) throws(GzipDamage) -> Bool {
        if part == .header {
            while true {
                guard let byte = nextByte(&segment) else { return false }
                if try header.take(byte) { break }
            }
            part = .data
        }
        if part == .data {
            guard try inflate(&segment, into: &room) else { return false }
            trailer = GzipTrailer(checksum: successor?.checksum ?? inflater.checksum, size: size)
            part = .trailer
        }
        while let byte = nextByte(&segment) {
            if try trailer.take(byte) { return true }
        }
        return false
    }

    private func nextByte(_ segment: inout RawSpan) -> UInt8? {
        if !held.isEmpty { return held.removeFirst() }
        guard !segment.isEmpty else { return nil }
        defer { segment.drop(1) }
        return segment.unsafeLoad(fromByteOffset: 0, as: UInt8.self)
    }

    /// Decodes data; returns whether it has ended.
    private func inflate(
        _ segment: inout RawSpan, into room: inout UnsafeMutableRawBufferPointer
    ) throws(GzipDamage) -> Bool {
        let before = room.count
        defer { size &+= UInt32(truncatingIfNeeded: before - room.count) }
        if successor == nil {
            let input = segment
            switch inflater.inflate(&segment, into: &room) {
            case .goesOn:
                noteRecent(input.extracting(first: input.byteCount - segment.byteCount))
                return false
            case .ended(let given):
                held = recent.suffix(given)
                return true
            case .refused: try handOver(before: true)
            }
        }
        guard let successor else { return false }
        if !held.isEmpty {
            let bytes = held
            var data = bytes.span.bytes
            // What it takes before an error does not matter.
            let hasEnded = try successor.inflate(&data, into: &room)
            held.removeFirst(bytes.count - data.byteCount)
            if hasEnded || !held.isEmpty { return hasEnded }
        }
        return try successor.inflate(&segment, into: &room)
    }

    private func handOver(before: Bool) throws(GzipDamage) {
        (successor, held) = try inflater.handOver(before: before)
    }

    private func noteRecent(_ bytes: RawSpan) {
        // As many as ISA-L's decoder holds.
        let most = 8
        bytes.extracting(last: most).withUnsafeBytes { recent += $0 }
        recent.removeFirst(max(0, recent.count - most))
    }
}
