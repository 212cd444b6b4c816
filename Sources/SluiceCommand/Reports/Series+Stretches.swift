import Sluice

extension Timeline.Series {
    /// The sums of stretches whose width is a multiple of the buckets', and the length of each: equal but for the last.
    func stretches(of width: Double, upTo whole: Double) -> [(sum: Double, length: Double)] {
        let last = max(1, Int(clamping: (whole / width).rounded(.up))) - 1
        var stretches = Array(repeating: (sum: 0.0, length: width), count: last + 1)
        let factor = max(1, width / Double(self.width))
        for (index, sum) in sums.enumerated() { stretches[min(last, Int(clamping: Double(index) / factor))].sum += sum }
        stretches[last].length = max(whole - Double(last) * width, 0)
        // A short remainder makes a poor rate, so it joins the stretch before.
        if last > 0, stretches[last].length < width / 2 {
            let rest = stretches.removeLast()
            stretches[last - 1].sum += rest.sum
            stretches[last - 1].length += rest.length
        }
        return stretches
    }
}
