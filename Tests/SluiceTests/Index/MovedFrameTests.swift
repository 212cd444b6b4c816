import Sluice
import StreamTestSupport
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// Files whose frames were dropped, copied, swapped or slipped in: ranges, shares, lists and whole files say the same.
@Suite(.timeLimit(.minutes(4)))
struct MovedFrameTests {
    enum Kind: CaseIterable {
        /// A header announces the table.
        case announced
        /// A table that no header announces, with checksums that the frames may not have.
        case listed
        case bare
    }

    /// One to three streams, frame by frame, and what was done to them.
    struct Sample {
        var frames: [[UInt8]] = []
        var content: [UInt8] = []
        /// Whether one change was made, and that to a frame with content, and each stream has an announced table.
        var isProvable = true
        var log = ""

        init(seed: UInt64) throws {
            var numbers = SeededNumbers(seed: seed)
            for _ in 0..<Int.random(in: 1...3, using: &numbers) { try addStream(&numbers) }
            let changes = Int.random(in: 0...2, using: &numbers)
            for _ in 0..<changes { change(&numbers) }
            isProvable = isProvable && changes == 1
        }

        private mutating func addStream(_ numbers: inout SeededNumbers) throws {
            let kind = Kind.allCases.randomElement(using: &numbers) ?? .bare
            isProvable = isProvable && kind == .announced
            var options = CompressionOptions(level: 1)
            options.hasChecksum = .random(using: &numbers)
            options.hasContentSize = kind == .announced || Int.random(in: 0..<3, using: &numbers) > 0
            // Short frames are not smaller than their content, so that all of them have one size.
            let size = [50, 700, 3000].randomElement(using: &numbers) ?? 50
            let isUniform = Int.random(in: 0..<3, using: &numbers) > 0
            var (parts, table) = ([[UInt8]](), SeekTable(hasChecksums: true))
            for number in 0..<Int.random(in: 1...6, using: &numbers) {
                let count = isUniform ? size : Int.random(in: 1...size, using: &numbers)
                let piece = sample(count, seed: numbers.next())
                let part = try frame(piece, options)
                content += piece
                table.append(
                    .init(
                        compressedSize: UInt32(part.count), decompressedSize: UInt32(count),
                        checksum: ContentChecksum.of(piece.span.bytes)))
                parts.append(part)
                if number == 0, kind == .announced {
                    let header = StreamHeader(frameSize: UInt32(size), level: 1).encoded
                    table.append(.init(skippable: header.count))
                    parts.append(header)
                }
            }
            frames += parts
            if kind != .bare { frames.append(table.encoded) }
            log += " \(kind)\(options.hasChecksum ? "" : " without checksums") \(parts.map(\.count))"
        }

        private mutating func change(_ numbers: inout SeededNumbers) {
            let (first, second) = (
                Int.random(in: frames.indices, using: &numbers), frames.indices.randomElement(using: &numbers) ?? 0
            )
            isProvable = isProvable && hasContent(first) && hasContent(second)
            switch Int.random(in: 0..<4, using: &numbers) {
            case 0 where frames.count > 1:
                log += " drop \(first)"
                frames.remove(at: first)
            case 1:
                log += " copy \(first) to \(second)"
                frames.insert(frames[first], at: second)
            case 2:
                log += " swap \(first) and \(second)"
                frames.swapAt(first, second)
            default:
                log += " insert at \(second)"
                let isSkippable = Bool.random(using: &numbers)
                let foreign =
                    isSkippable
                    ? [UInt8](skippable: 0x184D_2A50, size: 11) + [1, 2, 3] : try? frame(sample(40, seed: 99))
                frames.insert(foreign ?? [], at: second)
            }
        }

        private func hasContent(_ position: Int) -> Bool { frames[position].starts(with: [0x28, 0xB5, 0x2F, 0xFD]) }

        var file: [UInt8] { Array(frames.joined()) }
    }

    /// What is right of a range: exactly that, where the whole is; else an error or the bytes that are there in the
    /// whole, and where a table proves it, those of the file before the change.
    struct Law {
        let sample: Sample
        let whole: Outcome

        func allows(_ bytes: [UInt8]?, _ range: Range<Int>) -> Bool {
            guard let bytes else { return whole.failure != nil }
            let isOfWhole = bytes.isSame(as: Self.slice(range, of: whole.bytes))
            let isOriginal = bytes.isSame(as: Self.slice(range, of: sample.content))
            if whole.failure == nil { return isOfWhole }
            return sample.isProvable ? isOriginal : isOfWhole || isOriginal
        }

        static func slice(_ range: Range<Int>, of content: [UInt8]) -> [UInt8] {
            Array(content[range.clamped(to: 0..<content.count)])
        }
    }

    @Test(arguments: 0..<8) func `a range has the bytes that are there in the whole, or is an error`(part: Int)
        async throws
    {
        let wrong = try await within {
            var (wrong, rights, errors) = ([String](), 0, 0)
            for seed in stride(from: UInt64(part), to: isLong ? 8000 : 800, by: 8) {
                let sample = try Sample(seed: seed)
                let file = sample.file
                let law = Law(sample: sample, whole: try Job.decompress().outcome(of: file))
                var numbers = SeededNumbers(seed: seed ^ 0xFFFF)
                let most = max(1, law.whole.bytes.count)
                for _ in 0..<3 {
                    let start = Int.random(in: 0..<most, using: &numbers)
                    let range = start..<min(most, start + Int.random(in: 1...2000, using: &numbers))
                    let ended = try Job(Extraction([ContentRange(range)])).outcome(of: file)
                    if law.whole.bytes.isEmpty { continue }
                    if ended.failure == nil { rights += 1 } else { errors += 1 }
                    if !law.allows(ended.failure == nil ? ended.bytes : nil, range) {
                        wrong.append("\(seed):\(sample.log): \(range): \(ended.failure, default: "other bytes")")
                    }
                }
            }
            if rights < 20 || errors < 20 { wrong.append("\(rights) right, \(errors) errors: no law was tried") }
            return wrong
        }
        #expect(wrong == [])
    }

