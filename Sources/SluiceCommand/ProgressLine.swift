import CKernel
import Sluice

/// How far a run is, as one line of text that fits the terminal: a pure function of numbers and a width.
struct ProgressLine {
    let progress: ProgressSnapshot
    /// Whether there is a bar; not in a log.
    var hasBar = true

    /// What is left out first, when there is no room, has the highest rank.
    private enum Field: Int, CaseIterable {
        case percent, rate, remaining, buffer, bytes, bar, name, ratio, elapsed, files, average
    }

    /// The order from left to right.
    private static let layout: [Field] = [
        .name, .files, .bar, .percent, .bytes, .ratio, .rate, .average, .buffer, .elapsed, .remaining,
    ]
    private static let narrowestBar = 8
    private static let widestBar = 40
    private static let nameWidths = 12...32

    /// The line, at most `width` columns wide.
    func render(width: Int) -> String {
        var shown: [Field: String] = [:]
        for field in Field.allCases {
            let room = width - shown.values.reduce(0) { $0 + TextWidth.of($1) + 1 }
            if let text = text(of: field, room: room), TextWidth.of(text) <= room { shown[field] = text }
        }
        let used = shown.values.reduce(-1) { $0 + TextWidth.of($1) + 1 }
        if shown[.bar] != nil {
            let room = min(Self.widestBar, Self.narrowestBar + width - used)
            shown[.bar] = bar(width: room)
        }
        return Self.layout.compactMap { shown[$0] }.joined(separator: " ")
    }

    /// - Parameter room: how many columns are left, for a name that may be shortened.
    private func text(of field: Field, room: Int) -> String? {
        switch field {
        case .percent: progress.fraction.map { Self.padded(String(Int($0 * 100)), to: 3) + "%" }
        case .rate:
            progress.stalledSeconds.map { "stalled \(Int($0)) s" }
                ?? (hasResult ? Self.padded(ByteCount.formatRate(progress.currentBytesPerSecond), to: 10) : nil)
        case .remaining: progress.remainingSeconds.map { "ETA \(ByteCount.formatTime($0))" }
        case .bytes where !hasResult: "\(ByteCount.format(progress.bytesIn)) in work"
        case .bytes: "\(ByteCount.format(progress.bytesDone)) > \(ByteCount.format(progress.bytesOut))"
        case .ratio: progress.ratio.map { "\(ByteCount.fixed($0, digits: 2))x" }
        case .bar: progress.fraction == nil || !hasBar ? nil : bar(width: Self.narrowestBar)
        case .name:
            progress.file.map {
                TextWidth.shortened($0, to: min(max(room, Self.nameWidths.lowerBound), Self.nameWidths.upperBound))
            }
        case .files: progress.files > 1 ? "\(progress.filesDone)/\(progress.files)" : nil
        case .elapsed: ByteCount.formatTime(progress.elapsedSeconds)
        case .buffer: progress.bufferFill.map { "buffer \(Int($0 * 100))%" }
        case .average: hasResult ? "avg \(ByteCount.formatRate(progress.averageBytesPerSecond))" : nil
        }
    }

    /// At high levels the first frame takes a while; there is no rate yet, which is not a rate of 0.
    private var hasResult: Bool { progress.bytesDone > 0 || progress.bytesIn == 0 }

    private func bar(width: Int) -> String {
        let inside = width - 2
        let filled = Int((progress.fraction ?? 0) * Double(inside))
        let head = filled < inside ? ">" : ""
        let line = String(repeating: "=", count: filled) + head
        return "[" + line + String(repeating: " ", count: max(0, inside - line.count)) + "]"
    }

    private static func padded(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

/// The columns that text takes in a terminal.
enum TextWidth {
    static func of(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + of($1) }
    }

    /// The text, or its end behind three dots, in at most `width` columns.
    static func shortened(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        let dots = "..."
        var kept: [Unicode.Scalar] = []
        var used = dots.count
        for scalar in text.unicodeScalars.reversed() {
            used += of(scalar)
            if used > width { break }
            kept.append(scalar)
        }
        var end = String.UnicodeScalarView()
        end.append(contentsOf: kept.reversed())
        return dots + String(end)
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        scalar.isASCII ? 1 : max(0, Int(sluice_character_width(scalar.value)))
    }
}
