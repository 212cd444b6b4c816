import SluiceEngine

extension Summary {
    static func += (total: inout Summary, next: Summary) {
        total.bytesIn = total.bytesIn.addingClamped(next.bytesIn)
        total.bytesOut = total.bytesOut.addingClamped(next.bytesOut)
        total.contentSize = total.contentSize.addingClamped(next.contentSize)
    }

    /// The summary line: sizes, ratio, time and rate.
    ///
    /// - Parameter hasRatio: whether both sizes are of the same content.
    func line(
        name: String, _ activity: Activity, elapsed: Duration, hasFailures: Bool = false,
        hasRatio: Bool = true
    ) -> String {
        let seconds = elapsed.seconds
        let rate = seconds > 0 ? ByteCount.formatRate(Double(contentSize) / seconds) : "-"
        let time = "\(ByteCount.fixed(seconds, digits: 2)) s, \(rate)"
        if !activity.hasOutput {
            return "\(name): \(ByteCount.format(contentSize))\(hasFailures ? "" : ", no errors"); \(time)"
        }
        if activity.content == .both { return "\(name): \(ByteCount.format(bytesOut)) in \(time)" }
        let (small, large) = activity.content == .input ? (bytesOut, bytesIn) : (bytesIn, bytesOut)
        let ratio = hasRatio && small > 0 ? " (\(ByteCount.fixed(Double(large) / Double(small), digits: 2))x)" : ""
        return "\(name): \(ByteCount.format(bytesIn)) > \(ByteCount.format(bytesOut))\(ratio) in \(time)"
    }
}
