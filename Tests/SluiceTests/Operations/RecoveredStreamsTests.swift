import ForeignCodec
import TestSupport
import Testing

@testable import SluiceEngine

/// Of several streams in a file each seek table counts for its own: it tells nothing of the bytes in front of it.
@Suite(.timeLimit(.minutes(4)))
struct RecoveredStreamsTests {
    private static let frameSize = 1024

    /// Frames, and what they hold.
    struct Stream {
        let content: [UInt8]
        let file: [UInt8]

        /// A stream of several frames with a table.
        init(frames: Int, seed: UInt64) throws {
            content = patchwork(frames * frameSize, seed: seed)
            file = try Job.compress(frameSize: frameSize).output(of: content)
        }

        /// A frame alone.
        init() throws {
            content = patchwork(900, seed: 5)
            file = try frame(content)
        }

        init(foreign: [UInt8]) { (content, file) = ([], foreign) }

        init(content: [UInt8], file: [UInt8]) { (self.content, self.file) = (content, file) }

        /// Where each frame with content begins.
        var starts: [Int] {
            let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
            return file.indices.filter { file[$0] == magic[0] && file[$0...].starts(with: magic) }
        }

        /// Where the table begins, which lists all frames, and the header behind the first one.
        var table: Int { file.count - 17 - 12 * (starts.count + 1) }

        /// The content without that of a frame.
        func without(_ frame: Int) -> [UInt8] {
            var content = content
            for offset in frame * frameSize..<(frame + 1) * frameSize { content[offset] = 0 }
            return content
        }
    }

    enum Front: CaseIterable {
        case stream, frame

        func made() throws -> Stream { self == .stream ? try Stream(frames: 5, seed: 3) : try Stream() }
    }

    private static func second() throws -> Stream { try Stream(frames: 8, seed: 4) }

    enum Foreign: CaseIterable {
        case noise, zeros, gzip

        var bytes: [UInt8] {
            switch self {
            case .noise: sample(700, seed: 9)
            case .zeros: [UInt8](repeating: 0, count: 512)
            case .gzip: member(sample(500), in: .gzip)
            }
        }
    }

    /// Streams a and b, a frame f, and x, which is no frame.
    @Test(arguments: ["xa", "xf", "ax", "axb", "fxb", "abx", "xab"], Foreign.allCases)
    func `bytes that are no frame may have been content`(order: String, foreign: Foreign) throws {
        let streams: [Character: Stream] = [
            "a": try Front.stream.made(), "b": try Self.second(), "f": try Front.frame.made(),
            "x": Stream(foreign: foreign.bytes),
        ]
        let parts = order.compactMap { streams[$0] }
        let (bytes, lost) = try RecoveryTests.recover(Array(parts.map(\.file).joined()))
        #expect(bytes.isSame(as: Array(parts.map(\.content).joined())))
        // A seek table proves that no content was in the place of zeros behind it.
        if foreign == .zeros, order.hasSuffix("ax") || order.hasSuffix("bx") {
            #expect(lost.count == 0 && lost.inputSize == 0 && !lost.isOfContent)
            return
        }
        #expect(lost.isOfContent && !lost.isExact && lost.contentSize == 0)
        #expect(lost.count == 1 && lost.inputSize == UInt64(foreign.bytes.count))
    }

    @Test(arguments: [ForeignFormat.gzip, .xz, .lzma, .lz4])
    func `a file in another format is refused by its name`(format: ForeignFormat) throws {
        let outcome = try Job(Recovery()).outcome(of: member(sample(500), in: format))
        #expect(outcome.failure == .foreign(.notRecovered(format)) && outcome.bytes.isEmpty)
    }

    enum TableDamage: CaseIterable {
        case magic, size, footer, removed, inserted

        func damage(_ file: inout [UInt8], table: Int) {
            switch self {
            case .magic: file[table + 3] ^= 0xFF
            case .size: file[table + 4] ^= 0xFF
            case .footer: file[file.count - 1] ^= 1
            case .removed: file.removeSubrange(table + 20..<table + 32)
            case .inserted: file.insert(contentsOf: [UInt8](repeating: 0xFF, count: 12), at: table + 20)
            }
        }
    }

