import Sluice

extension Report {
    /// The diagrams for which there are numbers.
    var diagrams: [Diagram] {
        guard elapsed > 0, elapsed < 1e12 else { return [] }
        return [throughput, statistics.slots > 0 ? slots : nil, utilisation, ratio].compactMap(\.self)
    }

    /// The largest numbers of stretches that are legible; curves over time fluctuate more.
    private static let mostStretches = 60.0
    private static let mostPieces = 120.0

    private var elapsed: Double { statistics.elapsedSeconds }

    /// Nanoseconds of a stretch, the same for all diagrams over time.
    private var stretch: Double { Self.width(from: Timeline.shortest, for: elapsed * 1e9, Self.mostStretches) }

    private static func width(from least: UInt64, for whole: Double, _ most: Double) -> Double {
        var width = Double(least)
        // A series doubles its width as it grows, but later, so a stretch covers whole buckets of it.
        while whole / width > most { width *= 2 }
        return width
    }

    /// A series as amounts per nanosecond, in stretches of one length.
    private func overTime(_ series: Timeline.Series) -> [Double] {
        series.stretches(of: stretch, upTo: elapsed * 1e9).map { $0.length > 0 ? $0.sum / $0.length : 0 }
    }

    private func overTime(
        _ name: String, _ title: String, _ caption: String, _ vertical: Axis, _ curves: [Diagram.Curve]
    ) -> Diagram {
        let scale = Scale.seconds(upTo: elapsed)
        return Diagram(
            name: name, title: title,
            caption: caption + (stretch < elapsed * 1e9 ? " A step is \(Scale.text(ofSeconds: stretch / 1e9))." : ""),
            stretch: stretch / 1e9 / scale.factor,
            horizontal: Axis(upTo: elapsed / scale.factor, unit: scale.unit, endsAtTick: false),
            vertical: vertical, curves: curves.filter { statistics.run.operation.hasOutput || $0.style != "out" })
    }

    private var throughput: Diagram {
        let rates = [timeline.bytesIn, timeline.bytesOut].map { overTime($0).map { $0 * 1e9 } }
        let most = rates.joined().max() ?? 0
        // MiB/s for nearly all runs, so that reports are easy to compare.
        let scale = Scale.bytes(upTo: min(most, Double(1 << 29)), suffix: "/s")
        let curves = zip(["in", "out"], rates).map { name, rate in
            Diagram.Curve(name: name, style: name, values: rate.map { $0 / scale.factor })
        }
        return overTime(
            "throughput", "Throughput", "Bytes read and written per second.",
            Axis(upTo: most / scale.factor, unit: scale.unit, endsAtTick: true), curves)
    }

    private var slots: Diagram {
        let used = overTime(timeline.slots)
        return overTime(
            "slots", "Slots in use",
            "Chunks in flight, at most \(statistics.slots): with all slots in use, reading waits for the other stages; "
                + "with few in use, they wait for reading.",
            Axis(upTo: Double(max(1, statistics.slots)), unit: "", endsAtTick: true),
            [Diagram.Curve(name: "slots", style: "slot", values: used)])
    }

    private var utilisation: Diagram {
        let workers = Double(max(1, statistics.workers))
        let stages = [
            ("read", "in", overTime(timeline.reading)),
            (statistics.run.operation.name, "work", overTime(timeline.working).map { $0 / workers }),
            ("write", "out", overTime(timeline.writing)),
        ]
        let curves = stages.map { name, style, share in
            Diagram.Curve(name: name, style: style, values: share.map { min(100, $0 * 100) })
        }
        return overTime(
            "utilisation", "Utilisation of each stage",
            "The share of time spent waiting for input, with workers busy, and writing output.",
            Axis(upTo: 100, unit: "%", endsAtTick: true), curves)
    }

    private var ratio: Diagram? {
        let total = timeline.source.sums.reduce(0, +)
        let activity = statistics.run.operation
        guard activity.content != .both, total > 0 else { return nil }
        let width = Self.width(from: Timeline.smallest, for: total, Self.mostPieces)
        let sources = timeline.source.stretches(of: width, upTo: total)
        let results = timeline.result.stretches(of: width, upTo: total)
        let ratios = zip(sources, results).map { activity.ratio(input: $0.sum, output: $1.sum) }
        let known = ratios.compactMap { $0 }
        guard let most = known.max(), let least = known.min() else { return nil }
        let scale = Scale.bytes(upTo: total)
        // Very compressible data, such as zeros, would flatten the rest of a linear scale.
        let isWide = most > 20
        let vertical =
            isWide
            ? Axis(logarithmicFrom: min(1, least), to: most, unit: "x")
            : Axis(upTo: max(most, 1), unit: "x", endsAtTick: true)
        return Diagram(
            name: "ratio", title: "Compression ratio along the input",
            caption: "Decompressed bytes per compressed byte: near 1, the data can't be compressed."
                + (isWide ? " The scale is logarithmic." : "")
                + (width < total ? " A step is \(ByteCount.format(UInt64(clamping: width))) of the input." : ""),
            stretch: width / scale.factor,
            horizontal: Axis(upTo: total / scale.factor, unit: scale.unit, endsAtTick: false), vertical: vertical,
            curves: [Diagram.Curve(name: "ratio", style: "ratio", values: ratios)])
    }
}
