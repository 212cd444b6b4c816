import Glibc
import Sluice

/// Measures sequences of buffers from memory to memory, and the content of a file as a sequence beside its
/// decompression to nothing, for docs/decisions/library.md.
///
///     Throughput FILE LEVEL [THREADS]
///
/// `scripts/bench --sequences` builds it, and runs it. The file is read first; FILE.throughput.zst is made beside it,
/// and removed. Each way is run five times, and the best counts.
@main
struct Throughput {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count >= 3, let level = Int(words[2]) else { throw Usage() }
        let options = RunOptions(threads: words.count > 3 ? Int(words[3]) ?? 1 : nil)
        let content = try Pieces(of: FilePath(words[1]))
        let (compression, frames) = try await fastest { @Sendable in
            var frames: [[UInt8]] = []
            for try await buffer in content.compressed(level: level, options: options) { frames.append(Array(buffer)) }
            return Pieces(buffers: frames)
        }
        let (decompression, _) = try await fastest { @Sendable in
            for try await _ in frames.decompressed(options: options) {}
        }
        let size = Double(content.buffers.reduce(0) { $0 + $1.count }) / 1_048_576
        print("compress \(Int(size / compression)) MiB/s, decompress \(Int(size / decompression)) MiB/s")

        let packed = words[1] + ".throughput.zst"
        defer { unlink(packed) }
        try await Compression(level: level).run(
            from: .file(words[1]), to: .file(packed, isReplacing: true, isSynced: false))
        let file = try await CompressedFile.open(at: packed, options: .init(threads: options.threads))
        let (run, _) = try await fastest { @Sendable in
            try await Decompression().run(from: .file(packed), to: .nothing, options: options)
        }
        let (reading, _) = try await fastest { @Sendable in
            for try await _ in file.buffers() {}
        }
        print("decompress a file \(Int(size / run)) MiB/s, buffers of it \(Int(size / reading)) MiB/s")
    }

    /// The seconds of the best of five, and what one more made.
    static func fastest<Made: Sendable>(_ body: @Sendable () async throws -> Made) async throws -> (Double, Made) {
        var fastest = Double.infinity
        for _ in 0..<5 {
            let start = ContinuousClock.now
            _ = try await body()
            fastest = min(fastest, (ContinuousClock.now - start) / .seconds(1))
        }
        return (fastest, try await body())
    }
}

/// What is wrong with the command line.
struct Usage: Error, CustomStringConvertible {
    let description = "usage: Throughput FILE LEVEL [THREADS]"
}

/// Buffers in memory, of a mebibyte each.
struct Pieces: AsyncSequence, Sendable {
    var buffers: [[UInt8]]

    init(buffers: [[UInt8]]) { self.buffers = buffers }

    init(of path: FilePath) throws {
        buffers = []
        let file = try FileDescriptor.open(path, .readOnly)
        defer { try? file.close() }
        while true {
            let buffer = try [UInt8](unsafeUninitializedCapacity: 1 << 20) { memory, count in
                count = try file.read(into: UnsafeMutableRawBufferPointer(memory))
            }
            if buffer.isEmpty { return }
            buffers.append(buffer)
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: buffers[...]) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<[UInt8]>

        mutating func next() async -> [UInt8]? { rest.popFirst() }
    }
}
