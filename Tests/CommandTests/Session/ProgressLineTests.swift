import Foundation
import TestSupport
import Testing

@testable import SluiceCommand

/// The bar, as text.
@Suite struct ProgressLineTests {
    /// Widths of characters depend on the locale; the C library's own is the only one that is always there.
    private static let locale: Void = { _ = setlocale(LC_CTYPE, "C.UTF-8") }()

    private static let snapshots: [ProgressSnapshot] = {
        let names = [
            nil, "a", "linux-6.1.tar", String(repeating: "long", count: 100), String(repeating: "漢字", count: 60),
            "e\u{301}e\u{301}e\u{301}", String(repeating: "\u{301}", count: 50), "👨‍👩‍👧‍👦🇩🇪", "\u{202E}right", "tab\\tname",
        ]
        let amounts: [(UInt64, UInt64, UInt64?, Double)] = [
            (0, 0, nil, 0), (0, 0, 0, 0), (0, 0, 1, 0.1), (1, 1, 1, 1e-9), (5 << 30, 1 << 30, 50 << 30, 99),
            (7, 3, 5, 1e7), (.max, .max, .max, 1e12), (1 << 40, 1, nil, 3600),
        ]
        return names.flatMap { name in
            amounts.map { bytesIn, bytesOut, total, elapsed in
                var snapshot = ProgressSnapshot()
                snapshot.file = name
                snapshot.files = name == nil ? 1 : 12345
                snapshot.filesDone = name == nil ? 0 : 678
                (snapshot.bytesDone, snapshot.bytesOut, snapshot.totalBytes) = (bytesIn, bytesOut, total)
                snapshot.reach(bytesIn)
                snapshot.elapsedSeconds = elapsed
                snapshot.remainingSeconds = total.map { _ in elapsed * 7 }
                snapshot.currentBytesPerSecond = elapsed > 0 ? Double(bytesIn) / elapsed : 0
                snapshot.averageBytesPerSecond = snapshot.currentBytesPerSecond
                snapshot.ratio = bytesOut > 0 ? Double(bytesIn) / Double(bytesOut) : nil
                snapshot.stalledSeconds = elapsed > 50 ? elapsed : nil
                snapshot.bufferFill = total.map { _ in 0.5 }
                return snapshot
            }
        }
    }()

    // Each width that a narrow terminal may have, and some of the wider ones.
    @Test(arguments: Array(1...80) + Array(stride(from: 81, through: 200, by: 7)))
    func `the line fits every width`(_ width: Int) {
        Self.locale
        // Half of the names with one of the amounts, the others at other widths; in a long run all names.
        let step = isLong ? 8 : 16
        let snapshots = stride(from: width * 5 % step, to: Self.snapshots.count, by: step).map { Self.snapshots[$0] }
        let lines = snapshots.flatMap { snapshot in
            let finish = snapshot.remainingSeconds.map { $0 > 600 ? "Tue 17:42" : "7:42" }
            return [true, false].map {
                ProgressLine(progress: snapshot, finish: finish, hasBar: $0).render(width: width)
            }
        }
        #expect(lines.filter { TextWidth.of($0) > width || $0.utf8.contains(UInt8(ascii: "\n")) }.isEmpty)
    }

    @Test func `a line for a log may be as wide as it likes`() {
        let line = ProgressLine(progress: halfway, hasBar: false)
        #expect(line.render(width: .max) == line.render(width: 1000))
    }

    @Test func `a line for a log has no blanks but those between its fields`() {
        var snapshot = halfway
        for file in [nil, "big.tar"] {
            for fraction in [0.001, 0.05, 0.5, 1] {
                (snapshot.file, snapshot.fraction) = (file, fraction)
                let line = ProgressLine(progress: snapshot, hasBar: false).render(width: 200)
                #expect(!line.hasPrefix(" ") && !line.contains("  "), "\(line)")
            }
        }
    }

    @Test func `what an estimate tells is marked, and is not all before the end`() {
        var snapshot = halfway
        snapshot.isEstimate = true
        let line = ProgressLine(progress: snapshot).render(width: 120)
        #expect(line.contains(" ~50% ") && line.hasSuffix("ETA    ~0:02"), "\(line)")
        snapshot.reach(5 << 30)
        snapshot.remainingSeconds = nil
        snapshot.estimateRemaining()
        #expect(snapshot.fraction == 0.99 && snapshot.remainingSeconds == nil)
        #expect(JSON.line(snapshot).contains("\"totalIsEstimate\":true"))
        snapshot.reach(1, isEnd: true)
        #expect(snapshot.fraction == 1)
        #expect(!JSON.line(halfway).contains("totalIsEstimate"))
    }

