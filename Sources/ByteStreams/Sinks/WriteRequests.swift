internal import DequeModule
internal import SystemPackage

/// Writes that are to be asked for, one behind the other, and when.
///
/// After a write that failed, Dispatch goes on with those that it was asked for. What is not thrown away then must not
/// get bytes behind a gap: there the next write is asked for when the one before it is done.
///
/// A value: it waits for nothing.
struct WriteRequests {
    /// Bytes that are to be written behind those before them.
    struct Request {
        /// All of them, or those that have found no room yet.
        var bytes: Bytes
        /// Bytes to leave out before them.
        let hole: UInt64
        /// How far the file goes on with them, in bytes.
        let count: Int
        /// Runs when they are written, or with the error when they never will be.
        let whenDone: @Sendable (Errno?) -> Void

        init(_ bytes: Bytes, after hole: UInt64, whenDone: @escaping @Sendable (Errno?) -> Void) {
            (self.bytes, self.hole, self.whenDone) = (bytes, hole, whenDone)
            count = bytes.count + Int(clamping: hole)
        }
    }

    /// How many may have been asked for and not be done.
    private let most: Int
    private var waiting: Deque<Request> = []
    private var underWay = 0
    /// Why nothing is written any more; nil before a write failed.
    private(set) var failure: Errno?

    /// - Parameter areThrownAway: whether nothing that was written stays after a failure.
    init(areThrownAway: Bool) {
        most = areThrownAway ? .max : 1
    }

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
    mutating func didFail(_ error: Errno) -> [Request] {
        underWay -= 1
        failure = failure ?? error
        defer { waiting = [] }
        return Array(waiting)
    }
}
