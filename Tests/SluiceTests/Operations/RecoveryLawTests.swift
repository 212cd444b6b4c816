import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// The law of recovery, over files of one to three streams that chance has made and damaged: the verdict is that of a
/// test of the file, a file without damage gives the same bytes, and what is written of a damaged one is in its place,
/// or stands behind a loss of an unknown amount.
@Suite(.timeLimit(.minutes(5)))
struct RecoveryLawTests {
    /// Damaged files of each test; all of them take thirteen times as many.
    private static let rounds = isLong ? 4000 : 250

    /// Frames, and what they hold.
    struct Stream {
        var content: [UInt8]
        var file: [UInt8]
    }

    enum Kind: CaseIterable {
        case own, unchecked, aligned, tiny, concatenated, silent, pzstd, seekable, single

        /// Whether a damaged frame can't pass for another one.
        var hasChecksums: Bool { self != .unchecked && self != .silent && self != .seekable }
        /// Whether a header announces a table, so that no frame can be missing.
        var hasHeader: Bool { self == .own || self == .aligned || self == .tiny }

        func made(by numbers: inout SeededNumbers) throws -> Stream {
            let frameSize = [300, 1000, 2500].randomElement(using: &numbers) ?? 1000
            let count = self == .single ? frameSize : frameSize * Int.random(in: 2...8, using: &numbers) + 100
            // Some frames are like others, and some streams begin like others.
            let seed = UInt64.random(in: 1...3, using: &numbers)
            var content = patchwork(count, seed: seed)
            if Bool.random(using: &numbers) {
                content.replaceSubrange(0..<count / 2, with: repeatElement(7, count: count / 2))
            }
            var options = CompressionOptions(level: 1, frameSize: self == .tiny ? 64 : frameSize)
            options.hasChecksum = hasChecksums
            switch self {
            case .own, .unchecked, .tiny: break
            case .aligned: options.alignment = 4096
            case .concatenated, .silent, .pzstd, .seekable, .single:
                options.hasContentSize = self == .concatenated || self == .single
                return Stream(content: content, file: try joined(content, frameSize, options))
            }
            return Stream(content: content, file: try Job(Compression(options), threads: 1).output(of: content))
        }

        /// Frames as other programs write them.
        private func joined(_ content: [UInt8], _ frameSize: Int, _ options: CompressionOptions) throws -> [UInt8] {
            var (file, table) = ([UInt8](), SeekTable(hasChecksums: false))
            for start in stride(from: 0, to: content.count, by: frameSize) {
                let part = Array(content[start..<min(start + frameSize, content.count)])
                let frame = try frame(part, options)
                if self == .pzstd { file += [0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0] + UInt32(frame.count).bytes }
                file += frame
                table.append(
                    .init(compressedSize: UInt32(frame.count), decompressedSize: UInt32(part.count), checksum: 0))
            }
            return self == .seekable ? file + table.encoded : file
        }
    }

    /// What a file was before.
    struct Original {
        var (content, file): ([UInt8], [UInt8]) = ([], [])
        var (hasChecksums, hasHeaders) = (true, true)
        var count = 0

        init(by numbers: inout SeededNumbers) throws {
            for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                let kind = Kind.allCases.randomElement(using: &numbers) ?? .own
                let stream = try kind.made(by: &numbers)
                content += stream.content
                file += stream.file
                hasChecksums = hasChecksums && kind.hasChecksums
                hasHeaders = hasHeaders && kind.hasHeader
                count += 1
            }
        }

