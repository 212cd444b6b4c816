internal import DequeModule
internal import SystemPackage

/// Decides when each of a sequence of writes is asked for.
///
/// After a failed write, Dispatch goes on with the others that it was asked for. An output that is kept must not get
/// bytes after a gap: there the next write is asked for when the one before it is done.
struct WriteRequests {
    struct Request {
        /// All bytes, or those that are left after a disk was full.
        var bytes: Bytes
        /// Bytes to skip before them.
        let hole: UInt64
        /// Bytes of both.
        let count: Int
        let whenDone: @Sendable (Errno?) -> Void

        init(_ bytes: Bytes, after hole: UInt64, whenDone: @escaping @Sendable (Errno?) -> Void) {
            (self.bytes, self.hole, self.whenDone) = (bytes, hole, whenDone)
            count = bytes.count + Int(clamping: hole)
        }
    }

    /// How many writes may be under way.
    private let most: Int
    private var waiting: Deque<Request> = []
    private var underWay = 0
    /// Bytes of the writes that have succeeded, with the holes before them.
    private(set) var written: UInt64 = 0
    /// Ends all writing; nil before anything failed.
    var failure: Errno?

    /// - Parameter areThrownAway: whether the output is discarded after a failure.
    init(areThrownAway: Bool) { most = areThrownAway ? .max : 1 }

    mutating func append(_ request: Request) { waiting.append(request) }

    /// The next one to ask for now.
    mutating func next() -> Request? {
        guard underWay < most, let request = waiting.popFirst() else { return nil }
        underWay += 1
        return request
    }

    mutating func didEnd(_ count: Int) {
        underWay -= 1
        written += UInt64(count)
    }

    /// - Returns: the first failure, and the requests that will never be asked for.
    mutating func didFail(_ error: Errno) -> (cause: Errno, dropped: [Request]) {
        underWay -= 1
        let cause = failure ?? error
        failure = cause
        defer { waiting = [] }
        return (cause, Array(waiting))
    }
}
