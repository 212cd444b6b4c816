import Sluice

/// A hundred buffers like those of a server, and the ways to compress them.
final class Work {
    /// What calls of one way took.
    struct Costs {
        var compression = Call.Cost()
        var decompression = Call.Cost()
    }

    private let contents: [[UInt8]]
    private let ways: [any Way]
    /// For each way: libzstd, `Data`, `ByteBuffer`.
    private(set) var costs: [Costs]

    /// - Parameter size: bytes of a buffer.
    init(size: Int) {
        contents = (0..<100).map { Self.lines(size, seed: $0) }
        ways = [DirectWay(contents), DataWay(contents), ByteBufferWay(contents)]
        costs = ways.map { _ in Costs() }
    }

    /// Forgets what calls took until now.
    func begin() { costs = ways.map { _ in Costs() } }

    /// Compresses and decompresses each buffer in all ways.
    func turn() throws {
        for (number, content) in contents.enumerated() {
            // Who comes first finds cold caches.
            let order = ways.indices.map { ($0 + number) % ways.count }
            for place in order { costs[place].compression += try Call.measure { try ways[place].compress(number) } }
            for place in order { costs[place].decompression += try Call.measure { try ways[place].decompress() } }
            precondition(ways.allSatisfy { $0.has(content) }, "another content comes back")
        }
    }

    /// One buffer, through runs of their own.
    func passThroughSequences() async throws {
        var back = 0
        for try await region in One(buffer: contents[0]).compressed().decompressed() { back += region.count }
        precondition(back == contents[0].count, "another content comes back")
    }

    /// Lines of a log.
    private static func lines(_ size: Int, seed: Int) -> [UInt8] {
        var (bytes, state) = ([UInt8](), UInt64(seed) | 1)
        while bytes.count < size {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let (user, time) = (state >> 40 % 5000, state >> 20 % 100_000)
            bytes += Array(
                "{\"user\": \(user), \"time\": \(time), \"path\": \"/items/\(state >> 50)\", \"ok\": true}\n".utf8)
        }
        return Array(bytes.prefix(size))
    }
}

/// A sequence of one buffer.
struct One: AsyncSequence, Sendable {
    let buffer: [UInt8]

    func makeAsyncIterator() -> Iterator { Iterator(buffer: buffer) }

    struct Iterator: AsyncIteratorProtocol {
        var buffer: [UInt8]?

        mutating func next() async -> [UInt8]? { buffer.take() }
    }
}
