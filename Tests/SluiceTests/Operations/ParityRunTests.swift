import TestSupport
import Testing
import ZstdCodec

@testable import Parity
@testable import SluiceEngine

/// Files with parity, alone, one after another, beside others and within others, damaged by chance.
///
/// The law: what `-t` accepts is recovered as it is, but for frames that no checksum proves, and it is a loss if parity
/// knows that something is missing. Otherwise recovery has the verdict of a test of the bytes as parity repairs them,
/// and never gets less than without parity. A repair writes all streams as they were made, or
/// nothing: no stream is left out of which the file still has something.
@Suite(.timeLimit(.minutes(5)))
struct ParityRunTests {
    private static let rounds = isLong ? 1500 : 60

    /// Frames, and what they hold.
    private struct Stream {
        let content: [UInt8]
        let file: [UInt8]
        var hasChecksums = true
        var hasParity = true
        var isForeign = false

        /// A stream with parity, made in any of the ways that there are.
        init(withParityBy numbers: inout SeededNumbers) throws {
            let count = [0, 1, 300, 5000, 40_000, 200_000].randomElement(using: &numbers) ?? 1
            content = count == 0 ? [] : patchwork(Int.random(in: 1...count, using: &numbers), seed: numbers.next())
            var options = CompressionOptions(level: 1, frameSize: [1500, 9000].randomElement(using: &numbers))
            options.hasChecksum = Int.random(in: 0..<4, using: &numbers) > 0
            hasChecksums = options.hasChecksum
            if Bool.random(using: &numbers) { options.alignment = 4096 }
            var compression = Compression(options)
            switch Int.random(in: 0...3, using: &numbers) {
            case 0: compression.framing = .single(contentSize: nil)
            case 1: compression.options.cutsByContent = true
            case 2:
                // Several batches.
                compression.parityShape.keptSize = 900
                compression.parityShape.firstBlockSize = 64
                compression.parityShape.blockSize = 128
                compression.parityShape.groups = 2
            default: break
            }
            let plain = try Job(compression.operation, threads: 2).output(of: content)
            compression.parity = [1, 5, 5, 20, 50].randomElement(using: &numbers)
            if Int.random(in: 0..<3, using: &numbers) > 0 {
                file = try Job(compression.operation, threads: 2).output(of: content)
            } else {
                // Added to a file that has none.
                let input = try NamelessFile(plain)
                let output = try NamelessFile()
                let source = try Source(input.descriptor)
                let addition = try ParityAddition(to: source, percent: compression.parity ?? 5)
                _ = try Job(addition, threads: 2).run(from: source, to: Sink(output.descriptor))
                file = try output.content
            }
        }

        /// The last two frames that describe its parity.
        var lastDescriptions: [[UInt8]] {
            let tag = ParityFrame.description.tag
            let found = file.indices.dropFirst(8).filter { file[$0] == tag[0] && file[$0...].starts(with: tag) }
            return found.suffix(2).map { place in
                let size = file[place - 4..<place].reversed().reduce(0) { $0 << 8 | Int($1) }
                return Array(file[place - 8..<place + size])
            }
        }

        /// What other programs have written, or log lines.
        init(ofOthers numbers: inout SeededNumbers) {
            let isText = Bool.random(using: &numbers)
            let rest = sample(Int.random(in: 20...6000, using: &numbers), seed: numbers.next())
            content = []
            file = (isText ? Array("Nov 29 kernel: ".utf8) : [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]) + rest
            (hasParity, isForeign) = (false, true)
        }

        /// A stream without parity of its own; its content may be a file that has parity, in blocks that are not
        /// compressed.
        init(without numbers: inout SeededNumbers) throws {
            let isNested = Bool.random(using: &numbers)
            content =
                isNested
                ? try Stream(withParityBy: &numbers).file
                : patchwork(Int.random(in: 1...20_000, using: &numbers), seed: numbers.next())
            var options = CompressionOptions(level: 1, frameSize: [2000, 1 << 20].randomElement(using: &numbers))
            options.hasChecksum = Int.random(in: 0..<4, using: &numbers) > 0
            (hasChecksums, hasParity) = (options.hasChecksum, false)
            file = try Job(Compression(options), threads: 1).output(of: content)
        }
    }

    /// Streams one after another.
    private struct Original {
        var streams: [Stream] = []

        init(by numbers: inout SeededNumbers) throws {
            for _ in 0..<([1, 1, 2, 3].randomElement(using: &numbers) ?? 1) {
                switch Int.random(in: 0..<8, using: &numbers) {
                case 0: streams.append(Stream(ofOthers: &numbers))
                case 1...2: streams.append(try Stream(without: &numbers))
                case 3 where !streams.isEmpty: streams.append(streams[0])
                default: streams.append(try Stream(withParityBy: &numbers))
                }
            }
        }

        var content: [UInt8] { streams.flatMap(\.content) }
        var file: [UInt8] { streams.flatMap(\.file) }
        var hasChecksums: Bool { streams.allSatisfy(\.hasChecksums) }

        /// Whether bytes are what a repair of the damaged file may write.
        func mayBecome(_ bytes: [UInt8], of damaged: DamagedBytes) -> Bool {
            Self.are(bytes[...], streams.enumerated().map { ($1.hasParity ? $1.file : nil, damaged.hasTraces(of: $0)) })
        }

        /// Whether bytes are the content of all streams of which there are traces.
        func mayHave(_ content: [UInt8], in damaged: DamagedBytes) -> Bool {
            Self.are(content[...], streams.enumerated().map { ($1.content, damaged.hasTraces(of: $0)) })
        }

        /// Whether bytes are these, one after another, of which others than needed ones may be missing.
        private static func are(_ bytes: ArraySlice<UInt8>, _ parts: [(bytes: [UInt8]?, isNeeded: Bool)]) -> Bool {
            guard let first = parts.first else { return bytes.isEmpty }
            let rest = Array(parts.dropFirst())
            if let part = first.bytes, bytes.starts(with: part), are(bytes.dropFirst(part.count), rest) { return true }
            return !first.isNeeded && are(bytes, rest)
        }
    }

    /// A damaged file, of which each byte is known by the stream that it came from; nil for one that was not there.
    private struct DamagedBytes {
        private(set) var bytes: [UInt8]
        private var origins: [Int?]
        /// Where blocks of frames began.
        private let blocks: [Int]

        init(_ original: Original) throws {
            bytes = original.file
            blocks = try blockHeaders(of: bytes)
            origins = original.streams.enumerated().flatMap { Array(repeatElement($0, count: $1.file.count)) }
        }

