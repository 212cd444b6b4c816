import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// What is recovered of a damaged file is right in every byte, and no whole frame is lost.
@Suite(.timeLimit(.minutes(4)))
struct RecoveryTests {
    private static let frameSize = 1024
    private static let content = patchwork(2 * frameSize + 100)

    /// Files of three frames, each of another shape.
    enum Shape: CaseIterable {
        case own, concatenated, pzstd, silent

        func file() throws -> [UInt8] {
            var options = CompressionOptions(level: 1)
            options.hasContentSize = self != .silent
            if self == .own { return try Job.compress(frameSize: frameSize).output(of: content) }
            return try Self.parts.reduce(into: []) { file, part in
                let frame = try frame(part, options)
                if self == .pzstd { file += [0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, UInt8(frame.count & 255), 0, 0, 0] }
                file += frame
            }
        }

        /// Where each frame lies in the file.
        func places() throws -> [Range<Int>] {
            var (scanner, places, rest) = (FrameScanner(), [Range<Int>](), try file()[...])
            while !rest.isEmpty {
                let (scanned, ended) = try scanner.scan(rest.span.bytes)
                if let ended, !ended.isSkippable { places.append(Int(ended.offset)..<rest.startIndex + scanned) }
                rest = rest.dropFirst(scanned)
            }
            return places
        }

        static var parts: [[UInt8]] {
            stride(from: 0, to: content.count, by: frameSize).map {
                Array(content[$0..<min($0 + frameSize, content.count)])
            }
        }
    }

