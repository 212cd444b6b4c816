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
    private static let shortestStretch = 20_000_000.0
    private static let shortestPiece = Double(1 << 20)

    private var elapsed: Double { statistics.elapsedSeconds }

    /// Nanoseconds of a stretch, the same for all diagrams over time.
    private var stretch: Double {
        let series = [
            timeline.bytesIn, timeline.bytesOut, timeline.reading, timeline.working, timeline.writing, timeline.slots,
        ]
        let least = series.map { Double($0.width) }.max() ?? Self.shortestStretch
        return Self.width(atLeast: max(least, Self.shortestStretch), for: elapsed * 1e9, Self.mostStretches)
    }

    private static func width(atLeast least: Double, for whole: Double, _ most: Double) -> Double {
        var width = least
        // A series doubles its width as it grows, so a doubled stretch covers whole intervals of it.
        while whole / width > most { width *= 2 }
        return width
    }

    private var time: (axis: Axis, stretch: Double) {
        let scale = Scale.seconds(upTo: elapsed)
        let axis = Axis(upTo: elapsed / scale.factor, unit: scale.unit, endsAtTick: false)
        return (axis, stretch / 1e9 / scale.factor)
    }

    /// A series as amounts per nanosecond, in stretches of one length.
    private func overTime(_ series: Timeline.Series) -> [Double] {
        Stretches(series, width: stretch, whole: elapsed * 1e9).rates
    }

    private func overTime(
        _ name: String, _ title: String, _ caption: String, _ vertical: Axis, _ curves: [Diagram.Curve]
    ) -> Diagram {
        let time = time
        return Diagram(
            name: name, title: title,
            caption: caption + (stretch < elapsed * 1e9 ? " A step is \(Scale.text(ofSeconds: stretch / 1e9))." : ""),
            stretch: time.stretch, horizontal: time.axis,
            vertical: vertical, curves: curves)
    }

    private var throughput: Diagram {
        let rates = [timeline.bytesIn, timeline.bytesOut].map { overTime($0).map { $0 * 1e9 } }
        let most = rates.joined().max() ?? 0
        // MiB/s for nearly all runs, so that reports are easy to compare.
        let scale = Scale.bytes(upTo: min(most, Double(1 << 29)), suffix: "/s")
        let curves = zip([("in", "in"), ("out", "out")], rates).map { kind, rate in
            Diagram.Curve(name: kind.0, style: kind.1, values: rate.map { $0 / scale.factor })
        }
        return overTime(
            "throughput", "Throughput", "Bytes read and written per second.",
            Axis(upTo: most / scale.factor, unit: scale.unit, endsAtTick: true),
            statistics.run.operation.hasOutput ? curves : [curves[0]])
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
        let curves = stages.filter { statistics.run.operation.hasOutput || $0.1 != "out" }.map { name, style, share in
            Diagram.Curve(name: name, style: style, values: share.map { min(100, $0 * 100) })
        }
        return overTime(
            "utilisation", "Utilisation of each stage",
            "The share of time spent waiting for input, with workers busy, and writing output.",
            Axis(upTo: 100, unit: "%", endsAtTick: true), curves)
    }

    private var ratio: Diagram? {
        let (source, result) = (timeline.source, timeline.result)
        let total = source.sums.reduce(0, +)
        let activity = statistics.run.operation
        guard activity.content != .both, total > 0 else { return nil }
        let width = Self.width(
            atLeast: max(Self.shortestPiece, Double(max(source.width, result.width))), for: total, Self.mostPieces)
        let (sources, results) = (
            Stretches(source, width: width, whole: total), Stretches(result, width: width, whole: total)
        )
        let ratios = zip(sources.sums, results.sums).map { activity.ratio(input: $0, output: $1) }
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
                + (width < total ? " A step is \(ByteCount.format(UInt64(width))) of the input." : ""),
            stretch: width / scale.factor,
            horizontal: Axis(upTo: total / scale.factor, unit: scale.unit, endsAtTick: false), vertical: vertical,
            curves: [Diagram.Curve(name: "ratio", style: "ratio", values: ratios)])
    }
}