        /// Whether something is left of a stream. Zeros, and a few bytes that may be others' by chance, are nothing.
        func hasTraces(of stream: Int) -> Bool {
            var (count, areZeros) = (0, true)
            for place in bytes.indices where origins[place] == stream {
                (count, areZeros) = (count + 1, areZeros && bytes[place] == 0)
                if count >= 16, !areZeros { return true }
            }
            return false
        }

        /// Whether one of the two last descriptions of a stream is left.
        func hasDescription(of stream: Stream, _ number: Int) -> Bool {
            stream.hasParity
                && stream.lastDescriptions.contains { description in
                    bytes.indices.dropLast(description.count - 1).contains {
                        origins[$0] == number && bytes[$0...].starts(with: description)
                    }
                }
        }

        mutating func damage(by numbers: inout SeededNumbers) {
            if bytes.isEmpty { return }
            let joints = bytes.indices.filter { $0 > 0 && origins[$0] != origins[$0 - 1] } + [0]
            var place = Int.random(in: bytes.indices, using: &numbers)
            var count = [1, 1, 20, 512, 5000].randomElement(using: &numbers) ?? 1
            // Often the head of a stream is cut, or its end.
            if Bool.random(using: &numbers), let joint = joints.randomElement(using: &numbers) {
                count = Int.random(in: 1...5000, using: &numbers)
                place = Bool.random(using: &numbers) ? joint : max(0, joint - count)
            }
            let range = place..<place + min(bytes.count - place, count)
            switch Int.random(in: 0...10, using: &numbers) {
            case 9:
                // The header of a block, which tells where the next one begins.
                guard let block = blocks.randomElement(using: &numbers), block + 3 <= bytes.count else { return }
                bytes[block + Int.random(in: 0..<3, using: &numbers)] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
            case 10:
                // A sector that reads as zeros, often the first one of a stream.
                let start = Bool.random(using: &numbers) ? joints.randomElement(using: &numbers) ?? 0 : place
                for offset in start..<min(bytes.count, start + 512) { bytes[offset] = 0 }
            case 0...2: remove(range)
            case 3:
                bytes.insert(contentsOf: sample(range.count, seed: numbers.next()), at: place)
                origins.insert(contentsOf: range.map { _ in nil }, at: place)
            case 4: remove(max(place, bytes.count - 3000)..<bytes.count)
            case 5: remove(place..<bytes.count)
            default: for offset in range { bytes[offset] ^= 0x5A }
            }
        }

        private mutating func remove(_ range: Range<Int>) {
            bytes.removeSubrange(range)
            origins.removeSubrange(range)
        }
    }

    private static func outcome(
        of file: [UInt8], threads: Int = 2, _ operation: (Source) throws(Failure) -> any RunOperation
    ) throws -> Outcome {
        let input = try NamelessFile(file)
        let output = try NamelessFile()
        var outcome = Outcome(bytes: [], failure: nil, summary: nil)
        do throws(Failure) {
            let source = try Source(input.descriptor)
            outcome.summary = try Job(operation(source), threads: threads).run(
                from: source, to: Sink(output.descriptor))
        } catch {
            outcome.failure = error
        }
        outcome.bytes = try output.content
        return outcome
    }

    /// The file as recovery reads it.
    private struct RepairedBytes: RunOperation {
        let found = Locked<(bytes: [UInt8], hasRot: Bool)?>(nil)
        /// What the list of elements leaves out.
        let gap = Locked<String?>(nil)
        var contentSide: Activity.Content { .both }
        var slotSize: Int { 1 << 16 }

        func run(on engine: Engine) throws(Failure) {
            let source = engine.reader.source
            let decompression = Decompression()
            var room = decompression.chunks(on: engine)
            let repaired = try RepairedSource.repairing(
                source, decompression, &room, mostMemory: nil, engine.latch
            ).repaired
            // A disk that loses sectors is read once.
            if source.descriptor != nil, let size = source.size,
                let checked = try CheckedParity(
                    DamagedFile(source, size: size, latch: engine.latch), source, engine.latch,
                    decompression.ownLimits, mostMemory: nil)
            {
                let missing = try FileElements(checked).gap
                gap.withLock { $0 = missing }
            }
            guard let repaired else { return }
            let bytes = try Source(repaired).bytes(at: 0, count: repaired.size) ?? []
            let hasRot = !repaired.wrong.isEmpty
            found.withLock { $0 = (bytes, hasRot) }
        }
    }

    private static func repaired(_ file: [UInt8]) throws -> (bytes: [UInt8], hasRot: Bool)? {
        let operation = RepairedBytes()
        _ = try outcome(of: file) { _ in operation }
        #expect(operation.gap.withLock { $0 } == nil)
        return operation.found.withLock { $0 }
    }

    private static func isSound(_ outcome: Outcome) -> Bool {
        outcome.failure == nil && outcome.summary?.lost?.isOfDamage == false
    }

    /// What is wrong with the recovery of a file, if anything is.
    private static func flaw(of original: Original, recovering damaged: DamagedBytes, threads: Int) throws -> String? {
        let file = damaged.bytes
        let truth = try outcome(of: file) { _ in Decompression() }
        let before = try outcome(of: file) { _ in Recovery() }
        let recovery = try outcome(of: file, threads: threads) { source throws(Failure) in
            try Recovery(repairing: source)
        }
        let repaired = try repaired(file)
        if isSound(recovery), original.hasChecksums,
            original.streams.enumerated().allSatisfy({ damaged.hasDescription(of: $1, $0) }),
            !recovery.bytes.isSame(as: original.content)
        {
            return "sound, though parity knows that something is missing"
        }
        if truth.failure == nil, repaired == nil {
            return isSound(recovery) && recovery.bytes.isSame(as: truth.bytes) ? nil : "not the bytes of -d"
        }
        // Of a sound file only what is missing is known to be wrong, and what no checksum proves.
        if truth.failure == nil, isSound(recovery), original.hasChecksums, repaired?.bytes.count == file.count {
            return "a sound file changes"
        }
        if before.failure == nil, recovery.failure != nil { return "failed: \(String(describing: recovery.failure))" }
        let (old, new) = (before.summary?.lost?.recovered ?? 0, recovery.summary?.lost?.recovered ?? 0)
        // Without a checksum, a damaged block may give more than was written.
        if new < old, original.hasChecksums || !recovery.bytes.isSame(as: original.content) {
            let streams = original.streams.map { "\($0.file.count)\($0.hasParity ? " with parity" : "")" }
            return "\(new) bytes, and \(old) without parity, of \(streams), \(damaged.bytes.count) left"
        }
        guard let repaired else { return isSound(recovery) ? "sound without a repair" : nil }
        let verdict = try outcome(of: repaired.bytes) { _ in Decompression() }
        if isSound(recovery) {
            if original.hasChecksums, !original.mayHave(recovery.bytes, in: damaged) {
                return "sound, and not all of it"
            }
            return verdict.failure == nil && recovery.bytes.isSame(as: verdict.bytes)
                ? nil : "sound, and a test says \(String(describing: verdict.failure))"
        }
        return verdict.failure == nil && !repaired.hasRot ? "not sound: \(String(describing: recovery))" : nil
    }