    @Test func `sizes of different content have no ratio beside them`() {
        let line = ProgressLine(progress: halfway, hasRatio: false).render(width: 160)
        #expect(line.contains("512 MiB >  128 MiB ") && !line.contains("x "), "\(line)")
    }

    @Test func `standard input goes by the name of its output, in the bar only`() {
        var snapshot = halfway
        (snapshot.file, snapshot.name) = (nil, "db.zst")
        #expect(ProgressLine(progress: snapshot).render(width: 160).hasPrefix("db.zst "))
        #expect(!JSON.line(snapshot).contains("db.zst"))
    }

    @Test func `there is no ratio beside an output of nothing`() {
        var snapshot = halfway
        #expect(ProgressLine(progress: snapshot).render(width: 120).contains("4.00x"))
        snapshot.bytesOut = 0
        #expect(!ProgressLine(progress: snapshot).render(width: 120).contains("x "))
    }

    private var halfway: ProgressSnapshot {
        var snapshot = ProgressSnapshot()
        snapshot.file = "big.tar"
        (snapshot.bytesDone, snapshot.bytesOut, snapshot.totalBytes) = (512 << 20, 128 << 20, 1 << 30)
        snapshot.reach(512 << 20)
        (snapshot.elapsedSeconds, snapshot.remainingSeconds, snapshot.ratio) = (2, 2, 4)
        (snapshot.currentBytesPerSecond, snapshot.averageBytesPerSecond) = (256 * 1_048_576, 256 * 1_048_576)
        return snapshot
    }

    @Test func `before the first frame is done there is no rate, and not a rate of 0`() {
        var snapshot = halfway
        (snapshot.bytesIn, snapshot.bytesDone, snapshot.bytesOut, snapshot.ratio) = (64 << 20, 0, 0, nil)
        snapshot.reach(0)
        (snapshot.currentBytesPerSecond, snapshot.averageBytesPerSecond, snapshot.remainingSeconds) = (0, 0, nil)
        let line = ProgressLine(progress: snapshot, hasBar: false).render(width: 200)
        #expect(line == "big.tar 0% 64.0 MiB read 0:02")
        snapshot.stalledSeconds = 4
        #expect(ProgressLine(progress: snapshot, hasBar: false).render(width: 200).contains("stalled 4s"))
    }

    @Test func `a wide terminal shows everything`() {
        let line = ProgressLine(progress: halfway).render(width: 160)
        for part in ["big.tar", "50%", "[====", "512 MiB >  128 MiB", "4.00x", "256 MiB/s", "0:02 ETA    0:02"] {
            #expect(line.contains(part), "\(line)")
        }
    }

    @Test func `a narrow terminal shows the percentage first`() {
        #expect(ProgressLine(progress: halfway).render(width: 4) == " 50%")
        #expect(ProgressLine(progress: halfway).render(width: 3) == "")
        let line = ProgressLine(progress: halfway).render(width: 20)
        #expect(line.contains("50%"))
        #expect(line.contains("256 MiB/s"))
    }

    @Test func `a wider terminal never shows less`() {
        Self.locale
        let widths = (1...200).map { TextWidth.of(ProgressLine(progress: halfway).render(width: $0)) }
        #expect(widths.last == widths.max())
    }

    @Test func `without a total there is no percentage and no bar`() {
        var snapshot = halfway
        (snapshot.totalBytes, snapshot.fraction, snapshot.remainingSeconds) = (nil, nil, nil)
        let line = ProgressLine(progress: snapshot).render(width: 160)
        #expect(!line.contains("%"))
        #expect(!line.contains("["))
        #expect(!line.contains("ETA"))
        #expect(line.contains("512 MiB >  128 MiB"))
    }

    @Test func `a stall takes the place of the rate`() {
        var snapshot = halfway
        snapshot.stalledSeconds = 7.9
        #expect(ProgressLine(progress: snapshot).render(width: 160).contains("stalled 7s"))
        snapshot.stalledSeconds = 7000
        #expect(ProgressLine(progress: snapshot).render(width: 160).contains("stalled 1h"))
    }

