import FoundationEssentials
import NIOCore
import Sluice

/// Compresses words in memory and decompresses them, as swift-nio's `ByteBuffer` and as Foundation's `Data`.
///
///     Buffers these words
@main
struct Buffers {
    static func main() throws {
        let words = CommandLine.arguments.dropFirst().joined(separator: " ")
        let (compression, decompression) = (Compression(level: 3), Decompression())
        var frame = ByteBuffer()
        try compression.compress(ByteBuffer(string: words), into: &frame)
        try compression.compress(ByteBuffer(string: "\n"), into: &frame)
        var content = ByteBuffer()
        try decompression.decompress(frame, into: &content, limit: 1 << 20)
        print("ByteBuffer: \(String(buffer: content))", terminator: "")

        let data = try compression.compress(Data(words.utf8))
        let back = try decompression.decompress(data.bytes, limit: 1 << 20)
        print("Data: \(String(decoding: back, as: UTF8.self))")
    }
}
