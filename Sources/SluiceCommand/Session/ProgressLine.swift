import SluiceEngine

/// The progress of a run as a line that fits the terminal: a pure function of numbers and a width.
///
/// In a bar each field keeps its width as its number grows, and its place while it has none, so that nothing jumps.
struct ProgressLine {
    let progress: ProgressSnapshot
    /// The time of day of the end; nil if it is near.
    var finish: String?
    /// Whether to draw a bar, rather than a line for a log.
    var hasBar = true
    /// Whether the output equals the input, so that there is one size.
    var isCopy = false
    /// Whether both sizes are of the same content.
    var hasRatio = true
    /// Whether this is the last line, with the average rate and no remaining time.
    var isLast = false

    /// In order of importance: the last ones are left out first if there is no room.
    private enum Field: Int, CaseIterable {
        case percent, rate, remaining, buffer, bytes, files, bar, name, ratio, level, elapsed, finish, average
    }

    /// The order from left to right.
    private static let layout: [Field] = [
        .name, .files, .bar, .percent, .bytes, .ratio, .level, .rate, .average, .buffer, .elapsed, .remaining, .finish,
    ]
    private static let narrowestBar = 8
    private static let widestBar = 40
    private static let narrowestName = 12
    /// For one file, and for several, which are padded to the same width.
    private static let widestNames = (one: 32, several: 24)
    /// From `0 B` to `1.00 MiB`.
    private static let sizeWidth = 8
    /// From `0 B/s` to `1.00 MiB/s`, and `stalled 12s`.
    private static let rateWidth = 11
    /// From `1.00x` to `9999x`.
    private static let ratioWidth = 5
    /// Up to `9:59:59`.
    private static let timeWidth = 7

    /// The line, at most `width` columns wide.
    func render(width: Int) -> String {
        // `used` includes a blank after each field. Nothing is added to `width`, which is `Int.max` for a log.
        var (shown, used) = ([Field: String](), 0)
        for field in Field.allCases {
            let room = width - used
            guard let text = text(of: field, room: room) else { continue }
            let columns = TextWidth.of(text)
            guard columns <= room else { continue }
            shown[field] = text
            used += columns + 1
        }
        if shown[.bar] != nil {
            let room = min(Self.widestBar, Self.narrowestBar + (width - used + 1))
            shown[.bar] = bar(width: room)
        }
        return Self.layout.compactMap { shown[$0] }.joined(separator: " ")
    }

    /// - Parameter room: the columns left, for a name that may be shortened.
    private func text(of field: Field, room: Int) -> String? {
        switch field {
        case .percent: progress.fraction.map { percent($0) }
        case .rate: kept(rate, to: Self.rateWidth)
        case .remaining: remaining
        case .bytes: aligned(sizes, to: isCopy ? Self.sizeWidth : 2 * Self.sizeWidth + 3)
        case .ratio: isCopy || !hasRatio ? nil : kept(ratio, to: Self.ratioWidth)
        case .level: progress.level.map { "level \(aligned(String($0), to: 2))" }
        case .bar: progress.fraction == nil || !hasBar ? nil : bar(width: Self.narrowestBar)
        case .name: name(room: room)
        case .files: progress.files > 1 ? count : nil
        case .elapsed: aligned(ByteCount.formatTime(progress.elapsedSeconds), to: Self.timeWidth)
        case .buffer: progress.bufferFill.map { "buffer \(aligned(String(Int(clamping: $0 * 100)), to: 3))%" }
        case .finish: isLast ? nil : finish.map { "at \($0)" }
        case .average: isLast ? nil : average
        }
    }

    /// Whether there is a result yet: at high levels the first frame takes a while, and no rate is not a rate of 0.
    private var hasResult: Bool { progress.bytesDone > 0 || progress.bytesIn == 0 }

    private var rate: String? {
        if isLast { return ByteCount.formatRate(progress.averageBytesPerSecond) }
        if let seconds = progress.stalledSeconds { return "stalled \(Self.span(Int(clamping: min(seconds, 1e9))))" }
        return hasResult ? ByteCount.formatRate(progress.currentBytesPerSecond) : nil
    }

    private var average: String? {
        let rate = ByteCount.formatRate(progress.averageBytesPerSecond)
        return kept(hasResult ? "avg \(aligned(rate, to: 10))" : nil, to: 14)
    }

    /// A bar reserves its place as soon as the total is known.
    private var remaining: String? {
        guard !isLast, progress.totalBytes != nil else { return nil }
        let time = progress.remainingSeconds.map { mark + ByteCount.formatTime($0) }
        if time == nil, !hasBar { return nil }
        return "ETA \(aligned(time ?? "-", to: Self.timeWidth + mark.count))"
    }

    private func percent(_ fraction: Double) -> String {
        aligned("\(mark)\(Int(clamping: fraction * 100))", to: 3 + mark.count) + "%"
    }

    /// Precedes what is computed from an estimate of the size.
    private var mark: String { progress.isEstimate ? "~" : "" }

    private var sizes: String {
        if !isCopy, !hasResult || progress.bytesOut == 0 && progress.bytesIn > 0 {
            return "\(ByteCount.format(progress.bytesIn)) read"
        }
        let done = aligned(ByteCount.format(progress.bytesDone), to: Self.sizeWidth)
        if isCopy { return done }
        return "\(done) > \(aligned(ByteCount.format(progress.bytesOut), to: Self.sizeWidth))"
    }

    /// Hidden until something is written: before that, the sizes beside it are not the ones that it is computed from.
    private var ratio: String? { progress.bytesOut > 0 ? progress.ratio.map(Self.ratio) : nil }

    private var count: String {
        let files = String(progress.files)
        return "\(aligned(String(progress.filesDone), to: files.count))/\(files)"
    }

    private func name(room: Int) -> String? {
        let most = max(room, Self.narrowestName)
        if progress.files == 1 || !hasBar {
            return progress.printableName.map { TextWidth.shortened($0, to: min(most, Self.widestNames.one)) }
        }
        // Padded, because the next name may be longer, and standard input among files has none.
        let width = min(most, Self.widestNames.several)
        let name = TextWidth.shortened(progress.printableName ?? "", to: width)
        return name + String(repeating: " ", count: max(0, width - TextWidth.of(name)))
    }

    /// Right-aligned in a bar; unchanged elsewhere.
    private func aligned(_ text: String, to width: Int) -> String { hasBar ? text.padded(width) : text }

    /// A bar keeps the place with blanks while there is no text.
    private func kept(_ text: String?, to width: Int) -> String? {
        text.map { aligned($0, to: width) } ?? (hasBar ? "".padded(width) : nil)
    }

    /// Three digits and an x.
    private static func ratio(_ ratio: Double) -> String {
        ByteCount.fixed(ratio, digits: ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0) + "x"
    }

    /// A time in two digits and a unit.
    private static func span(_ seconds: Int) -> String {
        seconds < 100 ? "\(seconds)s" : seconds < 6000 ? "\(seconds / 60)m" : "\(seconds / 3600)h"
    }

    private func bar(width: Int) -> String {
        let inside = width - 2
        let filled = min(inside, max(0, Int(clamping: (progress.fraction ?? 0) * Double(inside))))
        let head = filled < inside ? ">" : ""
        let line = String(repeating: "=", count: filled) + head
        return "[" + line.padded(-inside) + "]"
    }
}