    @Test(arguments: TableDamage.allCases)
    func `a damaged table between streams loses nothing`(damage: TableDamage) throws {
        let (first, second) = (try Front.stream.made(), try Self.second())
        var damaged = first.file
        damage.damage(&damaged, table: first.table)
        let (bytes, lost) = try RecoveryTests.recover(damaged + second.file)
        #expect(bytes.isSame(as: first.content + second.content))
        #expect(!lost.isOfContent)
    }

    @Test func `what stands behind a damaged table may have been content`() throws {
        let first = try Front.stream.made()
        for place in [first.table + 8, first.file.count - 1] {
            var damaged = first.file
            damaged[place] ^= 1
            let (bytes, lost) = try RecoveryTests.recover(damaged + sample(700, seed: 9))
            #expect(bytes.isSame(as: first.content))
            #expect(lost.isOfContent && !lost.isExact)
        }
    }

    @Test(arguments: Front.allCases)
    func `a damaged first frame of a later stream leaves its place`(front: Front) throws {
        let (first, second) = (try front.made(), try Self.second())
        var damaged = first.file + second.file
        damaged[first.file.count] ^= 1
        let (bytes, lost) = try RecoveryTests.recover(damaged)
        #expect(bytes.isSame(as: first.content + second.without(0)))
        #expect(lost.contentSize == UInt64(Self.frameSize) && lost.isExact)
    }

    @Test func `a first frame that is missing as a whole leaves its place`() throws {
        let stream = try Self.second()
        let headerSize = 24
        let (bytes, lost) = try RecoveryTests.recover(Array(stream.file[(stream.starts[1] - headerSize)...]))
        #expect(bytes.isSame(as: stream.without(0)))
        #expect(lost.isExact && lost.contentSize == UInt64(Self.frameSize) && lost.count == 1)
    }

    /// The header and the last frame are then as far before the table as if the stream began later.
    @Test(arguments: [1, 23, 64, 512])
    func `what is inserted after the first frame moves nothing`(count: Int) throws {
        for frames in [2, 8] {
            let stream = try Stream(frames: frames, seed: 4)
            var damaged = stream.file
            damaged.insert(contentsOf: [UInt8](repeating: 0xFF, count: count), at: stream.starts[1] - 24)
            let (bytes, lost) = try RecoveryTests.recover(damaged)
            #expect(bytes.isSame(as: stream.content) && lost.isOfDamage)
        }
    }

    /// No header announces the table that lists the first frame.
    @Test func `a stream that begins with its second frame is what a test takes it for`() throws {
        let stream = try Self.second()
        let rest = Array(stream.file[stream.starts[1]...])
        let (bytes, lost) = try RecoveryTests.recover(rest)
        #expect(bytes.isSame(as: Array(stream.content[Self.frameSize...])) && !lost.isOfDamage)
        #expect(try Job.decompress().output(of: rest).isSame(as: bytes))
    }

    /// Versions of a disk image, or `cat a.zst b.zst`.
    @Test(arguments: [true, false])
    func `of streams that begin with the same frame each keeps its frames`(hasTable: Bool) throws {
        let (start, ends) = (patchwork(Self.frameSize, seed: 7), [patchwork(6000, seed: 8), patchwork(7000, seed: 9)])
        let parts = try ends.map { try Job.compress(frameSize: Self.frameSize).output(of: start + $0) }
        let second = Stream(content: start + ends[1], file: parts[1])
        let first = Stream(content: start + ends[0], file: hasTable ? parts[0] : try frame(start) + frame(ends[0]))
        let file = first.file + second.file
        let (bytes, lost) = try RecoveryTests.recover(file)
        #expect(bytes.isSame(as: first.content + second.content) && !lost.isOfDamage)
        for frame in second.starts.indices.dropLast() {
            var damaged = file
            for offset in 20..<60 { damaged[first.file.count + second.starts[frame] + offset] = 0 }
            let (bytes, lost) = try RecoveryTests.recover(damaged)
            #expect(bytes.isSame(as: first.content + second.without(frame)), "frame \(frame)")
            #expect(lost.contentSize == UInt64(Self.frameSize) && lost.isExact)
        }
    }

