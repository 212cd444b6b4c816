import Dispatch
import Glibc
import StreamTestSupport
import Synchronization
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import Sluice
@testable import SluiceEngine

@Suite(.timeLimit(.minutes(4)))
struct CompressedFileTests {
    @Test(arguments: ExtractionTests.Form.allCases, [0, 100_000])
    func `any place reads as in a file that is not compressed`(form: ExtractionTests.Form, cacheSize: Int) async throws
    {
        let (wrong, size) = try await within {
            let content = sample(400_000)
            let file = try NamelessFile(form.file(content))
            let compressed = try CompressedFile(file.descriptor, options: .init(cacheSize: cacheSize, threads: 2))
            var (numbers, wrong) = (SeededNumbers(seed: 3), [Int]())
            for _ in 0..<40 {
                let start = Int.random(in: 0...410_000, using: &numbers)
                let count = Int.random(in: 0...100_000, using: &numbers)
                let bytes = try compressed.read(start..<start + count)
                if !bytes.isSame(as: Array(content.dropFirst(start).prefix(count))) { wrong.append(start) }
            }
            if try !compressed.read(Int.max..<Int.max).isEmpty { wrong.append(.max) }
            if try compressed.read(399_990..<Int.max).count != 10 { wrong.append(399_990) }
            return (wrong, compressed.contentSize)
        }
        #expect(wrong.isEmpty)
        #expect(size == 400_000)
    }

    @Test func `a FIFO is refused, and not waited for`() async throws {
        let scratch = try Scratch()
        let path = scratch.path.appending("pipe")
        try #require(mkfifo(path.string, 0o600) == 0)
        let failure = try await within { () -> Failure? in
            do throws(Failure) { _ = try CompressedFile(at: path) } catch { return error }
            return nil
        }
        #expect(failure?.code == .notSeekable)
        let opened = await #expect(throws: Failure.self) { try await CompressedFile.open(at: path) }
        #expect(opened.map { "\($0)" } == "\(path): \(Failure.onlyForward(isFile: false))")
    }

    @Test func `a file is opened by its name, without a task too, and one that is not there says so`() throws {
        let (scratch, content) = (try Scratch(), sample(10_000))
        let path = try scratch.write(frame(content), to: "a.zst")
        let compressed = try CompressedFile(at: path)
        #expect(try compressed.read(9_000..<9_100).isSame(as: Array(content[9_000..<9_100])))
        let failure = #expect(throws: Failure.self) { try CompressedFile(at: scratch.path.appending("b.zst")) }
        #expect(failure?.errno == .noSuchFileOrDirectory && failure?.code == .notFound)
        let name = path.string
        #expect(try CompressedFile(at: name).contentSize == 10_000)
    }