    static func recover(
        _ file: [UInt8], _ filling: LossFilling = .zeros, threads: Int = 2
    ) throws -> (bytes: [UInt8], lost: LostContent) {
        let outcome = try Job(Recovery(filling), threads: threads).outcome(of: file)
        if let failure = outcome.failure { throw failure }
        return (outcome.bytes, try #require(outcome.summary?.lost))
    }

    @Test(arguments: Shape.allCases)
    func `of a whole file everything is recovered`(shape: Shape) throws {
        let (bytes, lost) = try Self.recover(try shape.file())
        #expect(bytes == Self.content)
        #expect(lost.count == 0 && !lost.isOfDamage && lost.recovered == UInt64(Self.content.count))
    }

    /// What is wrong with an output, if anything is.
    private static func flaw(
        _ bytes: [UInt8], _ lost: LostContent, whole: [Int], keepsPlaces: Bool, _ filling: LossFilling
    ) -> String? {
        var (position, rest) = (0, bytes[...])
        for (number, part) in Shape.parts.enumerated() {
            let zeros = [UInt8](repeating: 0, count: part.count)
            if rest.starts(with: part) {
                rest = rest.dropFirst(part.count)
            } else if whole.contains(number) {
                return "frame \(number) is lost, or elsewhere"
            } else if filling == .zeros, rest.starts(with: zeros) {
                rest = rest.dropFirst(part.count)
            } else if keepsPlaces, filling == .zeros {
                return "frame \(number) is neither there nor zeros"
            }
            position += part.count
        }
        if !rest.isEmpty { return "\(rest.count) bytes are nobody's" }
        // Of what is between frames nobody may know what it was.
        let isSame = bytes == content
        return (isSame ? lost.contentSize > 0 : !lost.isOfContent) ? "it says \(lost)" : nil
    }

    private static let damages: [(Shape, LossFilling)] = [
        (.own, .zeros), (.own, .drop), (.concatenated, .zeros), (.pzstd, .zeros), (.silent, .drop),
    ]

    /// All positions, or a few of them and those around both ends of the first frames.
    private static func tried(_ positions: Range<Int>, of places: [Range<Int>]) -> [Int] {
        let ends = places.prefix(2).flatMap { [$0.lowerBound, $0.upperBound] }
        return positions.filter { position in
            isLong || position % 5 == 0 || ends.contains { abs(position - $0) < 12 }
        }
    }

    @Test(arguments: damages)
    func `each byte may be damaged, and costs one frame`(_ shape: Shape, _ filling: LossFilling) async throws {
        let wrong = try await within {
            let (file, places) = (try shape.file(), try shape.places())
            var wrong: [String] = []
            for offset in Self.tried(file.indices, of: places) {
                var damaged = file
                damaged[offset] ^= offset % 3 == 0 ? 0xFF : 1 << UInt8(offset % 8)
                let whole = places.indices.filter { !places[$0].contains(offset) }
                let (bytes, lost) = try Self.recover(damaged, filling)
                // Only by the seek table everything keeps its place for sure.
                let flaw = Self.flaw(bytes, lost, whole: whole, keepsPlaces: shape == .own, filling)
                if let flaw { wrong.append("byte \(offset): \(flaw)") }
            }
            return wrong
        }
        #expect(wrong == [])
    }

    @Test(arguments: Shape.allCases)
    func `a file that is cut gives everything up to the cut`(shape: Shape) async throws {
        let wrong = try await within {
            let (file, places) = (try shape.file(), try shape.places())
            var wrong: [Int] = []
            for count in Self.tried(places[0].upperBound..<file.count, of: places) {
                let (bytes, lost) = try Self.recover(Array(file[..<count]))
                let least = places.filter { $0.upperBound <= count }.count * Self.frameSize
                let isAll = bytes.count == Self.content.count
                guard bytes.isPrefix(of: Self.content), bytes.count >= min(least, Self.content.count),
                    isAll || lost.isOfContent || places.contains(where: { [0, 12].contains(count - $0.upperBound) }),
                    lost.recovered == UInt64(bytes.count)
                else {
                    wrong.append(count)
                    continue
                }
            }
            return wrong
        }
        #expect(wrong == [])
    }

    @Test func `a frame that is cut gives its blocks`() throws {
        let content = patchwork(1 << 20)
        let file = try frame(content)
        for part in [4, 2] {
            let (bytes, lost) = try Self.recover(Array(file[..<(file.count - file.count / part)]))
            #expect(bytes.isPrefix(of: content))
            #expect(bytes.count > content.count - content.count / part - (256 << 10))
            #expect(lost.endsUnproved && lost.contentSize == UInt64(content.count - bytes.count))
        }
    }

    @Test func `what a cut frame with a large window has leaves before its decoder goes`() throws {
        // A byte came of 512 MiB and one, for which only one decoder at a time may have a window.
        let cut: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0xB4, 1, 0, 0, 0x20, 0, 0, 0x0B, 0x73]
        for _ in 0..<20 { #expect(try Self.recover(cut).bytes == [0x73]) }
    }

    @Test func `a frame within a lost one is none of a file with a seek table`() throws {
        let inner = try frame(patchwork(900, seed: 9))
        var numbers = SeededNumbers(seed: 1)
        var noise = (0..<1 << 15).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        noise.replaceSubrange(7000..<7000 + inner.count, with: inner)
        let whole = sample(1 << 15, seed: 3) + noise + sample(1 << 15, seed: 4)
        let file = try Job.compress(frameSize: 1 << 15).output(of: whole)
        let start = try #require((0..<file.count - inner.count).first { file[$0...].starts(with: inner) })
        var damaged = file
        // The header of the block in which it lies: where the frame ends is not known any more.
        let magic = try #require((0..<start).last { file[$0...].starts(with: [0x28, 0xB5, 0x2F, 0xFD]) })
        for offset in magic..<magic + 12 { damaged[offset] = 0 }
        let (bytes, lost) = try Self.recover(damaged)
        let zeros = [UInt8](repeating: 0, count: 1 << 15)
        #expect(bytes.isSame(as: Array(whole[..<(1 << 15)]) + zeros + whole[(2 << 15)...]))
        #expect(lost.contentSize == 1 << 15 && lost.isExact && lost.count == 1)
    }

    @Test(arguments: [512, 4096])
    func `what is inserted or removed shifts nothing`(count: Int) throws {
        let content = patchwork(1 << 20)
        let file = try Job.compress(frameSize: 1 << 15).output(of: content)
        var inserted = file
        inserted.insert(contentsOf: sample(count, seed: 5), at: file.count / 2)
        var removed = file
        removed.removeSubrange(file.count / 2..<file.count / 2 + count)
        for damaged in [inserted, removed] {
            let (bytes, lost) = try Self.recover(damaged)
            #expect(lost.isExact && lost.contentSize <= 3 << 15 && bytes.count == content.count)
            let wrong = bytes.indices.filter { bytes[$0] != content[$0] && bytes[$0] != 0 }
            #expect(wrong.isEmpty)
            #expect(lost.recovered == UInt64(content.count) - lost.contentSize)
        }
    }

    @Test func `a frame that is missing as a whole leaves its place`() throws {
        var file = try Shape.own.file()
        file.removeSubrange(try Shape.own.places()[1])
        let (bytes, lost) = try Self.recover(file)
        let (start, end) = (Self.frameSize, 2 * Self.frameSize)
        #expect(bytes == Self.content[..<start] + [UInt8](repeating: 0, count: end - start) + Self.content[end...])
        #expect(lost.ranges.map(\.contentOffset) == [UInt64(start)] && lost.contentSize == UInt64(end - start))
    }

    /// Entries of eight frames, the header of the stream among them, in other orders than their frames.
    @Test(arguments: [
        [2, 3], [2, 4], [4, 2], [0, 8], [3, 8], [7, 8], [2, 3, 4], [3, 4, 2], [2, 5, 3, 6],
    ])
    func `a table with entries in another order changes nothing of a sound file`(places: [Int]) throws {
        let content = patchwork(8 * Self.frameSize)
        let file = try Job.compress(frameSize: Self.frameSize).output(of: content)
        let table = file.count - 9 - 9 * 12
        let entry = { (place: Int) in table + 12 * place..<table + 12 * (place + 1) }
        var damaged = file
        for (index, place) in places.enumerated() {
            damaged.replaceSubrange(entry(place), with: file[entry(places[(index + 1) % places.count])])
        }
        let (bytes, lost) = try Self.recover(damaged)
        #expect(bytes.isSame(as: content))
        // That the file has another order than the table tells as little of which is right.
        #expect(lost.isOfContent && lost.contentSize == 0)
    }

    /// Several go to a worker at once.
    @Test(arguments: [true, false])
    func `of many small frames the damaged ones are lost, and no others`(hasTable: Bool) throws {
        let content = patchwork(500 * 100)
        let parts = stride(from: 0, to: content.count, by: 100).map { Array(content[$0..<$0 + 100]) }
        let frames = try parts.map { try frame($0) }
        let file =
            hasTable ? try Job.compress(frameSize: 100).output(of: content) : frames.reduce(into: []) { $0 += $1 }
        var damaged = file
        let lost = [3, 4, 117, 499]
        var wanted = content
        for number in lost {
            let place = try #require((0..<file.count).first { file[$0...].starts(with: frames[number]) })
            damaged[place + frames[number].count - 1] ^= 1
            for offset in number * 100..<(number + 1) * 100 { wanted[offset] = 0 }
        }
        let (bytes, told) = try Self.recover(damaged)
        #expect(bytes.isSame(as: wanted))
        #expect(told.isExact && told.contentSize == 400 && told.recovered == 49_600)
        #expect(told.ranges.map(\.contentOffset) == [300, 11_700, 49_900])
        let dropped = try Self.recover(damaged, .drop).bytes
        #expect(dropped.count == 49_600)
    }

    @Test func `a damaged frame that claims to have no content may have had some`() throws {
        var options = CompressionOptions(level: 1)
        options.hasChecksum = false
        // Its size is one byte.
        var file = try frame(patchwork(100), options)
        file[5] = 0
        let (_, lost) = try Self.recover(file + frame(Self.content))
        #expect(lost.isOfContent)
    }

    @Test func `what a header claims is not filled in`() throws {
        // Eight exbibytes, in a frame of one block that is cut off.
        var lie = repeatedFrame(blocks: 2, contentSize: 1 << 62)
        lie.removeLast(2)
        let file = try frame(Self.content) + lie + sample(1000) + frame(Self.content)
        let (bytes, lost) = try Self.recover(file)
        #expect(bytes.isSame(as: Self.content + Self.content))
        #expect(lost.isOfContent && !lost.isExact && lost.filled == 0)
    }

    /// A trial of each would use up all patience, long before the frames that follow.
    @Test func `of a frame full of magic numbers only that frame is lost`() throws {
        var (numbers, magics) = (SeededNumbers(seed: 5), [UInt8]())
        for _ in 0..<60_000 {
            magics += [0x28, 0xB5, 0x2F, 0xFD]
            magics += (0..<4).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        }
        let parts = [Self.content, magics, Self.content.reversed(), patchwork(5000, seed: 4)]
        var (file, starts, table) = ([UInt8](), [Int](), SeekTable(hasChecksums: false))
        for part in parts {
            let frame = part == magics ? Self.raw(part) : try frame(part)
            starts.append(file.count)
            file += frame
            table.append(.init(compressedSize: UInt32(frame.count), decompressedSize: UInt32(part.count), checksum: 0))
        }
        // The type of its first block is none.
        file[starts[1] + 6] |= 6
        let (bytes, lost) = try Self.recover(file + table.encoded)
        #expect(bytes.isSame(as: parts[0] + [UInt8](repeating: 0, count: magics.count) + parts[2] + parts[3]))
        #expect(lost.isExact && lost.contentSize == UInt64(magics.count))
    }

    /// A frame of raw blocks.
    private static func raw(_ content: [UInt8]) -> [UInt8] {
        var frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, 0x58]
        for start in stride(from: 0, to: content.count, by: 1 << 16) {
            let end = min(start + (1 << 16), content.count)
            let header = (end - start) << 3 | (end == content.count ? 1 : 0)
            frame += [UInt8(header & 255), UInt8(header >> 8 & 255), UInt8(header >> 16)] + content[start..<end]
        }
        return frame
    }

