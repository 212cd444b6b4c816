import Dispatch
import StreamTestSupport
import SystemPackage
import Testing

@testable import ByteStreams

struct BytesTests {
    static let content = sample(1000)

    @Test(arguments: [1, 7, 333, 1000], [0, 1, 6, 7, 8, 500, 999, 1000, 2000])
    func `what is taken off the front and what is left are the whole`(region: Int, count: Int) {
        var bytes = Bytes(Self.content, regions: region)
        let front = bytes.removeFirst(count)
        #expect(front.elements == Array(Self.content.prefix(count)))
        #expect(bytes.elements == Array(Self.content.dropFirst(count)))
        #expect(front.count + bytes.count == 1000)
    }

    @Test func `nothing is no bytes, in no region`() {
        var bytes = Bytes()
        #expect(bytes.isEmpty)
        #expect(bytes.removeFirst(10).isEmpty)
        bytes.append(Bytes())
        #expect(bytes.withOnlyRegion { _ in true } == nil)
        #expect(throws: Never.self) { try bytes.forEachRegion { _ throws(Failure) in throw .cancelled } }
    }

    @Test(arguments: [1, 10, 1000])
    func `every region is seen once, in order`(region: Int) throws {
        var seen: [UInt8] = []
        var regions = 0
        try Bytes(Self.content, regions: region).forEachRegion { (bytes) throws(Failure) in
            bytes.withUnsafeBytes { seen += $0 }
            regions += 1
        }
        #expect(seen == Self.content)
        #expect(regions == 1000 / region)
    }

    @Test func `no region is seen after one that throws`() {
        var regions = 0
        #expect(throws: Failure.reading(.ioError)) {
            try Bytes(Self.content, regions: 100).forEachRegion { _ throws(Failure) in
                regions += 1
                if regions == 3 { throw .reading(.ioError) }
            }
        }
        #expect(regions == 3)
    }

    @Test func `only one region is the only region`() throws {
        #expect(Bytes(Self.content, regions: 500).withOnlyRegion { _ in true } == nil)
        #expect(try Bytes(Self.content).withOnlyRegion { $0.withUnsafeBytes { Array($0) } }?.get() == Self.content)
        let failed: Result<Int, Failure>? = Bytes(Self.content).withOnlyRegion { _ throws(Failure) in throw .cancelled }
        #expect(failed == .failure(.cancelled))
    }

    /// Trap 3 in docs/dispatch-on-linux.md: some ways to the bytes keep the whole buffer for ever.
    @Test(.timeLimit(.minutes(4)))
    func `memory goes when the bytes do`() throws {
        let released = DispatchSemaphore(value: 0)
        do {
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
            var bytes = Bytes(
                DispatchData(
                    bytesNoCopy: UnsafeRawBufferPointer(memory),
                    deallocator: .custom(DispatchQueue(label: "test.release")) {
                        memory.deallocate()
                        released.signal()
                    }))
            bytes.forEachRegion { _ in }
            #expect(bytes.withOnlyRegion { $0.byteCount } == .success(4096))
            bytes.append(Bytes(Self.content))
            #expect(bytes.removeFirst(100).elements.count == 100)
            var gather = GatherBuffer()
            try gather.withContiguous(bytes) { _ in }
        }
        #expect(released.wait(timeout: .now() + 5) == .success)
    }
}
