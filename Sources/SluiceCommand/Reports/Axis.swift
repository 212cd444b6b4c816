import Glibc
import Sluice

/// An axis of a diagram: a range of values with a few round ticks.
struct Axis {
    private static let fewTicks = 5.0
    private static let mostDigits = 9
    /// Larger and smaller values have no ticks that differ.
    private static let values = 1e-300...1e300

    let lower: Double
    let upper: Double
    let ticks: [Double]
    let unit: String
    private let digits: Int
    private let isLogarithmic: Bool

    /// Creates an axis from 0 to a value; an empty range is widened.
    ///
    /// - Parameter endsAtTick: whether the axis extends to the next round number.
    init(upTo value: Double, unit: String, endsAtTick: Bool) {
        let most = value.isFinite && value > Self.values.lowerBound ? min(value, Self.values.upperBound) : 1
        let rough = most / Self.fewTicks
        let magnitude = pow(10, floor(log10(rough)))
        let step = magnitude * ([1.0, 2, 5].first { rough <= $0 * magnitude * 1.000001 } ?? 10)
        // The tolerance keeps a tick that falls on the end.
        let count = endsAtTick ? (most / step - 5e-7).rounded(.up) : (most / step + 5e-7).rounded(.down)
        lower = 0
        upper = endsAtTick ? count * step : most
        ticks = (0...Int(clamping: count)).map { Double($0) * step }
        digits = max(0, -Int(clamping: floor(log10(step) + 1e-9)))
        isLogarithmic = false
        self.unit = unit
    }

    /// Creates a logarithmic axis over powers of ten.
    init(logarithmicFrom low: Double, to high: Double, unit: String) {
        // Incompressible data grows a little, so a ratio just below a power of ten counts as that power.
        let first = floor(log10(Self.ratio(low)) + 0.05)
        let last = max(first + 1, (log10(Self.ratio(high)) - 1e-9).rounded(.up))
        lower = pow(10, first)
        upper = pow(10, last)
        let stride = max(1, ((last - first) / Self.fewTicks).rounded(.up))
        ticks = (0...Int(clamping: (last - first) / stride)).map { pow(10, first + Double($0) * stride) }
        digits = 0
        isLogarithmic = true
        self.unit = unit
    }

    private static func ratio(_ value: Double) -> Double {
        value.isFinite ? min(max(value, 1e-3), values.upperBound) : 1
    }

    /// The position of a value, from 0 at the lower end to 1 at the upper end.
    func position(of value: Double) -> Double {
        guard value.isFinite else { return 0 }
        let bounded = min(max(value, lower), upper)
        if isLogarithmic { return log10(bounded / lower) / log10(upper / lower) }
        return (bounded - lower) / (upper - lower)
    }

    func label(_ tick: Double) -> String {
        if tick == 0 { return "0" }
        let needed = -Int(clamping: floor(log10(abs(tick)) + 1e-9))
        return ByteCount.fixed(tick, digits: min(Self.mostDigits, isLogarithmic ? max(0, needed) : digits))
    }
}