    @Test func `what headers claim between listed frames adds up to nothing`() throws {
        let file = try Shape.own.file()
        let place = try Shape.own.places()[0].upperBound
        let lie = repeatedFrame(blocks: 2, contentSize: 1 << 63)
        let (_, lost) = try Self.recover(file[..<place] + lie + lie + lie + file[place...])
        #expect(lost.isOfContent && lost.recovered == UInt64(Self.content.count))
    }

    @Test func `where there is no frame there is an error`() throws {
        for (file, failure) in [
            ([], CodecFailure.empty), (sample(3000), .notZstandard),
            (try frame(Self.content).dropFirst(4) + [], .notZstandard),
        ] {
            let outcome = try Job(Recovery()).outcome(of: file)
            #expect(outcome.failure == .codec(failure) && outcome.bytes.isEmpty)
        }
        let outcome = try Job(Recovery()).outcomeThroughPipes(of: try frame(Self.content), pieces: [100])
        #expect(outcome.failure == .noFile)
    }

    @Test func `a frame too large to be held is proved before it is written`() throws {
        let large = repeatedFrame(blocks: 3000, contentSize: 3000 << 17)
        let file = try frame(Self.content) + large + frame(Self.content)
        let (bytes, lost) = try Self.recover(file, threads: 1)
        #expect(bytes.count == 3000 << 17 + 2 * Self.content.count && lost.count == 0)
        #expect(bytes.suffix(Self.content.count).elementsEqual(Self.content))
    }
}