    @Test(arguments: 0..<4) func `a file that is opened, its shares and its list say the same`(part: Int) async throws {
        let wrong = try await within {
            var wrong: [String] = []
            for seed in stride(from: UInt64(part), to: isLong ? 4000 : 400, by: 4) {
                let sample = try Sample(seed: seed)
                let whole = try Job.decompress().outcome(of: sample.file)
                let law = Law(sample: sample, whole: whole)
                let held = try NamelessFile(sample.file)
                let all = 0..<max(whole.bytes.count, sample.content.count)
                let opened = try? CompressedFile(held.descriptor)
                if !law.allows(opened.flatMap { try? $0.read(0..<$0.contentSize) }, all) {
                    wrong.append("read \(seed)\(sample.log)")
                }
                let source = try Source(held.descriptor)
                if let shares = try? ContentShares(of: source) {
                    let parts = (1...3).compactMap { PartNumber($0, of: 3) }.map { share in
                        try? Job(Extraction(share, of: shares)).outcome(of: sample.file)
                    }
                    let bytes = parts.reduce([UInt8]?([])) { bytes, part in
                        part?.failure == nil ? bytes.map { $0 + (part?.bytes ?? []) } : nil
                    }
                    if !law.allows(bytes, all) { wrong.append("shares \(seed)\(sample.log)") }
                }
                let listing = try? Listing(of: source)
                if let size = listing?.contentSize {
                    let sizes = whole.failure == nil ? [whole.bytes.count] : [whole.bytes.count, sample.content.count]
                    if !sizes.contains(Int(size)) { wrong.append("list \(seed)\(sample.log)") }
                } else if listing == nil, whole.failure == nil {
                    wrong.append("no list \(seed)\(sample.log)")
                }
            }
            return wrong
        }
        #expect(wrong == [])
    }

    /// Frames of an archive, of which one is in the place of another, is missing, or is there twice.
    @Test func `a member is what it was, or there is an error`() async throws {
        let wrong = try await within {
            let archive = TarSample.files((0..<40).map { 300 + 37 * $0 }).bytes
            let members = try TarSample.members(of: archive)
            let file = try Job(ArchiveCompression(Compression(level: 1, frameSize: 2048))).output(of: archive)
            let frames = try Self.frames(of: file)
            var (wrong, numbers) = ([String](), SeededNumbers(seed: 11))
            for round in 0..<(isLong ? 400 : 60) {
                var moved = frames
                let (first, second) = (
                    Int.random(in: 0..<frames.count - 1, using: &numbers),
                    Int.random(in: 0..<frames.count - 1, using: &numbers)
                )
                switch round % 4 {
                case 0: break
                case 1: moved.remove(at: first)
                case 2: moved.insert(moved[first], at: second)
                default: moved.swapAt(first, second)
                }
                let member = members[Int.random(in: members.indices, using: &numbers)]
                let selection = MemberSelection([MemberPattern(member.path)], asArchive: false)
                let bytes = Array(moved.joined())
                let ended = try Job(MemberExtraction(selection)).outcome(of: bytes)
                let isRight = ended.failure == nil && ended.bytes.isSame(as: Array(archive[member.dataRange]))
                if moved == frames ? !isRight : !isRight && ended.failure == nil { wrong.append("\(round)") }
                // Of a file that lacks a frame nothing is got out: what its table lists is not what is there.
                if moved.count < frames.count, isRight { wrong.append("\(round): \(first) is missing") }
            }
            return wrong
        }
        #expect(wrong == [])
    }

    private static func frames(of file: [UInt8]) throws -> [[UInt8]] {
        var (scanner, frames, rest) = (FrameScanner(), [[UInt8]](), file.span.bytes)
        var start = 0
        while !rest.isEmpty {
            let scanned = try scanner.scan(rest).scanned
            frames.append(Array(file[start..<start + scanned]))
            start += scanned
            rest = rest.extracting(scanned...)
        }
        return frames
    }

    /// The table is intact, and a frame is missing: what follows is 1000 bytes further on.
    @Test func `a range of a stream that lacks a frame is an error that names the table`() async throws {
        let failures = try await within {
            let file = try Job.compress(frameSize: 1000).output(of: sample(20_000))
            var frames = try Self.frames(of: file)
            frames.remove(at: 5)
            let bytes = Array(frames.joined())
            let table = UInt64(bytes.count - (frames.last?.count ?? 0))
            let alone = try Job(Extraction([ContentRange(10_000..<10_100)])).outcome(of: bytes)
            let joined = try Job(Extraction([ContentRange(10_000..<10_100)])).outcome(of: bytes + file)
            let whole = try Job.decompress().outcome(of: bytes)
            let contradiction = Failure.codec(.corrupt(reason: "the seek table contradicts the frames", offset: table))
            #expect(alone.failure == contradiction && joined.failure == contradiction && whole.failure == contradiction)
            #expect(alone.bytes.isEmpty && joined.bytes.isEmpty)
            return (alone.failure, joined.failure)
        }
        #expect(failures.0 == failures.1)
    }
}
