import Sluice

extension LevelUse {
    /// For people, such as `1 to 12, 4.5 on average`.
    var text: String {
        "\(lowest) to \(highest), \(mean < 0 ? "-" : "")\(ByteCount.fixed(abs(mean), digits: 1)) on average"
    }
}
