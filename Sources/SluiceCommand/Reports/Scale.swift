/// A unit that suits numbers up to a given one.
struct Scale {
    let unit: String
    let factor: Double

    private init(_ steps: [(unit: String, factor: Double)], _ most: Double) {
        let step = steps.last { most >= $0.factor } ?? steps[0]
        (unit, factor) = (step.unit, step.factor)
    }

    static func bytes(upTo most: Double, suffix: String = "") -> Scale {
        let steps = ByteCount.units.enumerated().map { power, unit in (unit + suffix, Double(1 << (10 * power))) }
        return Scale(steps, most)
    }

    /// A time without trailing zeros, such as `40 ms`.
    static func text(ofSeconds seconds: Double) -> String {
        let scale = Scale.seconds(upTo: seconds)
        return "\(ByteCount.shortest(seconds / scale.factor, digits: 2)) \(scale.unit)"
    }

    /// Uses minutes from three minutes, and hours from three hours.
    static func seconds(upTo most: Double) -> Scale {
        if most >= 3 * 3600 { return Scale([("h", 3600)], most) }
        if most >= 180 { return Scale([("min", 60)], most) }
        return Scale([("ms", 0.001), ("s", 1)], most)
    }
}