    /// What is wrong with the repair and the test of a file, if anything is.
    private static func flaw(of original: Original, repairing damaged: DamagedBytes) throws -> String? {
        let file = damaged.bytes
        let repair = try outcome(of: file) { source throws(Failure) in try Repair(of: source) }
        if repair.failure == nil {
            if !original.mayBecome(repair.bytes, of: damaged) {
                return "another file of \(repair.bytes.count) bytes is written"
            }
            if repair.bytes.isEmpty { return "nothing is written" }
        }
        let isAsMade = file.isSame(as: original.file) && original.streams.allSatisfy(\.hasParity)
        if isAsMade, repair.failure != nil { return "a whole file is not repaired" }
        let test = try outcome(of: file) { source throws(Failure) in try ParityTest(of: source) }
        if test.failure == nil, !original.mayBecome(file, of: damaged) { return "a test finds nothing" }
        if test.failure != nil, isAsMade { return "a test says \(String(describing: test.failure))" }
        // A stream alone that is repaired is recovered, too.
        if repair.failure == nil, original.streams.count == 1 {
            let recovery = try outcome(of: file) { source throws(Failure) in try Recovery(repairing: source) }
            if !recovery.bytes.isSame(as: original.content) { return "it is repaired, and not recovered" }
        }
        return nil
    }

    /// A disk that has lost sectors.
    private final class BadDisk: RangeSource {
        private let bytes: [UInt8]
        private let bad: Set<Int>
        /// How often each of them was read alone.
        let tries = Locked<[Int: Int]>([:])

        init(_ bytes: [UInt8], bad: Set<Int>) { (self.bytes, self.bad) = (bytes, bad) }

        var size: Int { bytes.count }

        func read(from offset: Int, into memory: inout OutputRawSpan) throws {
            let range = offset..<offset + memory.freeCapacity
            for sector in bad where range.overlaps(sector * 512..<sector * 512 + 512) {
                if range.count <= 512 { tries.withLock { $0[sector, default: 0] += 1 } }
                throw Failure.reading(.ioError)
            }
            for byte in bytes[range] { memory.append(byte) }
        }
    }

    @Test(arguments: 1...6) func `what a disk can't read is repaired, and tried once`(seed: UInt64)
        async throws
    {
        try await within(60) {
            var numbers = SeededNumbers(seed: seed)
            let content = sample(60_000, seed: seed)
            var compression = Compression(CompressionOptions(level: 1, frameSize: 9000))
            compression.parity = 20
            let file = try Job(compression, threads: 2).output(of: content)
            // Within the power of the code: blocks beside one another are of different groups.
            let first = Int.random(in: 0..<file.count / 1024, using: &numbers)
            for isRecovered in [false, true] {
                let disk = BadDisk(file, bad: [first, first + 1, first + 2])
                let output = try NamelessFile()
                let (source, recovered) = (Source(disk), RepairedBytes())
                let operation: any RunOperation = isRecovered ? recovered : try Repair(of: source)
                _ = try Job(operation, threads: 2).run(from: source, to: Sink(output.descriptor))
                let bytes = isRecovered ? recovered.found.withLock { $0?.bytes ?? [] } : try output.content
                #expect(bytes.isSame(as: file))
                #expect(disk.tries.withLock { $0.count == 3 && $0.values.allSatisfy { $0 == 1 } })
            }
        }
    }

    @Test(arguments: 1...8)
    func `parity repairs what it can, and takes nothing from recovery`(seed: UInt64) async throws {
        let wrong = try await within(280) {
            var numbers = SeededNumbers(seed: seed)
            var wrong: [String] = []
            for round in 0..<Self.rounds {
                let original = try Original(by: &numbers)
                var file = try DamagedBytes(original)
                // Readers that know no parity read it as they read frames without.
                if round % 10 == 0, !original.streams.contains(where: \.isForeign),
                    try !Self.outcome(of: original.file, { _ in Decompression() }).bytes.isSame(as: original.content)
                {
                    wrong.append("round \(round): not decompressed")
                }
                for _ in 0..<Int.random(in: 0...3, using: &numbers) { file.damage(by: &numbers) }
                let threads = [1, 2, 5].randomElement(using: &numbers) ?? 2
                if let flaw = try Self.flaw(of: original, recovering: file, threads: threads) {
                    wrong.append("round \(round): \(flaw)")
                }
                if let flaw = try Self.flaw(of: original, repairing: file) { wrong.append("round \(round): \(flaw)") }
            }
            return wrong
        }
        #expect(wrong == [])
    }

    // MARK: One kind after another

    /// A stream with parity, in many frames of which none is like another.
    private static func stream(_ seed: UInt64, _ count: Int = 60_000, percent: Int? = 20) throws -> [UInt8] {
        var compression = Compression(CompressionOptions(level: 1, frameSize: 6000))
        compression.parity = percent
        return try Job(compression, threads: 2).output(of: sample(count, seed: seed))
    }

    /// Where its frames lie.
    private static func frames(of file: [UInt8]) throws -> [Range<Int>] {
        let input = try NamelessFile(file)
        var walk = try FrameWalk(over: try Source(input.descriptor))
        var frames: [Range<Int>] = []
        while let frame = try walk.next()?.frame {
            frames.append(Int(frame.offset)..<Int(frame.offset + frame.compressedSize))
        }
        return frames
    }

    @Test(arguments: 1...4) func `what lies in the place of a cut end or head is not replaced`(seed: UInt64)
        async throws
    {
        try await within(60) {
            var numbers = SeededNumbers(seed: seed)
            let made = try Self.stream(seed)
            for isHead in [false, true] {
                let cut = Int.random(in: 300...5000, using: &numbers)
                let other = try Self.stream(seed + 100, Int.random(in: 1...9000, using: &numbers), percent: nil)
                for other in [other, Array(other.prefix(cut)), Array("a line of a log\n".utf8)] {
                    let file = isHead ? other + made[cut...] : Array(made.dropLast(cut)) + other
                    let repair = try Self.outcome(of: file) { source throws(Failure) in try Repair(of: source) }
                    // What is no whole frame and fills the place exactly is rot.
                    if repair.failure == nil, file.count == made.count {
                        #expect(repair.bytes.isSame(as: made))
                        continue
                    }
                    #expect(repair.failure?.code == .parity)
                    #expect(repair.bytes.isEmpty)
                }
                // Nor is a frame of it that has rotted.
                var rotten = other
                rotten[rotten.count / 2] ^= 1
                let file = isHead ? rotten + made[cut...] : Array(made.dropLast(cut)) + rotten
                let recovery = try Self.outcome(of: file) { source throws(Failure) in try Recovery(repairing: source) }
                #expect(!Self.isSound(recovery))
            }
        }
    }

