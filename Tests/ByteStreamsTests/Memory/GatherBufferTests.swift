import StreamTestSupport
import Testing

@testable import ByteStreams

struct GatherBufferTests {
    @Test(arguments: [0, 1, 2, 100, 5000], [1, 3, 100, 5000])
    func `the bytes come as one region, in order`(count: Int, region: Int) throws {
        var gather = GatherBuffer()
        let content = sample(count)
        #expect(
            try gather.withContiguous(Bytes(content, regions: region)) { $0.withUnsafeBytes { Array($0) } } == content)
    }

    @Test func `the buffer is as good for the next bytes, larger or smaller`() throws {
        var gather = GatherBuffer()
        for count in [100, 10, 1000, 1, 999, 0, 50] {
            let content = sample(count, seed: UInt64(count))
            #expect(
                try gather.withContiguous(Bytes(content, regions: 7)) { $0.withUnsafeBytes { Array($0) } } == content)
        }
    }

    @Test func `one region is not copied`() throws {
        var gather = GatherBuffer()
        let bytes = Bytes(sample(100))
        let own = bytes.withOnlyRegion(address(of:))
        #expect(try gather.withContiguous(bytes, address(of:)) == own?.get())
    }

    @Test func `memory is kept from one to the next`() throws {
        var gather = GatherBuffer()
        let first = try gather.withContiguous(Bytes(sample(100), regions: 10), address(of:))
        let second = try gather.withContiguous(Bytes(sample(99), regions: 10), address(of:))
        #expect(first == second)
    }

    @Test func `what the body throws is thrown`() {
        var gather = GatherBuffer()
        let bytes = Bytes(sample(10), regions: 5)
        var failure: Failure?
        do throws(Failure) {
            try gather.withContiguous(bytes) { _ throws(Failure) in throw .cancelled }
        } catch {
            failure = error
        }
        #expect(failure == .cancelled)
    }
}

private func address(of bytes: RawSpan) -> UInt { bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }
