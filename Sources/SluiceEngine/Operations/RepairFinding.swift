internal import Parity

/// What was found of a file with parity, and whether it can be written as it was made.
package struct RepairFinding: Equatable, Sendable {
    /// Why nothing is written.
    enum Obstacle: Equatable, Sendable {
        /// Bytes of which no parity knows what they are.
        case outside(Range<UInt64>)
        /// Bytes that prove themselves, and are not what was written.
        case foreign(Range<UInt64>)
        /// Bytes were inserted in a stream that perhaps lies in the frame of an archive.
        case inserted
        /// Blocks, if any, and bytes of parity or a seek table that nothing gives.
        case lost(blocks: Int)
        /// Nobody knows what was written behind the last description that is left.
        case end
        /// More than is looked at.
        case bounds
    }

    /// Blocks of frames and of parity that are nowhere in the file.
    package private(set) var (rottenBlocks, rottenParity) = (0, 0)
    /// Blocks that are elsewhere in the file.
    package private(set) var movedBlocks = 0
    /// Blocks that can be neither proved nor computed.
    package private(set) var lostBlocks = 0
    /// Whether all of the file is as it was written, and parity describes all of it.
    package var isWhole: Bool { isWholeBeforeZeros && padding == 0 }
    /// The same of what is before zeros at the end.
    private(set) var isWholeBeforeZeros = true
    /// Bytes that no description speaks of, but for zeros at the end.
    package private(set) var outside = 0
    /// Zeros at the end.
    package private(set) var padding = 0
    /// Bytes that were inserted in streams.
    package private(set) var inserted = 0
    /// The first one that was met, but that something would be left out comes before that something is lost.
    private(set) var obstacle: Obstacle?

    /// - Returns: what was found, and what would be written.
    /// - Throws: `parity` without parity, or without the memory for it.
    static func of(_ checked: CheckedParity?) throws(Failure) -> (finding: RepairFinding, list: FileElements?) {
        guard let checked else { throw Failure(.parity, "has no parity") }
        if let needed = checked.needed {
            throw Failure(.parity, "its parity takes \(needed >> 20) MiB of memory, which is more than there is for it")
        }
        var list = try FileElements(checked)
        if !list.areUntouched {
            let frames = try ProvedFrames(list, of: checked)
            list = try list.keeping(frames.proved.union(frames.hidden))
        }
        return (RepairFinding(list, checked), list)
    }

    private init(_ list: FileElements, _ checked: CheckedParity) {
        if checked.isCut { (obstacle, isWholeBeforeZeros) = (.bounds, false) }
        for part in checked.parts {
            for finding in part.region.findings {
                rottenBlocks += finding.rottenData
                rottenParity += finding.rottenParity
                movedBlocks += finding.moved
                lostBlocks += finding.lost
            }
        }
        for element in list.all {
            isWholeBeforeZeros = isWholeBeforeZeros && [.own, .padding].contains(element.kind)
            inserted += element.inserted
            switch element.kind {
            case .own: break
            case .padding: padding += element.old.count
            case .known:
                if list.mayBeContent(element) { note(.inserted) }
            case .foreign: note(.foreign(element.old))
            case .outside:
                outside += element.old.count
                note(.outside(element.old))
            case .lost, .unproved: note(element.new.isEmpty && element.old.isEmpty ? .end : .lost(blocks: lostBlocks))
            }
        }
    }

    private mutating func note(_ obstacle: Obstacle) {
        isWholeBeforeZeros = false
        switch (self.obstacle, obstacle) {
        case (nil, _), (.lost, .outside), (.lost, .foreign), (.end, .outside), (.end, .foreign):
            self.obstacle = obstacle
        default: break
        }
    }

    /// - Throws: `parity` if something can't be repaired, or would be lost.
    func checkRepairable() throws(Failure) {
        guard let obstacle else { return }
        let reason =
            switch obstacle {
            case .outside(let range): "\(range.words) have no parity"
            case .foreign(let range) where range.isEmpty:
                "a frame at byte \(range.lowerBound) proves itself, and is not what was written"
            case .foreign(let range): "\(range.words) are of something that is whole, and was not written there"
            case .inserted: "bytes were inserted as in a frame that has it as its content"
            case .lost(let blocks) where blocks > 0:
                "\(blocks.counted("block")) can't be computed from what is left"
            case .lost: "its seek table, or what describes its parity, can't be made again from what is left"
            case .end: "the description of its end is lost"
            case .bounds: "it has more streams, or more that has rotted, than is looked at"
            }
        throw Failure(.parity, "can't be repaired: \(reason)")
    }

    /// What is wrong, as a part of a sentence.
    package var words: String {
        var words: [String] = []
        if rottenBlocks > 0 { words.append("\(rottenBlocks.counted("block")) of the frames") }
        if rottenParity > 0 { words.append("\(rottenParity.counted("block")) of the parity") }
        if movedBlocks > 0 { words.append("\(movedBlocks.counted("block")) elsewhere") }
        if lostBlocks > 0, rottenBlocks + rottenParity == 0 { words.append("\(lostBlocks.counted("block")) unproved") }
        if inserted > 0 { words.append("\(inserted.counted("byte")) inserted") }
        if outside > 0 { words.append("\(outside.counted("byte")) without parity") }
        if padding > 0 { words.append("\(padding.counted("zero")) after it") }
        switch obstacle {
        case .bounds: words.append("more than is looked at")
        case .end: words.append("the description of its end")
        default: if words.isEmpty, !isWhole { words.append("the description of the parity, or the seek table") }
        }
        return words.joined(separator: ", ")
    }
}

extension Range<UInt64> {
    fileprivate var words: String { "bytes \(lowerBound) to \(upperBound - 1)" }
}
