internal import DequeModule
internal import Dispatch
internal import Synchronization

/// Reads an origin in whole pieces, which are kept for a while, and while it is read from its start on, some pieces
/// ahead: for those that look at many places, one after another, without saying which.
package final class ReadAheadSource: RangeSource {
    private static let pieceSize = 1 << 20
    /// The most pieces that are kept, and how many are read ahead.
    private static let most = (kept: 16, ahead: 3)

    private final class Piece: Sendable {
        let start: Int
        let outcome = Mutex<Result<Bytes, Failure>?>(nil)
        let arrival = DispatchGroup()

        init(start: Int) { self.start = start }
    }

    private let origin: any RangeSource
    /// The pieces that were read or are being read, those used last at the end.
    private let pieces = Mutex(Deque<Piece>())

    package init(_ origin: any RangeSource) { self.origin = origin }

    package var size: Int { origin.size }
    package func cancel() { origin.cancel() }

    package func read(from offset: Int, into memory: inout OutputRawSpan) throws {
        try memory.append { room throws(Failure) in
            var done = 0
            while done < room.count {
                let place = offset + done
                let piece = take(place / Self.pieceSize * Self.pieceSize)
                piece.arrival.wait()
                guard let outcome = piece.outcome.withLock({ $0 }) else { break }
                let bytes: Bytes
                do throws(Failure) { bytes = try outcome.get() } catch {
                    // A disk may have lost only a part of the piece: whoever asks for less may still get it.
                    let rest = room.extracting(done..<min(room.count, piece.start + Self.pieceSize - offset))
                    let isLoss = error.code == .reading && error.errno != nil
                    guard isLoss, rest.count < min(Self.pieceSize, size - piece.start) else { throw error }
                    try origin.fill(rest, from: UInt64(place))
                    done += rest.count
                    continue
                }
                let start = place - piece.start
                let part = bytes.slice(min(start, bytes.count)..<min(bytes.count, start + room.count - done))
                // The origin has fewer bytes than it said.
                if part.isEmpty { break }
                part.copy(to: room.extracting(done...))
                done += part.count
            }
            return done
        }
    }

    /// A piece, which may still be on its way, as may be those after it.
    private func take(_ start: Int) -> Piece {
        let (piece, new) = pieces.withLock { pieces in
            var new: [Piece] = []
            func find(_ start: Int) -> Piece {
                if let place = pieces.firstIndex(where: { $0.start == start }) {
                    let piece = pieces.remove(at: place)
                    pieces.append(piece)
                    return piece
                }
                let piece = Piece(start: start)
                piece.arrival.enter()
                pieces.append(piece)
                new.append(piece)
                return piece
            }
            let follows = start == 0 || pieces.contains { $0.start == start - Self.pieceSize }
            let isNew = !pieces.contains { $0.start == start }
            let piece = find(start)
            if follows, isNew {
                for number in 1...Self.most.ahead where start + number * Self.pieceSize < size {
                    _ = find(start + number * Self.pieceSize)
                }
            }
            while pieces.count > Self.most.kept { pieces.removeFirst() }
            return (piece, new)
        }
        for other in new where other !== piece {
            // Without a thread, it is read by the caller.
            do throws(Failure) { try startThread { [self] in fetch(other) } } catch { fetch(other) }
        }
        if new.first === piece { fetch(piece) }
        return piece
    }

    private func fetch(_ piece: Piece) {
        let count = min(Self.pieceSize, size - piece.start)
        let outcome = Result { () throws(Failure) in
            let buffer = try OutputBuffer(capacity: count)
            try origin.fill(buffer.memory.extracting(..<count), from: UInt64(piece.start))
            return buffer.finish(count: count)
        }
        piece.outcome.withLock { $0 = outcome }
        piece.arrival.leave()
    }
}