    /// The tables are intact, of both streams.
    @Test func `a frame that is missing in an earlier stream is told to the byte`() throws {
        let (first, second) = (try Stream(frames: 5, seed: 3), try Self.second())
        var damaged = first.file
        damaged.removeSubrange(first.starts[2]..<first.starts[3])
        for end in [second.file, second.file + [UInt8](repeating: 0, count: 700), second.file + second.file] {
            let (bytes, lost) = try RecoveryTests.recover(damaged + end)
            let copies = end.count > 2 * second.file.count - 1 ? 2 : 1
            let rest = Array([[UInt8]](repeating: second.content, count: copies).joined())
            #expect(bytes.isSame(as: first.without(2) + rest))
            #expect(lost.isExact && lost.contentSize == UInt64(Self.frameSize) && lost.isOfDamage)
        }
    }

    /// A header announces the table, so that its claims are believed.
    @Test(arguments: [3, 20, 37])
    func `most of the frames may be missing`(left: Int) throws {
        let stream = try Stream(frames: 40, seed: 4)
        var damaged = stream.file
        damaged.removeSubrange(stream.starts[2]..<stream.starts[left])
        var content = stream.content
        for offset in 2 * Self.frameSize..<left * Self.frameSize { content[offset] = 0 }
        for zeros in [0, 3000] {
            let (bytes, lost) = try RecoveryTests.recover(damaged + [UInt8](repeating: 0, count: zeros))
            #expect(bytes.isSame(as: content))
            #expect(lost.isExact && lost.contentSize == UInt64((left - 2) * Self.frameSize))
        }
    }

    @Test func `a stream that is cut in front of another one may have lost content`() throws {
        let (first, second) = (try Front.stream.made(), try Self.second())
        let (bytes, lost) = try RecoveryTests.recover(Array(first.file[..<first.starts[4]]) + second.file)
        #expect(bytes.isSame(as: Array(first.content.dropLast(Self.frameSize)) + second.content))
        #expect(lost.isOfContent && !lost.isExact && lost.contentSize == 0)
    }

    @Test(arguments: Front.allCases)
    func `a later stream of which only the table is left leaves its place`(front: Front) throws {
        let (first, second) = (try front.made(), try Self.second())
        var damaged = first.file + second.file
        for offset in first.file.count..<first.file.count + second.table { damaged[offset] = 0 }
        let (bytes, lost) = try RecoveryTests.recover(damaged)
        #expect(bytes.isSame(as: first.content + [UInt8](repeating: 0, count: second.content.count)))
        #expect(lost.contentSize == UInt64(second.content.count) && lost.isExact == (front == .stream))
    }

    @Test(arguments: Front.allCases)
    func `what is inserted into a later stream shifts nothing`(front: Front) throws {
        let (first, second) = (try front.made(), try Self.second())
        var damaged = second.file
        damaged.insert(contentsOf: [UInt8](repeating: 0xFF, count: 500), at: second.starts[3] + 20)
        let (bytes, lost) = try RecoveryTests.recover(first.file + damaged)
        #expect(bytes.isSame(as: first.content + second.without(3)))
        #expect(lost.contentSize == UInt64(Self.frameSize) && lost.isExact == (front == .stream))
    }

    @Test func `a frame that is lost in front of a stream counts`() throws {
        let (first, second) = (try Front.stream.made(), try Self.second())
        var damaged = first.file
        for offset in first.starts[4] + 20..<first.file.count { damaged[offset] = 0 }
        let (bytes, lost) = try RecoveryTests.recover(damaged + second.file)
        #expect(bytes.isSame(as: first.without(4) + second.content))
        #expect(!lost.isExact && lost.contentSize == UInt64(Self.frameSize))
    }

    /// The first copy's frames are those that the second one's table lists.
    @Test func `a damaged second copy of a stream is written like the first`() throws {
        let stream = try Self.second()
        var damaged = stream.file + stream.file
        damaged[stream.file.count] ^= 1
        let (bytes, lost) = try RecoveryTests.recover(damaged)
        #expect(bytes.isSame(as: stream.content + stream.without(0)))
        #expect(lost.isExact && lost.contentSize == UInt64(Self.frameSize))
    }
}
