/// What has become of a stream: its pieces in their order, from the first one that is in the file to the last one, and
/// those before and after them.
///
/// Between two pieces that are in the file lies what has become of those between them. Each of these is known, because
/// it is elsewhere in the file or was computed, or it is lost.
package struct RegionPlan: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// The bytes that were written.
        case own
        /// Others; what was written is known.
        case known
        /// Others; what was written is lost.
        case lost
        /// Perhaps others: what would prove them is lost.
        case unproved
    }

    /// Bytes of the stream that are not at their place in the file.
    package struct Piece: Equatable, Sendable {
        package var range: Range<UInt64>
        package let kind: Kind
    }

    /// Bytes of the file, and bytes of the stream that were written there.
    package struct Element: Equatable, Sendable {
        package var old: Range<UInt64>
        package var new: Range<UInt64>
        package var kind: Kind

        package init(old: Range<UInt64>, new: Range<UInt64>, _ kind: Kind) {
            (self.old, self.new, self.kind) = (old, new, kind)
        }

        /// Whether nothing is missing, and nothing was inserted.
        package var isInPlace: Bool { old.count == new.count }
    }

    /// In order, without a gap between them; the first one and the last one are the stream's own.
    package let elements: [Element]
    /// The pieces before the first one that is in the file.
    package let front: [Piece]
    /// The pieces after the last one.
    package let back: [Piece]
    /// Whether nothing of the stream follows them. Whoever has no last description does not know what else there was.
    package let isEnd: Bool

    /// The bytes of the file from the first piece that is there to the end of the last one.
    package var input: Range<UInt64> {
        (elements.first?.old.lowerBound ?? 0)..<(elements.last?.old.upperBound ?? 0)
    }

    /// Whether the file has all of the stream, as it was made.
    package var isWhole: Bool {
        isEnd && front.isEmpty && back.isEmpty && elements.allSatisfy { $0.kind == .own }
    }

    /// Whether all of the stream is known.
    package var isComplete: Bool {
        isEnd && (front + back).allSatisfy { $0.kind == .known }
            && elements.allSatisfy { $0.kind == .own || $0.kind == .known }
    }

    /// What the file has instead of pieces: one after another if it has as many bytes, else all of them together.
    ///
    /// - Parameter place: where the pieces begin in the stream.
    package static func elements(for pieces: [Piece], from place: UInt64, in old: Range<UInt64>) -> [Element] {
        let end = pieces.last?.range.upperBound ?? place
        if old.isEmpty, place == end { return [] }
        guard old.count == (place..<end).count else {
            let isKnown = pieces.allSatisfy { $0.kind == .known }
            return [Element(old: old, new: place..<end, isKnown ? .known : .lost)]
        }
        return pieces.map { piece in
            let start = old.lowerBound + (piece.range.lowerBound - place)
            return Element(old: start..<start + UInt64(piece.range.count), new: piece.range, piece.kind)
        }
    }
}

/// Makes a plan of the pieces of a stream, which come in their order.
struct RegionPlanner {
    private let room: Range<UInt64>
    private var elements: [RegionPlan.Element] = []
    private var front: [RegionPlan.Piece] = []
    /// The pieces since the last one that is in the file.
    private var run: [RegionPlan.Piece] = []

    /// - Parameter room: where in the file the stream may be.
    init(within room: Range<UInt64>) { self.room = room }

    /// - Parameters:
    ///   - range: bytes of the stream.
    ///   - place: where they are in the file; nil for nowhere, or if that says nothing about what is beside them.
    ///   - kind: what they are if they are not there.
    mutating func append(_ range: Range<UInt64>, at place: Int64?, else kind: RegionPlan.Kind) {
        let end = elements.last?.old.upperBound ?? room.lowerBound
        if let place, place >= Int64(end), UInt64(place) + UInt64(range.count) <= room.upperBound {
            let old = UInt64(place)..<UInt64(place) + UInt64(range.count)
            if elements.isEmpty { front = run } else { close(at: old.lowerBound) }
            run = []
            add(RegionPlan.Element(old: old, new: range, .own))
            return
        }
        // What was found elsewhere is known.
        let kind = place == nil ? kind : .known
        if let last = run.last, last.kind == kind {
            run[run.count - 1].range = last.range.lowerBound..<range.upperBound
        } else {
            run.append(RegionPlan.Piece(range: range, kind: kind))
        }
    }

    /// Ends the run where the next piece is in the file.
    private mutating func close(at place: UInt64) {
        guard let last = elements.last else { return }
        for element in RegionPlan.elements(
            for: run, from: last.new.upperBound, in: last.old.upperBound..<place)
        {
            add(element)
        }
    }

    private mutating func add(_ element: RegionPlan.Element) {
        if let last = elements.last, last.kind == .own, element.kind == .own,
            last.old.upperBound == element.old.lowerBound, last.new.upperBound == element.new.lowerBound
        {
            elements[elements.count - 1].old = last.old.lowerBound..<element.old.upperBound
            elements[elements.count - 1].new = last.new.lowerBound..<element.new.upperBound
        } else {
            elements.append(element)
        }
    }

    /// - Returns: nil if nothing of the stream is in the file.
    func finish(isEnd: Bool) -> RegionPlan? {
        elements.isEmpty ? nil : RegionPlan(elements: elements, front: front, back: run, isEnd: isEnd)
    }
}
