import Dispatch
import Foundation
import Testing

@testable import SluiceCommand
@testable import SluiceEngine

/// Everything that prints a number takes any: sizes come from headers, rates from files, times from clocks.
@Suite struct ExtremesTests {
    /// The ends of each type, numbers around the limits that a product may cross, and what is no number.
    private static let numbers: [Double] = {
        let powers = stride(from: -1074, through: 1023, by: 31).map { pow(2, Double($0)) }
        let tens = (-30...40).map { pow(10, Double($0)) }
        let ends = [
            0, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, .infinity, Double(Int64.max),
            Double(UInt64.max), Double(UInt32.max), 9.5e14, 1e15.nextDown, 1e15.nextUp, 1 - 1e-16, 999.4999, 999.5,
        ]
        let positive = powers + tens + ends
        return positive + positive.map { -$0 } + [.nan, .signalingNaN]
    }()
    private static let sizes: [UInt64] = (0..<64).flatMap { [1 << $0, (1 << $0) - 1] } + [.max, .max - 1]

    @Test func `a number becomes the closest one of its type, and what is no number becomes 0`() {
        #expect(Int(clamping: 1e300) == .max && Int(clamping: -Double.infinity) == .min && Int(clamping: .nan) == 0)
        #expect(UInt64(clamping: -0.5) == 0 && UInt64(clamping: -1e9) == 0 && UInt64(clamping: 2e19) == .max)
        #expect(UInt8(clamping: 255.9) == 255 && UInt8(clamping: 256.0) == 255 && Int(clamping: -1.9) == -1)
    }

    @Test func `digits are those of printf, whatever the number`() {
        for number in Self.numbers {
            for digits in [0, 1, 2, 3, 4, 9, 20] {
                let text = ByteCount.fixed(number, digits: digits)
                guard number.isFinite, abs(number) < 1e20 else {
                    #expect(text == "-")
                    continue
                }
                let wanted = String(format: "%.\(digits)f", number)
                #expect(text == (Double(wanted) == 0 ? wanted.replacing("-", with: "") : wanted))
            }
        }
    }

    @Test func `no number of bytes, seconds or shares stops the process`() {
        for number in Self.numbers {
            let texts = [
                ByteCount.formatRate(number), ByteCount.formatSeconds(number), ByteCount.formatTime(number),
                ByteCount.formatBriefly(seconds: number), number.percent,
            ]
            #expect(texts.allSatisfy { !$0.isEmpty && $0.count < 40 }, "\(number): \(texts)")
        }
        for size in Self.sizes { #expect(ByteCount.format(size).count < 12) }
        for seconds in [Int64.min, -1, 0, .max] + Self.sizes.map(Int64.init(clamping:)) {
            #expect(LocalTime(seconds)?.iso.isEmpty != true)
        }
    }

    @Test func `no listing is too large for its line`() {
        for compressed in [0, 1, 9, 16, .max] as [UInt64] {
            for content in Self.sizes {
                var listing = Listing()
                (listing.compressedSize, listing.contentSize, listing.frames) = (compressed, content, 1)
                (listing.largestWindow, listing.lastWindow) = (content, content)
                let listings = [NamedListing(listing: listing, name: "a"), NamedListing(listing: listing, name: "b")]
                for verbosity in 0...2 {
                    let text = ZstdListing(verbosity: verbosity).text(listings, isSum: true)
                    #expect(text.hasSuffix(verbosity == 0 ? "2 files\n" : "\n\n"))
                }
                for isVerbose in [false, true] {
                    #expect(ListingTable(isVerbose: isVerbose).text(listings).contains("2 files"))
                }
            }
        }
    }

    @Test func `a bar is drawn of any progress`() {
        for number in Self.numbers {
            var progress = ProgressSnapshot()
            (progress.fraction, progress.bufferFill, progress.ratio) = (number, number, number)
            (progress.elapsedSeconds, progress.remainingSeconds, progress.stalledSeconds) = (number, number, number)
            (progress.currentBytesPerSecond, progress.averageBytesPerSecond) = (number, number)
            (progress.totalBytes, progress.bytesIn, progress.bytesOut, progress.bytesDone) = (.max, .max, .max, .max)
            progress.level = .min
            for hasBar in [false, true] {
                for isLast in [false, true] {
                    let line = ProgressLine(progress: progress, finish: "at", hasBar: hasBar, isLast: isLast)
                    #expect(TextWidth.of(line.render(width: 80)) <= 80)
                }
            }
        }
    }

    @Test func `a summary and a table are made of any numbers`() {
        let outcome = RunOutcome(.success, files: 1, failedFiles: 0)
        for number in Self.numbers {
            let statistics = RunStatistics(Recorder(), Monitor([]), content: .output)
            var document = StatisticsDocument(
                activity: .decompress, statistics: statistics, outcome: outcome, bottleneck: "", run: true)
            for index in document.statistics.stages.indices {
                var stage = document.statistics.stages[index]
                (stage.bytes, stage.operations) = (.max, .max)
                (stage.busySeconds, stage.waitingSeconds) = (number, number)
                document.statistics.stages[index] = stage
            }
            (document.process.userSeconds, document.process.systemSeconds) = (number, number)
            #expect(!document.table.isEmpty)
        }
        var summary = Summary()
        (summary.bytesIn, summary.bytesOut, summary.contentSize) = (.max, 1, .max)
        summary += summary
        #expect(summary.bytesIn == .max && summary.contentSize == .max && summary.bytesOut == 2)
        for elapsed in [Duration.zero, .nanoseconds(1), .seconds(Int64.max)] {
            #expect(!summary.line(name: "a", .compress, elapsed: elapsed).isEmpty)
        }
    }

    @Test func `a duration that Dispatch can't hold is the longest that it can`() {
        let most = Int64(Int.max) / 1_000_000_000
        for (duration, wanted) in [
            (.seconds(Int64.max), .nanoseconds(.max)), (.seconds(Int64.min), .nanoseconds(.min)),
            (.seconds(most) + .milliseconds(999), .nanoseconds(.max)),
            (.seconds(most), .nanoseconds(Int(most) * 1_000_000_000)), (nil, .never),
        ] as [(Duration?, DispatchTimeInterval)] {
            #expect(duration.dispatchInterval == wanted)
        }
    }
}
