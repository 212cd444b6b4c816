import ByteStreams
import Dispatch
import ForeignCodec
import Glibc
import StreamTestSupport
import Synchronization
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import Sluice
@testable import SluiceEngine

/// Sequences of buffers, compressed and decompressed.
@Suite(.timeLimit(.minutes(4)))
struct TransformedBytesTests {
    static let content = sample(3_000_000)
    static let small = Compression(level: 1, frameSize: 1 << 16)

    @Test(arguments: [1 << 10, 70_000, 1 << 20, 8 << 20])
    func `a sequence becomes what a run makes of its bytes, and back`(size: Int) async throws {
        let buffers = Buffers(Self.content, size: size)
        let packed = try await buffers.compressed(by: Self.small).collected()
        #expect(packed.isSame(as: try Job.compress().output(of: Self.content)))
        #expect(try await Buffers(packed, size: size).decompressed().collected().isSame(as: Self.content))
        #expect(try await buffers.compressed(level: 3).decompressed().collected().isSame(as: Self.content))
    }

    @Test func `no buffer becomes an empty frame, and that no buffer`() async throws {
        let packed = try await Buffers([], size: 1).compressed().collected()
        #expect(!packed.isEmpty)
        #expect(try await Buffers(packed, size: 1).decompressed().collected().isEmpty)
    }

    @Test func `buffers of Dispatch's are taken, and what is not contiguous`() async throws {
        let regions = Regions(bytes: Bytes(Self.content))
        var back: [UInt8] = []
        for try await data in regions.compressed().decompressed() { back += [UInt8](data) }
        #expect(back.isSame(as: Self.content))
    }

    @Test func `other formats are read`() async throws {
        let packed = member(Self.content, in: .gzip)
        #expect(try await Buffers(packed, size: 5000).decompressed().collected().isSame(as: Self.content))
    }

    @Test func `what is damaged is an error behind what is right`() async throws {
        var packed = try Job.compress().output(of: Self.content)
        packed[packed.count / 2] ^= 1
        let buffers = Buffers(packed, size: 10_000)
        var back: [UInt8] = []
        let failure = await #expect(throws: Failure.self) {
            for try await buffer in buffers.decompressed() { back += buffer }
        }
        guard failure?.code == .corrupt else { return #expect(failure == nil) }
        #expect(back.isPrefix(of: Self.content))
    }

    /// In a process of its own, which has room for a few more stacks.
    @Test(.enabled(if: measures)) func `a sequence that gets no thread ends with that error`() async {
        await #expect(processExitsWith: .success) {
            let used = try #require(processStatus("VmSize").flatMap { rlim_t($0) }) << 10
            var limit = rlimit(rlim_cur: used + (64 << 20), rlim_max: .max)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
            let never = DispatchSemaphore(value: 0)
            // Swift's own threads end when they are idle, and could not be replaced. Both must be there.
            let threads = Locked<Set<pthread_t>>([])
            for _ in 0..<2 {
                Task.detached {
                    while true {
                        threads.withLock { _ = $0.insert(pthread_self()) }
                        await Task.yield()
                    }
                }
            }
            while threads.withLock({ $0.count }) < min(2, availableProcessors()) { await Task.yield() }
            while (try? startThread { never.wait() }) != nil {}
            let failure = await #expect(throws: Failure.self) {
                _ = try await Buffers([1, 2, 3], size: 1).compressed().collected()
            }
            #expect(failure?.code == .outOfThreads)
        }
    }

    @Test func `what the base throws comes out`() async throws {
        await #expect(throws: Oops.self) {
            _ = try await Buffers(Self.content, size: 1000, failsAt: 500_000).compressed().collected()
        }
    }

    @Test func `no more is taken than somebody takes`() async throws {
        let endless = Buffers(sample(1 << 20), size: 1 << 16, isEndless: true)
        var iterator = endless.compressed(by: Self.small, options: RunOptions(threads: 2)).makeAsyncIterator()
        _ = try await iterator.next()
        try await Task.sleep(for: .seconds(0.5))
        let taken = endless.taken
        try await Task.sleep(for: .seconds(0.3))
        #expect(endless.taken == taken)
        #expect(taken < 4 << 20)
        // Goes on.
        for _ in 0..<100 { _ = try await iterator.next() }
        #expect(endless.taken > taken)
    }

    @Test func `who stops taking ends the run, and the base`() async throws {
        let endless = Buffers(sample(1 << 20), size: 1 << 16, isEndless: true)
        for try await _ in endless.compressed(by: Self.small) { break }
        #expect(await soon { endless.isReleased })
        #expect(await soon { WorkerPool.shared.available == availableProcessors() })
    }

    @Test func `a Task that is cancelled ends at once, though the base is silent`() async throws {
        let seconds = try await AsyncRunTests.cancelled {
            let silent = Buffers(sample(1000), size: 1000, isSilent: true)
            _ = try await silent.compressed().collected()
        }
        #expect(seconds < AsyncRunTests.patience)
    }

    @Test func `a hundred that depend on each other all end`() async throws {
        let content = sample(300_000)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    let buffers = Buffers(content, size: 10_000)
                    return try await buffers.compressed(by: Self.small).decompressed().collected() == content
                }
            }
            for try await isSame in group { #expect(isSame) }
        }
    }

    @Test func `a sequence becomes a file, or none if it throws`() async throws {
        let scratch = try Scratch()
        let path = scratch.path.appending("a.zst")
        await #expect(throws: Oops.self) {
            try await Self.small.run(from: Buffers(Self.content, size: 1000, failsAt: 500_000), to: .file(path))
        }
        #expect(await soon { scratch.names.isEmpty })
        let summary = try await Self.small.run(from: Buffers(Self.content, size: 9999), to: .file(path))
        #expect(try scratch.content("a.zst").isSame(as: try Job.compress().output(of: Self.content)))
        #expect(summary.contentSize == Self.content.count)
    }

    @Test func `a sequence of frames becomes a file with their content`() async throws {
        let scratch = try Scratch()
        let packed = try Job.compress().output(of: Self.content)
        let summary = try await Decompression().run(
            from: Buffers(packed, size: 9999), to: .file(scratch.path.appending("a")))
        #expect(try scratch.content("a").isSame(as: Self.content))
        #expect(summary.contentSize == Self.content.count)
    }

    @Test func `a region has its bytes in place, and one by one`() async throws {
        var position = 0
        for try await region in Buffers(Self.content, size: 1 << 16).compressed().decompressed() {
            let expected = Array(Self.content[position..<position + region.count])
            #expect(region.bytes.withUnsafeBytes { [UInt8]($0) }.isSame(as: expected))
            #expect(region.first == expected.first && region.last == expected.last)
            #expect(Array(region.suffix(100).reversed()) == expected.suffix(100).reversed())
            position += region.count
        }
        #expect(position == Self.content.count)
    }

    /// Several cores decode it into memory that they use again.
    @Test(.timeLimit(.minutes(1))) func `whoever keeps every region of a large frame gets all of it`() async throws {
        let content = [UInt8](repeating: 7, count: 48 << 20)
        let frame = Compression(level: 1, frameSize: 64 << 20)
        var kept: [ByteRegion] = []
        for try await region in Buffers(content, size: 1 << 20).compressed(by: frame).decompressed() {
            kept.append(region)
        }
        #expect(kept.reduce(0) { $0 + $1.count } == content.count)
        #expect(kept.allSatisfy { region in region.first == 7 && region.last == 7 })
    }

    @Test func `a part of a compressed file is a sequence`() async throws {
        let scratch = try Scratch()
        let path = try scratch.write(try Job.compress().output(of: Self.content), to: "a.zst")
        let file = try await CompressedFile.open(at: path.string)
        #expect(try await file.buffers().collected().isSame(as: Self.content))
        let part = try await file.buffers(in: 100_000..<2_500_000).collected()
        #expect(part.isSame(as: Array(Self.content[100_000..<2_500_000])))
        #expect(try await file.buffers(in: 2_999_999..<5_000_000).collected() == Self.content.suffix(1))
        #expect(try await file.buffers(in: 5_000_000..<6_000_000).collected() == [])
    }

    @Test func `progress ends with the sequence`() async throws {
        let progress = RunProgress()
        let buffers = Buffers(Self.content, size: 10_000)
        async let packed = buffers.compressed(options: RunOptions(progress: progress)).collected()
        var last = RunProgress.Totals()
        for await totals in progress { last = totals }
        #expect(last.bytesIn == Self.content.count)
        #expect(last.bytesOut == (try await packed.count))
    }
}