    @Test func `what no parity knows is not left out, whatever it is`() async throws {
        try await within(60) {
            let made = try Self.stream(1)
            let gzip = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + sample(3000, seed: 5)
            for other in [gzip, Array("x".utf8), sample(100, seed: 7)] {
                for file in [made + other, other + made] {
                    let repair = try Self.outcome(of: file) { source throws(Failure) in try Repair(of: source) }
                    #expect(repair.failure?.code == .parity)
                }
            }
            // Of a file in an archive whose header is damaged.
            var archive = try Job(Compression(CompressionOptions(level: 1)), threads: 1).output(of: made)
            archive[4] ^= 0xFF
            let repair = try Self.outcome(of: archive) { source throws(Failure) in try Repair(of: source) }
            #expect(repair.failure?.code == .parity)
            // Zeros say nothing.
            let padded = made + [UInt8](repeating: 0, count: 3000)
            #expect(try Self.outcome(of: padded) { source throws(Failure) in try Repair(of: source) }.bytes == made)
        }
    }

    @Test(arguments: 1...4) func `missing bytes of a stream hide no parity of the one before`(seed: UInt64) async throws
    {
        try await within(60) {
            var numbers = SeededNumbers(seed: seed)
            // More is missing than all parity of the first one.
            let (first, second) = (try Self.stream(seed, 2000, percent: 5), try Self.stream(seed + 50))
            var file = first + second
            let count = Int.random(in: 3000...4000, using: &numbers)
            let place = first.count + Int.random(in: 5000...second.count / 2, using: &numbers)
            file.removeSubrange(place..<place + count)
            file[Int.random(in: 0..<first.count / 2, using: &numbers)] ^= 1
            let repair = try Self.outcome(of: file) { source throws(Failure) in try Repair(of: source) }
            #expect(repair.failure == nil)
            #expect(repair.bytes.isSame(as: first + second))
        }
    }

    @Test(arguments: 1...4) func `a stream behind which the head of another one was cut off is repaired`(
        seed: UInt64
    ) async throws {
        try await within(60) {
            let (first, second) = (try Self.stream(seed, 2000, percent: 5), try Self.stream(seed + 50))
            let frame = try #require(Self.frames(of: first).first { first[$0.lowerBound] == 0x28 })
            for count in [first.count / 2, first.count + 100, first.count + 900] {
                var file = first + second[count...]
                // Frames still lead to the end of the first one.
                file[(frame.lowerBound + frame.upperBound) / 2] ^= 1
                let repair = try Self.repair(file)
                #expect(repair.bytes.isSame(as: first + second), "\(count): \(String(describing: repair.failure))")
            }
        }
    }

    @Test func `frames that are missing are made, though a test does not miss them`() async throws {
        try await within(60) {
            let content = sample(60_000, seed: 9)
            let made = try Self.stream(9)
            // Without its first frame and the stream's header, nothing tells that more was there.
            let file = Array(made[try Self.frames(of: made)[2].lowerBound...])
            let recovery = try Self.outcome(of: file) { source throws(Failure) in try Recovery(repairing: source) }
            #expect(Self.isSound(recovery))
            #expect(recovery.bytes.isSame(as: content))
        }
    }

