import FoundationEssentials
import Sluice

/// Foundation's `Data`, and memory of the caller.
final class DataWay: Way {
    private let contents: [Data]
    private let (compression, decompression) = (Compression(level: 3), Decompression())
    private let (frame, content): (UnsafeMutableRawBufferPointer, UnsafeMutableRawBufferPointer)
    private var size = 0

    init(_ contents: [[UInt8]]) {
        self.contents = contents.map { Data($0) }
        let size = contents[0].count
        (frame, content) = (
            .allocate(byteCount: Compression.bound(of: size), alignment: 16), .allocate(byteCount: size, alignment: 16)
        )
    }

    deinit {
        frame.deallocate()
        content.deallocate()
    }

    func compress(_ number: Int) throws {
        var output = OutputRawSpan(buffer: frame, initializedCount: 0)
        try compression.compress(contents[number].bytes, into: &output)
        size = output.finalize(for: frame)
    }

    func decompress() throws {
        var output = OutputRawSpan(buffer: content, initializedCount: 0)
        let frames = RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: frame[..<size]))
        try decompression.decompress(frames, into: &output)
        _ = output.finalize(for: content)
    }

    func has(_ content: [UInt8]) -> Bool { content.elementsEqual(self.content) }
}