    @Test func `a level that adapts is shown beside the ratio`() {
        var snapshot = halfway
        snapshot.level = 7
        #expect(ProgressLine(progress: snapshot, hasBar: false).render(width: 200).contains("4.00x level 7 "))
        #expect(ProgressLine(progress: snapshot).render(width: 200).contains("4.00x level  7 "))
        snapshot.level = nil
        #expect(!ProgressLine(progress: snapshot).render(width: 200).contains("level"))
    }

    /// Every field of the bar is where it was, whatever its number: at each width the percentage stays in its columns.
    @Test(arguments: [20, 40, 60, 80, 120, 160, 200], [1, 200])
    func `nothing jumps while the numbers grow`(_ width: Int, _ files: Int) throws {
        var shapes: Set<[Int]> = []
        for (step, elapsed) in [0.4, 7, 10, 65, 600, 3599, 3600, 35_000].enumerated() {
            var snapshot = halfway
            (snapshot.files, snapshot.filesDone) = (files, step * 20)
            if files > 1 { snapshot.file = String(repeating: "n", count: 1 + step * 7) }
            snapshot.totalBytes = 1 << 40
            snapshot.bytesIn = 1 << 20
            snapshot.bytesDone = [0, 1, 999, 1000, 10_480_000, 10_490_000, 1 << 30, 1 << 39][step]
            snapshot.bytesOut = snapshot.bytesDone / 2
            snapshot.reach(snapshot.bytesDone)
            snapshot.elapsedSeconds = elapsed
            snapshot.ratio = step == 0 ? nil : [1, 9.994, 9.996, 99.9, 100, 9999][step % 6]
            snapshot.remainingSeconds = step < 2 ? nil : 36_000 - elapsed
            snapshot.currentBytesPerSecond = [0, 1, 1023, 10_480_000, 10_490_000, 1e9, 5, 0][step]
            snapshot.averageBytesPerSecond = snapshot.currentBytesPerSecond
            snapshot.stalledSeconds = step == 7 ? 250 : nil
            snapshot.level = [3, 9, 10, 19, 1, 1, 12, 3][step]
            let line = ProgressLine(progress: snapshot).render(width: width)
            let places = ["[", "]", "%", "ETA", "/200"].map { mark in
                line.ranges(of: mark).first.map { line.distance(from: line.startIndex, to: $0.lowerBound) } ?? -1
            }
            shapes.insert(places + [line.count])
        }
        #expect(shapes.count == 1, "\(shapes)")
    }

    @Test func `a copy has one size and no ratio`() {
        let line = ProgressLine(progress: halfway, isCopy: true).render(width: 160)
        #expect(line.contains("50%  512 MiB "))
        #expect(!line.contains(" > "))
        #expect(!line.contains("x "))
    }

    @Test func `several files show how many are done, and which one is being done`() {
        var snapshot = halfway
        (snapshot.files, snapshot.filesDone) = (200, 86)
        for width in [60, 80, 200] {
            let line = ProgressLine(progress: snapshot).render(width: width)
            #expect(line.contains(" 86/200 "), "\(line)")
            #expect(line.hasPrefix("big.tar ") == (width > 60), "\(line)")
        }
    }

    @Test func `the last line has the rate of the whole, and no time left`() {
        var snapshot = halfway
        snapshot.averageBytesPerSecond = 100 * 1_048_576
        let line = ProgressLine(progress: snapshot, isLast: true).render(width: 160)
        #expect(line.contains(" 100 MiB/s"))
        for part in ["256 MiB/s", "avg", "ETA"] { #expect(!line.contains(part)) }
    }

    @Test func `a source that grew stays at the end`() {
        var snapshot = halfway
        snapshot.totalBytes = 1
        snapshot.reach(512 << 20)
        #expect(ProgressLine(progress: snapshot).render(width: 160).contains("100%"))
    }

    @Test func `wide and combining characters are counted as terminals do`() {
        Self.locale
        #expect(TextWidth.of("abc") == 3)
        #expect(TextWidth.of("漢字") == 4)
        #expect(TextWidth.of("e\u{301}") == 1)
        #expect(TextWidth.shortened("short", to: 32) == "short")
        #expect(TextWidth.shortened("0123456789", to: 8) == "...56789")
        #expect(TextWidth.of(TextWidth.shortened("漢字漢字漢字漢字", to: 8)) <= 8)
    }
}
