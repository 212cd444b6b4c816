/// How many bytes of parity there are for those that they protect, in per cent.
package struct ParityShare: Equatable, Sendable {
    package static let percents = 1...50
    package static let usual = ParityShare(percent: 5)

    package let percent: Int

    /// - Parameter percent: limited to `percents`.
    package init(percent: Int) { self.percent = min(max(percent, Self.percents.lowerBound), Self.percents.upperBound) }

    /// The most parity blocks of a group.
    var mostRows: Int { max(1, (255 * percent * 2 + 100 + percent) / (2 * (100 + percent))) }
    /// The most data blocks of a group.
    var capacity: Int { 255 - mostRows }

    /// The parity blocks of groups of which the largest has so many data blocks.
    func rows(for blocks: Int) -> Int { min(max(1, (blocks * percent + 50) / 100), mostRows) }

    /// The data blocks that a group should have at least, so that one parity block is not more than the share.
    var leastBlocks: Int { 100 / percent }
}
