import CZstd
import FoundationEssentials
import Sluice

/// A hundred buffers like those of a server, Foundation's `Data`, and the memory that frames and contents go to.
final class Work {
    private let contents: [Data]
    private let compression = Compression(level: 3)
    private let decompression = Decompression()
    private let frame: UnsafeMutableRawBufferPointer
    private let content: UnsafeMutableRawBufferPointer
    private let compressor = ZSTD_createCCtx()
    private let decompressor = ZSTD_createDCtx()

    /// - Parameter size: bytes of a buffer.
    init(size: Int) throws {
        contents = (0..<100).map { Data(Self.lines(size, seed: $0)) }
        frame = .allocate(byteCount: Compression.bound(of: size), alignment: 16)
        content = .allocate(byteCount: size, alignment: 16)
        ZSTD_CCtx_setParameter(compressor, ZSTD_c_compressionLevel, 3)
        ZSTD_CCtx_setParameter(compressor, ZSTD_c_checksumFlag, 1)
    }

    deinit {
        ZSTD_freeCCtx(compressor)
        ZSTD_freeDCtx(decompressor)
        frame.deallocate()
        content.deallocate()
    }

    /// Compresses and decompresses each buffer in both ways.
    @discardableResult
    func turn() throws -> (Call.Cost, Call.Cost, Call.Cost, Call.Cost) {
        var (ours, libzstd) = (Call.Cost(), Call.Cost())
        var (oursBack, libzstdBack) = (Call.Cost(), Call.Cost())
        for (number, buffer) in contents.enumerated() {
            // Who comes first finds cold caches.
            var size = 0
            if number % 2 == 0 { libzstd += Call.measure { size = compressDirectly(buffer) } }
            ours += try Call.measure { size = try compress(buffer) }
            if number % 2 == 1 { libzstd += Call.measure { size = compressDirectly(buffer) } }
            if number % 2 == 0 { libzstdBack += Call.measure { decompressDirectly(size) } }
            oursBack += try Call.measure { try decompress(size) }
            if number % 2 == 1 { libzstdBack += Call.measure { decompressDirectly(size) } }
            precondition(buffer.elementsEqual(content), "another content comes back")
        }
        return (ours, libzstd, oursBack, libzstdBack)
    }

    /// One buffer, through runs of their own.
    func passThroughSequences() async throws {
        var back = 0
        for try await region in One(buffer: contents[0]).compressed().decompressed() { back += region.count }
        precondition(back == contents[0].count, "another content comes back")
    }

    private func compress(_ buffer: Data) throws -> Int {
        var output = OutputRawSpan(buffer: frame, initializedCount: 0)
        try compression.compress(buffer.bytes, into: &output)
        return output.finalize(for: frame)
    }

    private func decompress(_ size: Int) throws {
        var output = OutputRawSpan(buffer: content, initializedCount: 0)
        let bytes = UnsafeRawBufferPointer(rebasing: frame[..<size])
        try decompression.decompress(RawSpan(_unsafeBytes: bytes), into: &output)
        _ = output.finalize(for: content)
    }

    private func compressDirectly(_ buffer: Data) -> Int {
        buffer.withUnsafeBytes {
            ZSTD_compress2(compressor, frame.baseAddress, frame.count, $0.baseAddress, $0.count)
        }
    }

    private func decompressDirectly(_ size: Int) {
        ZSTD_decompressDCtx(decompressor, content.baseAddress, content.count, frame.baseAddress, size)
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
    let buffer: Data

    func makeAsyncIterator() -> Iterator { Iterator(buffer: buffer) }

    struct Iterator: AsyncIteratorProtocol {
        var buffer: Data?

        mutating func next() async -> Data? { buffer.take() }
    }
}
