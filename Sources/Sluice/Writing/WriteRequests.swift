internal import DequeModule

/// Writes that are to be asked for, one behind the other, and when.
///
/// After a write that failed, Dispatch goes on with those that it was asked for. What is not thrown away then must not
/// get bytes behind a gap: there the next write is asked for when the one before it is done.
///
/// A value: it waits for nobody.
struct WriteRequests {
    /// Bytes that are to be written behind those before them.
    struct Request {
        let bytes: Bytes
        /// Bytes that are left out before them.
        let hole: UInt64
        let isPiece: Bool
        let made = Span.now()
        /// To be run when they are written and their memory is free, or when they never will be.
        let whenFree: @Sendable () -> Void
    }

    /// How many may have been asked for and not be done.
    private let most: Int
    private var waiting: Deque<Request> = []
    private var underWay = 0
    /// Whether a write failed: no byte may go behind what is missing then.
    private(set) var hasFailed = false

    /// - Parameter areThrownAway: whether nothing that was written stays after a failure.
    init(areThrownAway: Bool) {
        most = areThrownAway ? .max : 1
    }

    /// Whether everything that came is done.
    var isEmpty: Bool { waiting.isEmpty && underWay == 0 }

    mutating func append(_ request: Request) { waiting.append(request) }

    /// The next that is to be asked for now.
    mutating func next() -> Request? {
        guard underWay < most, let request = waiting.popFirst() else { return nil }
        underWay += 1
        return request
    }

    /// One that was asked for is done.
    mutating func didEnd() { underWay -= 1 }

    /// One that was asked for has failed.
    ///
    /// - Returns: those that will never be asked for.
    mutating func didFail() -> [Request] {
        underWay -= 1
        hasFailed = true
        defer { waiting = [] }
        return Array(waiting)
    }
}
