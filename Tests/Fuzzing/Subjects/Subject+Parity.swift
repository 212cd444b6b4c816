internal import Sluice
internal import SluiceEngine
internal import ZstdCodec

extension Subject {
    /// Whatever a description of parity says, it is refused, or what it takes is bounded; and nothing is wrong that is
    /// called whole.
    package static let parity = Subject("parity") { input in
        var bytes = input
        let front = bytes.take(Int(bytes.takeNumber(UInt16.self)))
        // A description has hashes, which chance does not find.
        var frame: [UInt8] = [0x56, 0x2A, 0x4D, 0x18]
        frame += number(UInt32(clamping: bytes.count + 28 - 8)) + Array("SLUICE".utf8) + [1, 2] + Array(bytes)
        frame += number(UInt32(clamping: frame.count + 12))
        frame += number(ContentChecksum.whole(of: frame.span.bytes))
        let file = try MemoryFile(front + frame)
        let source = try Source(file.descriptor)
        let sink = try MemoryFile()
        let repair = try Job(Repair(of: source), threads: 2)
        let summary = try? repair.run(from: source, to: Sink(sink.descriptor, isTemporary: true))
        // Of a stream that has lost more than half of its bytes nothing is computed.
        if summary != nil { try promise(try sink.size <= 2 * file.size, "a repaired file is too large") }
        let recovery = try Recovery(repairing: source)
        _ = try? Job(recovery, threads: 2).run(from: source, to: nil)
    }

    private static func number(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}