    @Test func `what parity knows to be wrong is a loss, though checksums are not looked at`() async throws {
        try await within(60) {
            var file = try Self.stream(3, percent: 5)
            // More than can be repaired, though each frame decodes; and a header that can be, so that a test complains.
            for frame in try Self.frames(of: file)[3...5] {
                for offset in frame.dropFirst(100).dropLast(100) where offset % 40 == 0 { file[offset] ^= 1 }
            }
            let description = try #require(
                file.indices.first { file[$0...].starts(with: ParityFrame.description.tag) })
            file[description - 5] ^= 1
            let recovery = try Self.outcome(of: file) { source throws(Failure) in
                try Recovery(repairing: source, .zeros, Decompression(verifiesChecksums: false))
            }
            #expect(recovery.summary?.lost?.ranges.contains { $0.reason.contains("its parity shows") } == true)
            #expect(!Self.isSound(recovery))
        }
    }

    @Test func `a copy of frames does not draw others from their places`() async throws {
        try await within(60) {
            let (frames, others) = (sample(12_000, seed: 1), sample(30_000, seed: 2))
            let content = frames + others + frames
            var compression = Compression(CompressionOptions(level: 1, frameSize: 6000))
            compression.parity = 20
            let made = try Job(compression, threads: 2).output(of: content)
            var file = made
            for offset in 0..<file.count / 4 where offset < 11_000 { file[offset] ^= 0x11 }
            let recovery = try Self.outcome(of: file) { source throws(Failure) in try Recovery(repairing: source) }
            let repair = try Self.outcome(of: file) { source throws(Failure) in try Repair(of: source) }
            #expect(repair.failure == nil || repair.failure?.code == .parity)
            #expect(repair.bytes.isEmpty || repair.bytes.isSame(as: made))
            // None of the frames that are left is lost to it.
            let places = content.indices.filter { content[$0] == recovery.bytes[min($0, recovery.bytes.count - 1)] }
            #expect(recovery.bytes.count == content.count && places.count > content.count / 2)
        }
    }

    private static func repair(_ file: [UInt8]) throws -> Outcome {
        try outcome(of: file) { source throws(Failure) in try Repair(of: source) }
    }

    private static func recovery(_ file: [UInt8]) throws -> Outcome {
        try outcome(of: file) { source throws(Failure) in try Recovery(repairing: source) }
    }

    /// A single frame with parity.
    private static func frame(_ content: [UInt8], hasChecksum: Bool = true, percent: Int? = 20) throws -> [UInt8] {
        var options = CompressionOptions(level: 1, frameSize: 8 << 20)
        options.hasChecksum = hasChecksum
        var compression = Compression(options)
        compression.parity = percent
        return try Job(compression, threads: 1).output(of: content)
    }

    @Test func `what parity can't make is told to be missing, though a test does not miss it`() async throws {
        try await within(60) {
            let made = try Self.stream(9, percent: 5)
            let frames = try Self.frames(of: made)
            for count in 2...6 {
                let file = Array(made[frames[count].lowerBound...])
                #expect(try Self.outcome(of: file) { _ in Decompression() }.failure == nil)
                let recovery = try Self.recovery(file)
                #expect(!Self.isSound(recovery))
                #expect(recovery.summary?.lost?.ranges.contains { $0.reason.contains("bytes are missing") } == true)
                #expect(try Self.repair(file).failure?.code == .parity)
            }
        }
    }

    /// As of a file that pzstd has made: no header says that there is a seek table, which a test would miss.
    @Test func `a stream that goes on behind its last description is told to have lost its end`() async throws {
        try await within(120) {
            let content = sample(4_000_000, seed: 3)
            let plain = try stride(from: 0, to: content.count, by: 200_000).flatMap {
                try Self.frame(Array(content[$0..<$0 + 200_000]), percent: nil)
            }
            let input = try NamelessFile(plain)
            let output = try NamelessFile()
            var addition = try ParityAddition(to: Source(input.descriptor), percent: 20)
            (addition.shape.keptSize, addition.shape.groups) = (900, 2)
            (addition.shape.firstBlockSize, addition.shape.blockSize) = (64, 128)
            _ = try Job(addition, threads: 1).run(from: Source(input.descriptor), to: Sink(output.descriptor))
            let made = try output.content
            let tag = ParityFrame.description.tag
            let (other, otherContent) = (try Self.stream(2, percent: nil), sample(60_000, seed: 2))
            let zeros = [UInt8](repeating: 0, count: 10_000)
            var count = 0
            for (number, frame) in try Self.frames(of: made).enumerated() where number % 4 == 1 {
                let file = Array(made[..<frame.lowerBound])
                guard file.indices.contains(where: { file[$0...].starts(with: tag) }) else { continue }
                count += 1
                // Alone, before the frames and the seek table of another file, and before a tape's zeros.
                for (rest, more) in [([], []), (other, otherContent), (zeros, [])] {
                    let recovery = try Self.recovery(file + rest)
                    #expect(
                        !Self.isSound(recovery) || recovery.bytes.isSame(as: content + more),
                        "cut at \(frame.lowerBound), before \(rest.count) bytes")
                }
            }
            #expect(count > 3)
        }
    }

    @Test(arguments: [true, false]) func `any flipped bit in the header of any block of a single frame is mended`(
        hasChecksum: Bool
    ) async throws {
        try await within(120) {
            let content = patchwork(300_000, seed: 4)
            let made = try Self.frame(content, hasChecksum: hasChecksum, percent: 5)
            for header in try blockHeaders(of: made) {
                for bit in 0..<24 {
                    var file = made
                    file[header + bit / 8] ^= 1 << UInt8(bit % 8)
                    #expect(try Self.repair(file).bytes.isSame(as: made), "bit \(bit) at \(header)")
                    let recovery = try Self.recovery(file)
                    #expect(recovery.bytes.isSame(as: content), "bit \(bit) at \(header)")
                    #expect(Self.isSound(recovery), "bit \(bit) at \(header)")
                }
            }
        }
    }

    /// Some leave the frame whole, and others make another one of it that decodes.
    @Test(arguments: [true, false]) func `any flipped bit in the header of any frame is mended`(
        isSingle: Bool
    ) async throws {
        try await within(120) {
            let content = sample(20_000, seed: 12)
            let made = try isSingle ? Self.frame(content) : Self.stream(12, content.count)
            let whole = isSingle ? content : try Self.outcome(of: made) { _ in Decompression() }.bytes
            for frame in try Self.frames(of: made) where made[frame.lowerBound] == 0x28 {
                let header = Array(made[frame].prefix(FrameHeader.mostBytes))
                let size = FrameHeader(ofFrame: header.span.bytes)?.size ?? 0
                #expect(size > 4)
                for bit in 0..<8 * size {
                    var file = made
                    file[frame.lowerBound + bit / 8] ^= 1 << UInt8(bit % 8)
                    let repair = try Self.repair(file)
                    #expect(repair.bytes.isSame(as: made), "bit \(bit) at \(frame.lowerBound)")
                    let recovery = try Self.recovery(file)
                    #expect(recovery.bytes.isSame(as: whole), "bit \(bit) at \(frame.lowerBound)")
                    #expect(Self.isSound(recovery), "bit \(bit) at \(frame.lowerBound)")
                }
            }
        }
    }

    @Test(arguments: [true, false]) func `a whole frame that was written over a stream is not dropped`(
        hasChecksum: Bool
    ) async throws {
        try await within(60) {
            let content = patchwork(600_000, seed: 6)
            let made = try Self.frame(content, percent: 50)
            // Of a later version, the first block is the same.
            let other = try Self.frame(
                Array(content[..<136_000]) + sample(500, seed: 1), hasChecksum: hasChecksum, percent: nil)
            var file = made
            file.replaceSubrange(other.indices, with: other)
            let repair = try Self.repair(file)
            #expect(repair.failure?.code == .parity)
            #expect(repair.bytes.isEmpty)
            #expect(!Self.isSound(try Self.recovery(file)))
            // Without its last bytes it is none any more, and parity makes what was there.
            if hasChecksum {
                file[other.count - 1] ^= 1
                let repair = try Self.repair(file)
                #expect(repair.bytes.isSame(as: made), "\(String(describing: repair.failure))")
            }
        }
    }

    @Test func `a file within an archive does not replace it, whatever is lost at its ends`() async throws {
        try await within(60) {
            let inner = try Self.frame(sample(400_000, seed: 3))
            let outer = try Self.frame(inner, hasChecksum: false, percent: nil)
            for count in [1, 4, 12, 100, 512, 3000] {
                for isCut in [true, false] {
                    let zeros = [UInt8](repeating: 0, count: isCut ? 0 : count)
                    for file in [zeros + outer[count...], zeros + outer[count...].dropLast(count) + zeros] {
                        let repair = try Self.repair(file)
                        #expect(repair.failure?.code == .parity)
                        #expect(repair.bytes.isEmpty)
                        #expect(!Self.isSound(try Self.recovery(file)), "\(count) bytes, \(isCut)")
                    }
                }
            }
        }
    }

    @Test func `parity of files within a cut archive makes no losses`() async throws {
        try await within(60) {
            let inner = try Self.frame(sample(2_000_000, seed: 3), percent: 5)
            let second = try Self.frame(sample(1_500_000, seed: 4), percent: 5)
            #expect(inner.count > 600_000)
            for hasChecksum in [true, false] {
                let outer = try Self.frame(
                    sample(200, seed: 1) + inner + second, hasChecksum: hasChecksum, percent: nil)
                let file = Array(outer.dropLast(100))
                let before = try Self.outcome(of: file) { _ in Recovery() }
                let recovery = try Self.recovery(file)
                #expect(recovery.bytes.isSame(as: before.bytes))
                #expect(recovery.summary?.lost?.ranges.count == before.summary?.lost?.ranges.count)
            }
        }
    }

    @Test func `a copy in front of a stream is not taken for it`() async throws {
        try await within(60) {
            let content = sample(300_000, seed: 7)
            let (made, plain) = (try Self.frame(content), try Self.frame(content, percent: nil))
            #expect(made.starts(with: plain))
            for place in [10, 40, plain.count / 2] {
                var file = plain + made
                file[plain.count + place] ^= 1
                #expect(try Self.repair(file).failure?.code == .parity)
                let recovery = try Self.recovery(file)
                #expect(recovery.bytes.isSame(as: content + content), "\(place)")
            }
        }
    }

    /// Their blocks are all of one size, so that headers alone don't tell them apart.
    @Test func `a whole frame of raw blocks that needs a dictionary is not dropped`() async throws {
        try await within(60) {
            var numbers = SeededNumbers(seed: 4)
            func noise(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) } }
            let dictionary = try DictionaryRunTests.trained(4243)
            let options = CompressionOptions(level: 1, frameSize: 8 << 20)
            let compression = Compression(
                options, dictionary: try CompressionDictionary(dictionary.span.bytes, for: options))
            let other = try Job(compression, threads: 1).output(of: noise(200_000))
            var file = try Self.frame(noise(600_000), percent: 50)
            file.replaceSubrange(other.indices, with: other)
            let repair = try Self.repair(file)
            #expect(repair.failure?.code == .parity)
            #expect(repair.bytes.isEmpty)
        }
    }

    /// A trial can't decode it. Another program may.
    @Test(arguments: [true, false]) func `a whole frame that needs a dictionary is not dropped`(
        isInserted: Bool
    ) async throws {
        try await within(60) {
            let dictionary = try DictionaryRunTests.trained(4242)
            let options = CompressionOptions(level: 1, frameSize: 8 << 20)
            let compression = Compression(
                options, dictionary: try CompressionDictionary(dictionary.span.bytes, for: options))
            let other = try Job(compression, threads: 1).output(of: sample(900, seed: 5))
            let made = try Self.stream(6, percent: 50)
            let place = try Self.frames(of: made)[4].lowerBound
            let file = Array(made[..<place] + other + made[(isInserted ? place : place + other.count)...])
            let repair = try Self.repair(file)
            #expect(repair.failure?.code == .parity)
            #expect(repair.bytes.isEmpty)
            #expect(!Self.isSound(try Self.recovery(file)))
        }
    }

    /// Frames that are smaller than blocks.
    private static func smallFrames() throws -> (content: [UInt8], file: [UInt8], frames: [Range<Int>]) {
        let content = sample(400_000, seed: 21)
        var compression = Compression(CompressionOptions(level: 1, frameSize: 1500))
        compression.parity = 50
        (compression.parityShape.keptSize, compression.parityShape.groups) = (900, 2)
        (compression.parityShape.firstBlockSize, compression.parityShape.blockSize) = (16 << 10, 16 << 10)
        let file = try Job(compression, threads: 2).output(of: content)
        let frames = try frames(of: file).filter { file[$0.lowerBound] == 0x28 }
        #expect(frames[24].lowerBound > 16 << 10 && frames[34].upperBound < 32 << 10)
        return (content, file, frames)
    }

    @Test(arguments: [true, false]) func `a whole frame between two damages of a block is the stream's own`(
        isCut: Bool
    ) async throws {
        try await within(60) {
            let (content, made, frames) = try Self.smallFrames()
            var file = made
            file.removeSubrange(frames[32].lowerBound + 60..<frames[32].lowerBound + 160)
            let second = frames[26].lowerBound + 60
            if isCut { file.removeSubrange(second..<second + 70) } else { file[second] ^= 1 }
            let repair = try Self.repair(file)
            #expect(repair.bytes.isSame(as: made), "\(String(describing: repair.failure))")
            let recovery = try Self.recovery(file)
            #expect(Self.isSound(recovery), "\(String(describing: recovery.summary?.lost))")
            #expect(recovery.bytes.isSame(as: content))
        }
    }

    @Test func `rot among many small frames is repaired, though few may be tried`() async throws {
        try await within(60) {
            let (_, made, frames) = try Self.smallFrames()
            var file = made
            file[frames[8].lowerBound + 60] ^= 1
            let input = try NamelessFile(file)
            let checked = try Self.checked(Source(input.descriptor), FailureLatch())
            let list = try FileElements(checked)
            let proved = try ProvedFrames(list, of: checked, mostTrials: 3)
            #expect(proved.hidden.isEmpty)
        }
    }

    @Test func `a flipped bit at the start, and missing bytes beside another one, are repaired`() async throws {
        try await within(60) {
            let (content, made, frames) = try Self.smallFrames()
            let place = frames[frames.count / 2].lowerBound + 30
            var file = made
            file[place - 100] ^= 1
            file.removeSubrange(place..<place + 600)
            file[3] ^= 1
            let repair = try Self.repair(file)
            #expect(repair.bytes.isSame(as: made), "\(String(describing: repair.failure))")
            #expect(try Self.recovery(file).bytes.isSame(as: content))
        }
    }

    @Test func `zeros are left out only at the end, and are told`() async throws {
        try await within(60) {
            let (first, second) = (try Self.stream(1), try Self.stream(2))
            let zeros = [UInt8](repeating: 0, count: 3000)
            for file in [zeros + first, first + zeros + second] {
                #expect(try Self.repair(file).failure?.code == .parity)
            }
            // Also if the last bytes before them have rotted.
            var padded = first + zeros
            for offset in first.count - 150..<first.count { padded[offset] ^= 0xFF }
            let repair = try Self.repair(padded)
            #expect(repair.bytes.isSame(as: first), "\(String(describing: repair.failure))")
            #expect(repair.summary?.repair?.words.contains("3000 zeros after it") == true)
        }
    }

    @Test func `what was inserted is left out, and told`() async throws {
        try await within(60) {
            let made = try Self.stream(5)
            let place = made.count / 3
            let file = made[..<place] + sample(700, seed: 8) + made[place...]
            let repair = try Self.repair(Array(file))
            #expect(repair.bytes.isSame(as: made))
            #expect(repair.summary?.repair?.words.contains("700 bytes inserted") == true)
            // A frame is not left out.
            let other = try Self.frame(sample(500, seed: 9), percent: nil)
            #expect(try Self.repair(made[..<place] + other + made[place...]).failure?.code == .parity)
            // Recovery gives all of the stream, and tells what it leaves out.
            let recovery = try Self.recovery(made[..<place] + other + made[place...])
            #expect(!Self.isSound(recovery))
            #expect(recovery.bytes.isSame(as: sample(60_000, seed: 5)))
        }
    }

    @Test func `what was inserted beside rot is told, and not called missing`() async throws {
        try await within(60) {
            let made = try Self.stream(5, percent: 1)
            let frames = try Self.frames(of: made)
            var file = made
            for offset in frames[3].lowerBound..<frames[5].upperBound where offset % 40 == 0 { file[offset] ^= 1 }
            let place = frames[4].lowerBound + 500
            let recovery = try Self.recovery(file[..<place] + sample(700, seed: 8) + file[place...])
            let reasons = recovery.summary?.lost?.ranges.map(\.reason) ?? []
            #expect(reasons.contains { $0.contains("inserted here, and others have rotted") }, "\(reasons)")
            #expect(!reasons.contains { $0.contains("missing here") }, "\(reasons)")
        }
    }

    @Test func `the head of a stream behind one without parity is repaired for recovery`() async throws {
        try await within(60) {
            let (plain, made) = (try Self.stream(1, percent: nil), try Self.stream(2))
            var file = plain + made
            for offset in plain.count + 20..<plain.count + 900 { file[offset] ^= 0x11 }
            let recovery = try Self.recovery(file)
            #expect(Self.isSound(recovery), "\(String(describing: recovery.summary?.lost))")
            #expect(recovery.bytes.isSame(as: sample(60_000, seed: 1) + sample(60_000, seed: 2)))
        }
    }

    @Test func `parity of any stream may take the memory that a limit leaves`() async throws {
        try await within(60) {
            let (large, small) = (try Self.frame(sample(900_000, seed: 1), percent: 50), try Self.stream(2, 3000))
            var file = large + small
            file[500_000] ^= 1
            for limit in [UInt64(64 << 20), 1] {
                let input = try NamelessFile(file)
                let output = try NamelessFile()
                let source = try Source(input.descriptor)
                var job = try Job(Repair(of: source), threads: 1)
                _ = job.fit(into: limit, inputSize: nil)
                var failure: Failure?
                do throws(Failure) { _ = try job.run(from: source, to: Sink(output.descriptor)) } catch {
                    failure = error
                }
                #expect(try output.content.isSame(as: limit > 1 ? large + small : []))
                #expect(failure.map { "\($0)".contains("MiB of memory") } == (limit > 1 ? nil : true))
            }
        }
    }

    // MARK: Bounds

    /// A stream of many small blocks, in several sets.
    private static func sets(_ count: Int, percent: Int, blockSize: Int = 64, groups: Int = 2) throws -> [UInt8] {
        var compression = Compression(CompressionOptions(level: 1, frameSize: 6000))
        compression.parity = percent
        (compression.parityShape.keptSize, compression.parityShape.groups) = (900, groups)
        (compression.parityShape.firstBlockSize, compression.parityShape.blockSize) = (blockSize, blockSize)
        return try Job(compression, threads: 2).output(of: sample(count, seed: 11))
    }

    /// The streams of a file.
    private static func checked(
        _ source: Source, _ latch: FailureLatch, mostSets: Int = 1 << 16, _ budget: SearchBudget? = nil
    ) throws -> CheckedParity {
        let file = DamagedFile(source, size: source.size ?? 0, latch: latch)
        let checked = try CheckedParity(
            file, source, latch, Decompression().ownLimits, mostMemory: nil, mostSets: mostSets, budget)
        return try #require(checked)
    }

    @Test(arguments: [true, false]) func `what is computed too often is lost, and told`(isProved: Bool) async throws {
        try await within(60) {
            let made = try Self.sets(60_000, percent: 20)
            var file = made
            for place in [100, 50_000] { file[place] ^= 1 }
            let input = try NamelessFile(file)
            let latch = FailureLatch()
            let checked = try Self.checked(Source(input.descriptor), latch, SearchBudget(for: 0, remakes: 0))
            let list = try FileElements(checked)
            let known = list.all.filter { $0.kind == .known }.map(\.new.lowerBound)
            let places = [known.first ?? 0, known.last ?? 0]
            let source = Source(RepairedSource(list, isProved: isProved, latch))
            var (failure, count) = (Failure?.none, 0)
            while failure == nil, count < 20_000 {
                let place = places[count % 2]
                do throws(Failure) {
                    let byte = try source.bytes(at: place, count: 1)
                    #expect(byte == [made[Int(place)]])
                    count += 1
                } catch { failure = error }
            }
            #expect(failure?.code == (isProved ? .parity : .reading))
            #expect(count > 50)
            if isProved { return }
            // Recovery reads it as it reads what a disk has lost.
            let damaged = DamagedFile(source, size: source.size ?? 0, latch: latch)
            _ = try FileBlocks(file: damaged).bytes(at: places[count % 2], count: 1)
            #expect(!damaged.isLegible(places[count % 2]..<places[count % 2] + 1))
        }
    }

    /// Rot at both ends of each set, of as many blocks as it has parity, is what makes readers go back and forth.
    @Test func `what finding a file out took is enough to recover it`() async throws {
        try await within(120) {
            let made = try Self.sets(8_000_000, percent: 5, blockSize: 1024, groups: 8)
            let latch = FailureLatch()
            let whole = try NamelessFile(made)
            let description = try #require(Self.checked(Source(whole.descriptor), latch).parts.first).region.description
            #expect(description.sets.count > 2)
            var file = made
            for (number, set) in description.sets.enumerated() {
                let count = set.rows / 2 * set.groups
                for block in Array(0..<count) + Array(set.blockCount - count..<set.blockCount) {
                    file[Int(description.range(of: block, in: number).lowerBound)] ^= 1
                }
            }
            let input = try NamelessFile(file)
            let output = try NamelessFile()
            let budget = SearchBudget(for: UInt64(file.count), remakes: 0)
            let list = try RepairFinding.of(Self.checked(Source(input.descriptor), latch, budget)).list
            let source = Source(RepairedSource(try #require(list), latch))
            let summary = try Job(Recovery(), threads: 2).run(from: source, to: Sink(output.descriptor))
            #expect(summary.lost?.isOfDamage == false)
            #expect(try output.content.isSame(as: sample(8_000_000, seed: 11)))
        }
    }

    @Test func `a file with more streams than are looked at is not called damaged, nor repaired`() async throws {
        try await within(60) {
            let file = try Array(repeatElement(Self.stream(1, 3000), count: 5).joined())
            let input = try NamelessFile(file)
            for (most, isCut) in [(2, true), (5, false)] {
                let checked = try Self.checked(Source(input.descriptor), FailureLatch(), mostSets: most)
                #expect(checked.isCut == isCut)
                let finding = try RepairFinding.of(checked).finding
                #expect(finding.isWhole != isCut)
                var failure: Failure?
                do throws(Failure) { try finding.checkRepairable() } catch { failure = error }
                #expect(failure.map { "\($0)".contains("more streams") } == (isCut ? true : nil))
            }
        }
    }

    @Test func `what is remembered fits into the memory that a limit leaves, or it is told`() async throws {
        try await within(120) {
            let made = try Self.sets(300_000, percent: 50, groups: 8)
            let input = try NamelessFile(made)
            let checked = try Self.checked(Source(input.descriptor), FailureLatch())
            let found = try #require(checked.parts.first).region
            var file = made
            for (number, set) in found.description.sets.enumerated() {
                for block in stride(from: 1, to: set.blockCount, by: 3) {
                    file[Int(found.description.range(of: block, in: number).lowerBound)] ^= 1
                }
            }
            let told = Locked<[UnusedParity]>([])
            for isLimited in [false, true] {
                let repair = try Self.outcome(of: file) { source throws(Failure) in
                    var repair = try Repair(of: source)
                    if isLimited { repair.allowParity(found.memory) }
                    return repair
                }
                #expect(repair.bytes.isSame(as: isLimited ? [] : made), "\(String(describing: repair.failure))")
                #expect(repair.failure.map { "\($0)".contains("than is looked at") } == (isLimited ? true : nil))
                told.withLock { $0 = [] }
                let recovery = try Self.outcome(of: file) { source throws(Failure) in
                    var recovery = try Recovery(repairing: source) { unused in told.withLock { $0.append(unused) } }
                    if isLimited { recovery.allowParity(found.memory) }
                    return recovery
                }
                #expect(Self.isSound(recovery) == !isLimited)
                #expect(told.withLock { $0 } == (isLimited ? [.bounds] : []))
            }
        }
    }

    /// A disk whose sector can be read a few times, and then no more.
    private final class FailingDisk: RangeSource {
        private let bytes: [UInt8]
        private let bad: Range<Int>
        private let reads: Locked<Int>

        init(_ bytes: [UInt8], sector: Int, after reads: Int) {
            (self.bytes, self.reads) = (bytes, Locked(reads))
            bad = sector * 512..<sector * 512 + 512
        }

        var size: Int { bytes.count }

        func read(from offset: Int, into memory: inout OutputRawSpan) throws {
            let range = offset..<offset + memory.freeCapacity
            let isLost = reads.withLock { reads in
                if range.overlaps(bad) { reads -= 1 }
                return range.overlaps(bad) && reads < 0
            }
            if isLost { throw Failure.reading(.ioError) }
            for byte in bytes[range] { memory.append(byte) }
        }
    }

    @Test(arguments: [true, false])
    func `a sector that can't be read any more ends no recovery, whenever that is`(hasChecksum: Bool) async throws {
        try await within(120) {
            var options = CompressionOptions(level: 1, frameSize: 6000)
            options.hasChecksum = hasChecksum
            var compression = Compression(options)
            compression.parity = 5
            var file = try Job(compression, threads: 2).output(of: sample(60_000, seed: 3))
            let frames = try Self.frames(of: file)
            // More than can be repaired, in a frame whose header lies in the sector.
            for offset in frames[3].dropFirst(100) where offset % 40 == 0 { file[offset] ^= 1 }
            for reads in 0..<40 {
                let disk = FailingDisk(file, sector: frames[3].lowerBound / 512, after: reads)
                let output = try NamelessFile()
                let source = Source(disk)
                var failure: Failure?
                var summary: Summary?
                do throws(Failure) {
                    summary = try Job(Recovery(repairing: source), threads: 2).run(
                        from: source, to: Sink(output.descriptor))
                } catch { failure = error }
                #expect(failure == nil, "after \(reads) reads")
                #expect(summary?.lost?.isOfDamage == true, "after \(reads) reads")
            }
        }
    }

    @Test func `rot that no checksum shows is told beside a frame that does not decode`() async throws {
        try await within(60) {
            var options = CompressionOptions(level: 1, frameSize: 6000)
            options.hasChecksum = false
            var compression = Compression(options)
            compression.parity = 5
            var file = try Job(compression, threads: 2).output(of: sample(60_000, seed: 3))
            let frames = try Self.frames(of: file)
            for offset in frames[3].dropFirst(100) where offset % 40 == 0 { file[offset] ^= 1 }
            for offset in frames[5] { file[offset] = 0xAA }
            let recovery = try Self.recovery(file)
            #expect(recovery.summary?.lost?.ranges.contains { $0.reason.contains("has rotted") } == true)
        }
    }

    @Test func `of a file that is cut after frames without sizes no copy with parity is made`() async throws {
        try await within(60) {
            var compression = Compression(CompressionOptions(level: 1))
            compression.framing = .single(contentSize: nil)
            let frame = try Job(compression.operation, threads: 1).output(of: sample(5000, seed: 1))
            let input = try NamelessFile(frame + frame.dropLast(10))
            let source = try Source(input.descriptor)
            #expect(throws: Failure.self) { try ParityAddition(to: source, percent: 5) }
        }
    }
}

extension FileElements {
    /// Which byte of the file, or of a stream, is not told.
    fileprivate var gap: String? {
        var (old, new) = (UInt64(0), [UInt64](repeating: 0, count: checked.parts.count))
        for element in all {
            if element.old.lowerBound != old { return "byte \(old) of the file" }
            old = element.old.upperBound
            guard checked.parts.indices.contains(element.part) else { continue }
            if element.new.lowerBound != new[element.part] { return "byte \(new[element.part]) of a stream" }
            new[element.part] = element.new.upperBound
        }
        if old != checked.file.size { return "the end of the file" }
        return new == checked.parts.map(\.region.size) ? nil : "the end of a stream"
    }
}

/// Where the blocks of all frames begin, up to the first bytes that are none.
private func blockHeaders(of file: [UInt8]) throws -> [Int] {
    let input = try NamelessFile(file)
    var walk = try FrameWalk(over: try Source(input.descriptor))
    var headers: [Int] = []
    while let step = try walk.next(), step.flaw == nil {
        guard let header = step.frame.header else { continue }
        var place = Int(step.frame.offset) + header.size
        while place + 3 <= file.count {
            headers.append(place)
            let block = Int(file[place]) | Int(file[place + 1]) << 8 | Int(file[place + 2]) << 16
            if block & 1 == 1 { break }
            // One of type 1 has a single byte.
            place += 3 + (block >> 1 & 3 == 1 ? 1 : block >> 3)
        }
    }
    return headers
}
