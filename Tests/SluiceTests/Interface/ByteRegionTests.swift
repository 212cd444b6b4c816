import ByteStreams
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// Regions of memory that a run made.
struct ByteRegionTests {
    @Test(arguments: [(1, "1 byte"), (2, "2 bytes"), (4096, "4096 bytes")])
    func `a printed region says how many bytes there are`(_ count: Int, _ words: String) throws {
        var bytes = Bytes(sample(count))
        #expect("\(try #require(ByteRegion(takenFrom: &bytes)))" == words)
    }

    @Test func `arrays take all bytes of a region, and no others`() throws {
        let content = sample(10_000)
        let first = [UInt8](content[..<1000])
        var bytes = Bytes(content)
        let region = try #require(ByteRegion(takenFrom: &bytes, most: 1000))
        #expect(region.count == 1000 && bytes.count == 9000)
        var array = [UInt8](region)
        #expect(array == first)
        array.append(contentsOf: region)
        array += region
        #expect(array.count == 3000 && array[1000..<2000].elementsEqual(first) && array[2000...].elementsEqual(first))
        // Code that knows only a sequence takes the same.
        #expect(region.elementsEqual(first) && ContiguousArray(region).elementsEqual(first))
    }
}
