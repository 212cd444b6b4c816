import Sluice

/// A series regrouped into stretches whose length is a multiple of its own.
struct Stretches {
    private(set) var sums: [Double]
    /// The length of each: equal except for the last.
    private let lengths: [Double]

    init(_ series: Timeline.Series, width: Double, whole: Double) {
        let count = max(1, Int((whole / width).rounded(.up)))
        sums = Array(repeating: 0, count: count)
        let factor = max(1, width / Double(series.width))
        for (index, sum) in series.sums.enumerated() { sums[min(count - 1, Int(Double(index) / factor))] += sum }
        var lengths = Array(repeating: width, count: count)
        lengths[count - 1] = max(whole - Double(count - 1) * width, 0)
        // A short remainder makes a poor rate, so it joins the stretch before.
        if count > 1, lengths[count - 1] < width / 2 {
            sums[count - 2] += sums.removeLast()
            lengths[count - 2] += lengths.removeLast()
        }
        self.lengths = lengths
    }

    var rates: [Double] { zip(sums, lengths).map { $1 > 0 ? $0 / $1 : 0 } }
}
