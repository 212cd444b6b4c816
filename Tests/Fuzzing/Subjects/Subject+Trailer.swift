internal import Sluice
internal import SluiceEngine
internal import SystemPackage
internal import ZstdCodec

extension Subject {
    /// A trailer of a part is what it is written as, and what is joined has the content of its frames.
    package static let trailer = Subject("trailer") { input in
        var bytes = input
        let whole = Array(bytes)
        _ = PartTrailer(whole.span.bytes)
        let share = PartNumber(Int(bytes.takeNumber(UInt8.self)), of: Int(bytes.takeNumber(UInt32.self)))
        let origin = PartTrailer.Origin(
            size: bytes.takeNumber(), seconds: bytes.takeNumber(), nanoseconds: 0, checksums: (0, 0))
        var options = CompressionOptions(level: 1)
        options.frameSize = max(1, Int(bytes.takeNumber(UInt16.self)))
        options.hasChecksum = bytes.takeNumber(UInt8.self) & 1 == 0
        guard let share else { return }
        var trailer = PartTrailer(share, origin: origin, parameters: PartTrailer.Parameters(options))
        for entry in entries(of: Array(bytes)) { trailer.append(entry) }
        let encoded = trailer.encoded
        let again = PartTrailer(encoded.span.bytes)
        try promise(again == trailer, "written and read again it is another trailer")
        let file = try MemoryFile(bytes + encoded)
        guard let part = try? Part(of: Source(file.descriptor), named: "part"), let parts = try? PartSet([part]) else {
            return
        }
        let sink = try MemoryFile()
        var writer = try JoinWriter(parts, to: Sink(sink.descriptor), latch: FailureLatch())
        try writer.append(part, from: Source(file.descriptor))
        try writer.finish()
        guard case .content(let content) = Truth(of: bytes) else { return }
        let output = try MemoryFile()
        try sink.descriptor.seek(offset: 0, from: .start)
        _ = try Job(Decompression(), threads: 2).run(from: Source(sink.descriptor), to: Sink(output.descriptor))
        try promise(try output.content == content, "what is joined has another content")
    }

    /// What a trailer says of frames, as far as they are some.
    private static func entries(of bytes: [UInt8]) -> [SeekTable.Entry] {
        var (scanner, entries, position) = (FrameScanner(), [SeekTable.Entry](), 0)
        while position < bytes.count {
            let rest = Array(bytes[position...])
            guard let (scanned, frame) = try? scanner.scan(rest.span.bytes) else { break }
            position += scanned
            guard let frame else { continue }
            var end = bytes[..<position].suffix(4)
            entries.append(
                SeekTable.Entry(
                    compressedSize: UInt32(clamping: frame.compressedSize),
                    decompressedSize: UInt32(truncatingIfNeeded: frame.header?.contentSize ?? 0),
                    checksum: end.takeNumber()))
        }
        return entries
    }
}