        /// Whether something in the file shows what a damage has done, so that all that is lost can be told.
        func shows(_ damage: Damage) -> Bool {
            guard hasChecksums else { return false }
            switch damage {
            case .dropped, .half, .copied, .swapped: return hasHeaders
            // Streams that followed may be missing as a whole.
            case .cut, .cutAndPadded: return count == 1
            case .removed, .inserted, .flipped, .zeroed, .padded: return true
            }
        }
    }

    enum Damage: CaseIterable {
        case dropped, copied, swapped, removed, inserted, flipped, zeroed, cut, cutAndPadded, padded, half

        /// - Returns: whether stream headers and seek tables are where they were, or damaged in their places.
        func apply(to file: inout [UInt8], by numbers: inout SeededNumbers) -> Bool {
            let frames = RecoveryLawTests.frames(of: file)
            let place = Int.random(in: 0..<max(1, file.count), using: &numbers)
            let count = min([1, 24, 64, 512].randomElement(using: &numbers) ?? 1, file.count - place)
            func some() -> Range<Int> {
                let first = Int.random(in: frames.indices, using: &numbers)
                let last = min(frames.count - 1, first + ([0, 0, 1, 3].randomElement(using: &numbers) ?? 0))
                return frames[first].lowerBound..<frames[last].upperBound
            }
            guard !frames.isEmpty, !file.isEmpty else { return true }
            var moved = [0..<0]
            let before = file
            switch self {
            case .dropped:
                moved = [some()]
                file.removeSubrange(moved[0])
            case .half:
                moved = [frames[frames.count / 4].lowerBound..<frames[frames.count * 4 / 5].lowerBound]
                file.removeSubrange(moved[0])
            case .copied:
                moved = [some()]
                file.insert(contentsOf: file[moved[0]], at: some().lowerBound)
            case .swapped:
                let (first, second) = (some(), some())
                guard first.upperBound <= second.lowerBound else { break }
                moved = [first, second]
                let (a, b) = (Array(file[first]), Array(file[second]))
                file.replaceSubrange(second, with: a)
                file.replaceSubrange(first, with: b)
            case .removed: file.removeSubrange(place..<place + count)
            case .inserted: file.insert(contentsOf: sample(count, seed: numbers.next()), at: place)
            case .flipped: file[place] ^= 1 << UInt8.random(in: 0...7, using: &numbers)
            case .zeroed: file.replaceSubrange(place..<place + count, with: repeatElement(0, count: count))
            case .cut: file.removeSubrange(place...)
            case .cutAndPadded:
                file.removeSubrange(place...)
                file += [UInt8](repeating: 0, count: count)
            case .padded:
                file += [UInt8](repeating: 0, count: Int.random(in: 1...10_240, using: &numbers))
            }
            return moved.allSatisfy { RecoveryLawTests.frames(of: Array(before[$0]), areMarks: true).isEmpty }
        }
    }

    /// Where frames are, as far as their chain goes: all of them, or stream headers and seek tables.
    private static func frames(of file: [UInt8], areMarks: Bool = false) -> [Range<Int>] {
        file.withUnsafeBytes { bytes in
            var (walk, frames) = (FrameWalk(over: FramesInMemory(bytes)), [Range<Int>]())
            while let step = walk.next(), step.flaw == nil {
                if areMarks, step.frame.annotation == nil { continue }
                frames.append(Int(step.frame.offset)..<Int(step.frame.offset + step.frame.compressedSize))
            }
            return frames
        }
    }

    private static func outcome(_ operation: any RunOperation, of file: [UInt8], ignoresZeros: Bool) throws -> Outcome {
        let input = try NamelessFile(file)
        let output = try NamelessFile()
        var source = try Source(input.descriptor)
        source.ignoresZeros = ignoresZeros
        var outcome = Outcome(bytes: [], failure: nil, summary: nil)
        do throws(Failure) {
            outcome.summary = try Job(operation, threads: 1).run(from: source, to: Sink(output.descriptor))
        } catch {
            outcome.failure = error
        }
        outcome.bytes = try output.content
        return outcome
    }

    /// What is wrong with the recovery of a file, if anything is.
    private static func flaw(of file: [UInt8], was original: Original?, ignoresZeros: Bool) throws -> String? {
        let truth = try outcome(Decompression(), of: file, ignoresZeros: ignoresZeros)
        let recovery = try outcome(Recovery(), of: file, ignoresZeros: ignoresZeros)
        let lost = recovery.summary?.lost
        let isSound = recovery.failure == nil && lost?.isOfDamage == false
        if isSound != (truth.failure == nil) {
            return "a test says \(String(describing: truth.failure)), and recovery \(String(describing: lost))"
        }
        guard recovery.failure == nil, let lost else { return nil }
        if isSound {
            let isSilent = lost.count == 0 && lost.filled == 0 && !lost.isOfContent
            return truth.bytes.isSame(as: recovery.bytes) && isSilent ? nil : "another content, or \(lost)"
        }
        if lost.recovered + lost.filled != recovery.bytes.count { return "\(recovery.bytes.count) bytes, and \(lost)" }
        return original.flatMap { misplaced(recovery.bytes, lost, $0.content) }
    }

    /// The first byte that is neither that of the content, nor lost, nor behind a loss of an unknown amount.
    private static func misplaced(_ bytes: [UInt8], _ lost: LostContent, _ content: [UInt8]) -> String? {
        var (place, offset) = (0, 0)
        func isRight(upTo end: Int) -> Bool {
            let count = end - offset
            guard count >= 0, place + count <= bytes.count, end <= content.count,
                bytes[place..<place + count].elementsEqual(content[offset..<end])
            else { return false }
            (place, offset) = (place + count, end)
            return true
        }
        // Of the last frame, zeros after a cut may have become content.
        for range in lost.ranges where !lost.endsUnproved {
            let start = offset
            if !isRight(upTo: Int(range.contentOffset)) { return "wrong after byte \(start): \(lost)" }
            if !range.isExact { return nil }
            (place, offset) = (place + Int(range.filled), offset + Int(range.contentSize))
        }
        if lost.endsUnproved { return nil }
        let start = offset
        return isRight(upTo: content.count) && place == bytes.count ? nil : "wrong after byte \(start): \(lost)"
    }

    @Test(arguments: 1...12)
    func `recovery has the verdict of a test, and what it writes is in its place`(seed: UInt64) async throws {
        let wrong = try await within(240) {
            var numbers = SeededNumbers(seed: seed)
            var wrong: [String] = []
            for round in 0..<Self.rounds {
                let original = try Original(by: &numbers)
                var (file, damages, keepsMarks) = (original.file, [Damage](), true)
                for _ in 0..<([1, 1, 1, 2, 3].randomElement(using: &numbers) ?? 1) {
                    damages.append(Damage.allCases.randomElement(using: &numbers) ?? .flipped)
                    keepsMarks = damages.last?.apply(to: &file, by: &numbers) != false && keepsMarks
                }
                let ignoresZeros = UInt8.random(in: 0..<4, using: &numbers) == 0
                // Where several damages meet, nothing may show what was there.
                let isTold = damages.count == 1 && keepsMarks && !ignoresZeros && damages.allSatisfy(original.shows)
                let flaw = try Self.flaw(of: file, was: isTold ? original : nil, ignoresZeros: ignoresZeros)
                if let flaw { wrong.append("round \(round), \(damages): \(flaw)") }
            }
            return wrong
        }
        #expect(wrong == [])
    }
}

extension UInt32 {
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}