    @Test func `whatever keeps a file from being opened, the file is named once`() async throws {
        let (scratch, content) = (try Scratch(), sample(10_000))
        let whole = try frame(content)
        let cases: [(String, [UInt8])] = [
            ("empty", []), ("no frames", Array("no frames".utf8)), ("cut", Array(whole.dropLast(9))),
            ("gzip", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0]), ("damaged", Array(whole.dropFirst(1))),
        ]
        for (name, bytes) in cases { try scratch.write(bytes, to: name) }
        try #require(mkdir(scratch.path.appending("folder").string, 0o700) == 0)
        defer { rmdir(scratch.path.appending("folder").string) }
        for name in cases.map(\.0) + ["folder", "missing"] {
            let path = scratch.path.appending(name)
            let failure = await #expect(throws: Failure.self, "\(name)") {
                try await CompressedFile.open(at: path.string)
            }
            #expect(failure?.message.ranges(of: path.string).count == 1, "\(name): \(String(describing: failure))")
        }
    }

    @Test(arguments: [0, -1]) func `a number of threads that makes no sense is refused`(_ threads: Int) throws {
        let scratch = try Scratch()
        let path = try scratch.write(frame(sample(1000)), to: "a.zst")
        let failure = #expect(throws: Failure.self) { try CompressedFile(at: path, options: .init(threads: threads)) }
        #expect(failure?.code == .invalidOption)
    }

    @Test(arguments: ExtractionTests.Form.allCases)
    func `memory of the caller is filled, as far as there is content`(form: ExtractionTests.Form) async throws {
        let (wrong, rest) = try await within {
            let content = sample(400_000)
            let file = try NamelessFile(form.file(content))
            let compressed = try CompressedFile(file.descriptor, options: .init(threads: 2))
            var wrong: [Int] = []
            for start in [0, 1, 99_999, 350_000] {
                let bytes = try [UInt8](capacity: 50_001) { memory throws(Failure) in
                    memory.append(7)
                    try compressed.read(from: start, into: &memory)
                }
                if !bytes.isSame(as: [7] + Array(content[start..<start + 50_000])) { wrong.append(start) }
            }
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1000, alignment: 16)
            defer { room.deallocate() }
            let rest = try [399_990, 400_000, Int.max].map { start in
                var memory = OutputRawSpan(buffer: room, initializedCount: 0)
                try compressed.read(from: start, into: &memory)
                return memory.finalize(for: room)
            }
            return (wrong, rest)
        }
        #expect(wrong.isEmpty)
        #expect(rest == [10, 0, 0])
    }

    @Test func `many threads read it at once`() async throws {
        let wrong = try await within {
            let content = sample(600_000)
            let file = try NamelessFile(Job.compress(frameSize: 1 << 15).output(of: content))
            let compressed = try CompressedFile(file.descriptor, options: .init(cacheSize: 1 << 16))
            let wrong = Collected()
            DispatchQueue.concurrentPerform(iterations: 8) { thread in
                for turn in 0..<20 {
                    let start = (thread * 71_993 + turn * 30_011) % 590_000
                    let bytes = try? compressed.read(start..<start + 5000)
                    if bytes?.isSame(as: Array(content[start..<start + 5000])) != true { wrong.append([1]) }
                }
            }
            return wrong.count
        }
        #expect(wrong == 0)
    }

    /// 40 MB: more than is held as a whole.
    @Test func `a large frame is decoded forward from where it was left`() async throws {
        let wrong = try await within {
            let content = sample(40_000_000)
            let file = try NamelessFile(frame(content))
            let compressed = try CompressedFile(file.descriptor)
            return try [39_000_000, 39_500_000, 100, 1_500_000].filter { start in
                let bytes = try compressed.read(start..<start + 1000)
                return !bytes.isSame(as: Array(content[start..<start + 1000]))
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test func `damage is an error where it is, and nowhere else`() async throws {
        let failures = try await within {
            let content = sample(300_000)
            var bytes = try Job.compress(frameSize: 1 << 15).output(of: content)
            bytes[bytes.count / 2] ^= 1
            let file = try NamelessFile(bytes)
            let compressed = try CompressedFile(file.descriptor)
            return stride(from: 0, to: 300_000, by: 1 << 15).filter { start in
                (try? compressed.read(start..<start + 100)) == nil
            }
        }
        #expect(failures.count == 1)
    }

    @Test func `an index is made once, and is known for what it is`() async throws {
        let path = FilePath("\(temporaryFolder)/sluice-\(UInt64.random(in: 0...(.max))).index")
        defer { _ = path.withPlatformString { unlink($0) } }
        let (wrong, failure) = try await within {
            let content = sample(400_000)
            let file = try NamelessFile(ExtractionTests.Form.silentFrames.file(content))
            var wrong = 0
            for _ in 0..<2 {
                let compressed = try CompressedFile(
                    file.descriptor, options: .init(indexFile: IndexFile(at: path, isReplacing: false)))
                let bytes = try compressed.read(333_333..<334_332)
                if !bytes.isSame(as: Array(content[333_333..<334_332])) { wrong += 1 }
            }
            let other = try NamelessFile(ExtractionTests.Form.silentFrames.file(sample(400_000, seed: 2)))
            do throws(Failure) {
                _ = try CompressedFile(
                    other.descriptor, options: .init(indexFile: IndexFile(at: path, isReplacing: false)))
                return (wrong, Failure?.none)
            } catch {
                return (wrong, error)
            }
        }
        #expect(wrong == 0)
        #expect(failure == .wrongIndex(path))
    }

    /// The descriptor may be shared with others, who read where it stands.
    @Test func `the place of the caller's descriptor is not moved, not even while everything is decoded`() async throws
    {
        let places = try await within {
            // Frames that do not say how much they hold.
            let file = try NamelessFile((0..<40).flatMap { _ in repeatedFrame(blocks: 400) })
            let descriptor = file.descriptor
            let isOpen = Atomic(true)
            let places = Mutex<Set<Int64>>([])
            let watching = DispatchGroup()
            DispatchQueue(label: "test.watch").async(group: watching) {
                while isOpen.load(ordering: .acquiring) {
                    let place = (try? descriptor.seek(offset: 0, from: .current)) ?? -1
                    places.withLock { _ = $0.insert(place) }
                }
            }
            let compressed = try CompressedFile(descriptor)
            let count = try compressed.read((1 << 20)..<(1 << 20) + 100).count
            isOpen.store(false, ordering: .releasing)
            watching.wait()
            #expect(count == 100)
            return places.withLock { $0 }
        }
        #expect(places == [0])
    }

    @Test func `a frame that many miss at once is decoded once, and nobody who wants another one waits for it`()
        async throws
    {
        let (decodings, results, other) = try await within {
            let cache = FrameCache(size: 1 << 20)
            let decodings = Mutex(0)
            let (entered, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let (results, readers) = (Collected(), DispatchGroup())
            for _ in 0..<8 {
                DispatchQueue(label: "test.reader").async(group: readers) {
                    let bytes = try? cache.frame(1) {
                        decodings.withLock { $0 += 1 }
                        entered.signal()
                        goOn.wait()
                        return Bytes([7])
                    }
                    results.append((bytes?.elements ?? [])[...])
                }
            }
            entered.wait()
            let other = try cache.frame(2) { Bytes([8]) }
            goOn.signal()
            readers.wait()
            return (decodings.withLock { $0 }, results.bytes, other.elements)
        }
        #expect(decodings == 1)
        #expect(results == [UInt8](repeating: 7, count: 8))
        #expect(other == [8])
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `the frames that were used last are held, as many as there is room for`(seed: UInt64) throws {
        let (size, room) = (10, 7)
        let cache = FrameCache(size: size * room)
        var (numbers, model, different) = (SeededNumbers(seed: seed), [Int](), 0)
        for _ in 0..<20_000 {
            let position = Int.random(in: 0..<20, using: &numbers)
            var wasDecoded = false
            _ = try cache.frame(position) {
                wasDecoded = true
                return Bytes([UInt8](repeating: UInt8(position), count: size))
            }
            if wasDecoded == model.contains(position) { different += 1 }
            model.removeAll { $0 == position }
            model.append(position)
            model.removeFirst(max(0, model.count - room))
        }
        #expect(different == 0)
    }

    /// With a search for each use it would take minutes.
    @Test func `what many small frames cost does not grow with how many are held`() async throws {
        let decodings = try await within(50) {
            let cache = FrameCache(size: .max)
            let decodings = Mutex(0)
            let one = Bytes([1])
            for _ in 0..<5 {
                for position in 0..<100_000 {
                    _ = try cache.frame(position) {
                        decodings.withLock { $0 += 1 }
                        return one
                    }
                }
            }
            return decodings.withLock { $0 }
        }
        #expect(decodings == 100_000)
    }

    @Test func `a decoding that fails fails for all who wait, and is tried again the next time`() async throws {
        let cache = FrameCache(size: 1 << 20)
        #expect(throws: Failure.reading(.ioError)) {
            try cache.frame(0) { () throws(Failure) in throw .reading(.ioError) }
        }
        #expect(try cache.frame(0) { Bytes([1]) }.elements == [1])
    }

    /// 40 MB each: more than is held as a whole.
    @Test func `two readers of a large frame go on side by side, each from where it was`() async throws {
        let wrong = try await within(50) {
            let content = sample(40_000_000)
            let file = try NamelessFile(frame(content))
            let compressed = try CompressedFile(file.descriptor, options: .init(threads: 2))
            let (wrong, readers) = (Collected(), DispatchGroup())
            for first in [0, 20_000_000] {
                DispatchQueue(label: "test.reader").async(group: readers) {
                    for start in stride(from: first, to: first + 8_000_000, by: 1_000_000) {
                        let bytes = try? compressed.read(start..<start + 1000)
                        if bytes?.isSame(as: Array(content[start..<start + 1000])) != true { wrong.append([1]) }
                    }
                }
            }
            readers.wait()
            return wrong.count
        }
        #expect(wrong == 0)
    }
}