struct Oops: Error {}

/// The bytes of an array in buffers of one size.
struct Buffers: AsyncSequence, Sendable {
    /// What is known of it while it goes on.
    final class Record: Sendable {
        let taken = Atomic(0)
    }

    final class Token: Sendable {
        let isReleased: @Sendable () -> Void

        init(_ isReleased: @escaping @Sendable () -> Void) { self.isReleased = isReleased }
        deinit { isReleased() }
    }

    final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    let content: [UInt8]
    let size: Int
    var failsAt = Int.max
    var isEndless = false
    var isSilent = false
    private let record = Record()
    private let released = Flag()

    init(_ content: [UInt8], size: Int, failsAt: Int = .max, isEndless: Bool = false, isSilent: Bool = false) {
        (self.content, self.size) = (content, size)
        (self.failsAt, self.isEndless, self.isSilent) = (failsAt, isEndless, isSilent)
    }

    /// Bytes that were taken.
    var taken: Int { record.taken.load(ordering: .relaxed) }
    /// Whether an iterator has gone.
    var isReleased: Bool { released.isSet.load(ordering: .relaxed) }

    func makeAsyncIterator() -> Iterator {
        let released = released
        return Iterator(buffers: self, token: Token { released.isSet.store(true, ordering: .relaxed) })
    }

    struct Iterator: AsyncIteratorProtocol {
        let buffers: Buffers
        let token: Token
        var offset = 0

        mutating func next() async throws -> [UInt8]? {
            if offset >= buffers.failsAt { throw Oops() }
            if offset >= buffers.content.count {
                if buffers.isSilent { try await Task.sleep(for: .seconds(1000)) }
                guard buffers.isEndless else { return nil }
                offset = 0
            }
            let buffer = buffers.content[offset..<Swift.min(offset + buffers.size, buffers.content.count)]
            offset += buffer.count
            buffers.record.taken.add(buffer.count, ordering: .relaxed)
            return Array(buffer)
        }
    }
}

/// Data of Dispatch's, which is not `Sendable`, in two buffers.
struct Regions: AsyncSequence, Sendable {
    let bytes: Bytes

    func makeAsyncIterator() -> Iterator { Iterator(bytes: bytes) }

    struct Iterator: AsyncIteratorProtocol {
        var bytes: Bytes

        mutating func next() async -> DispatchData? {
            bytes.isEmpty ? nil : bytes.removeFirst(2_000_000).data
        }
    }
}

extension AsyncSequence where Element: Collection<UInt8> {
    func collected() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        // Not byte by byte, as an array adds what it does not know.
        for try await buffer in self {
            if buffer.withContiguousStorageIfAvailable({ bytes += $0 }) == nil { bytes += buffer }
        }
        return bytes
    }
}
