import StreamTestSupport
import Synchronization
import TestSupport
import Testing
import ZstdCodec

@testable import Sluice
@testable import SluiceEngine

/// Bytes that a program has elsewhere.
private struct Elsewhere: RangeSource {
    let bytes: [UInt8]

    var size: Int { bytes.count }

    func read(from offset: Int, into memory: inout OutputRawSpan) {
        for byte in bytes[offset..<offset + memory.freeCapacity] { memory.append(byte, as: UInt8.self) }
    }
}

/// The same, with the sizes of reads.
private final class Counted: RangeSource {
    let bytes: [UInt8]
    let counts = Mutex<[Int]>([])

    init(bytes: [UInt8]) { self.bytes = bytes }

    var size: Int { bytes.count }

    func read(from offset: Int, into memory: inout OutputRawSpan) {
        let count = memory.freeCapacity
        counts.withLock { $0.append(count) }
        for byte in bytes[offset..<offset + count] { memory.append(byte, as: UInt8.self) }
    }
}

/// What is read from another origin is what a file with these bytes gives.
@Suite(.timeLimit(.minutes(4))) struct RangeSourceTests {
    @Test(arguments: ExtractionTests.Form.allCases)
    func `any place reads as in the content`(form: ExtractionTests.Form) async throws {
        let wrong = try await within {
            let content = sample(400_000)
            let file = try CompressedFile(Elsewhere(bytes: try form.file(content)), options: .init(threads: 2))
            var (numbers, wrong) = (SeededNumbers(seed: 5), [Int]())
            for _ in 0..<10 {
                let start = Int.random(in: 0...410_000, using: &numbers)
                let count = Int.random(in: 0...100_000, using: &numbers)
                let bytes = try file.read(start..<start + count)
                if !bytes.isSame(as: Array(content.dropFirst(start).prefix(count))) { wrong.append(start) }
            }
            return wrong
        }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: ExtractionTests.Form.allCases)
    func `a listing is that of the file`(form: ExtractionTests.Form) throws {
        for content in [sample(400_000), sample(32_768), [1]] {
            let bytes = try form.file(content)
            for bytes in [bytes, bytes + bytes] {
                let file = try NamelessFile(bytes)
                let listing = try Listing(of: try Source(file.descriptor))
                #expect(try Listing(of: Source(Elsewhere(bytes: bytes))) == listing)
            }
        }
    }

    /// An index file has the last four bytes of each frame, and of a file on a server each read is a request.
    @Test func `an index is made of what was read, and asks for nothing again`() async throws {
        let (counts, again) = try await within { () -> ([Int], [UInt8]) in
            let (content, scratch) = (sample(2_000_000), try Scratch())
            let source = Counted(bytes: try ExtractionTests.Form.silentFrames.file(content))
            var options = CompressedFile.Options()
            options.indexFile = IndexFile(at: scratch.path.appending("index"))
            let file = try CompressedFile(source, options: options)
            let small = source.counts.withLock { $0.filter { $0 <= 16 } }
            // The index is right: another one reads by it.
            let again = try CompressedFile(Elsewhere(bytes: source.bytes), options: options)
            #expect(file.contentSize == content.count && again.contentSize == content.count)
            return (small, try again.read(1_999_000..<2_000_000) == Array(content.suffix(1000)) ? [1] : [])
        }
        #expect(counts.count < 10 && again == [1])
    }

    @Test func `a range of a stream comes in order, and whole runs do`() async throws {
        let content = sample(300_000)
        let bytes = try Job.compress(frameSize: 1 << 15).output(of: content)
        let file = try CompressedFile(Elsewhere(bytes: bytes))
        var read: [UInt8] = []
        for try await buffer in file.buffers(in: 1000..<250_000) { read += Array(buffer) }
        #expect(read.isSame(as: Array(content[1000..<250_000])))
    }

    /// Each bit of a size in the table: what is read then is right, or an error.
    @Test func `a wrong seek table never gives wrong bytes`() async throws {
        let wrong = try await within { () -> [Int] in
            let content = sample(300_000)
            let bytes = try Job.compress(frameSize: 1 << 15).output(of: content)
            let tableSize = SeekTable.encodedSize(footer: bytes.span.bytes.extracting(last: SeekTable.footerSize)) ?? 0
            let start = bytes.count - Int(tableSize) + 8
            var wrong: [Int] = []
            for position in start..<bytes.count - SeekTable.footerSize {
                var damaged = bytes
                damaged[position] ^= 16
                guard let file = try? CompressedFile(Elsewhere(bytes: damaged)),
                    let read = try? file.read(200_000..<200_100)
                else { continue }
                if read != Array(content[200_000..<200_100]) { wrong.append(position) }
            }
            return wrong
        }
        #expect(wrong.isEmpty)
    }
}
