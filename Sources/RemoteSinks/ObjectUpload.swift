package import ByteStreams
internal import Dispatch
internal import Glibc
package import RemoteSources
internal import Synchronization
internal import SystemPackage

/// Writes an object of a store: gathers the output into parts, sends these on several connections, and makes the object
/// of them when `complete` is called. Before that there is no object, and unless it is called, nothing remains.
///
/// An output that fits one part is sent when the object is made, with one request.
package final class ObjectUpload: ByteSink {
    /// What the run is told while it goes on.
    package enum Event: Sendable {
        /// A part is there: its bytes, how often it was sent, and from when to when, in nanoseconds.
        case sent(bytes: Int, attempts: Int, start: UInt64, end: UInt64)
    }

    /// A part, with the pieces that end in it.
    struct Part: Sendable {
        let number: Int
        let memory: HeapMemory
        let size: Int
        var count = 0
        var writes: [(end: Int, write: WriteCount.Write)] = []

        /// Counts what ends before this place as written.
        mutating func end(upTo place: Int) {
            let ended = writes.prefix { $0.end <= place }
            for (_, write) in ended { write.end() }
            writes.removeFirst(ended.count)
        }
    }

    /// A question whose answer counts even if the run has failed meanwhile.
    enum Question { case beginning, making }

    /// What is to be done when the run has failed.
    struct Ending {
        /// Of the upload; nil if there is none, or the store has not told yet.
        let parts: WrittenObject.Parts?
        /// What the store was asked, and has not told.
        let question: Question?
    }

    enum Phase {
        case open
        case completed(WrittenObject.Stored)
        /// No request follows but those that end the upload.
        case ended
    }

    struct State {
        var phase = Phase.open
        var failure: Failure?
        var parts: WrittenObject.Parts?
        var sent: [WrittenObject.Part] = []
        /// Bytes of the parts that are handed to the threads.
        var inFlight = 0
        var threads = 0
        /// Whether somebody ends the upload.
        var isEnding = false
        /// How it is to be ended by whoever waits for the end, since no thread is there for it.
        var due: Ending?
        /// What the store is being asked, or did not tell.
        var question: Question?
        /// Whether all of the request that makes the object has been on its way: before that the store can't make it.
        var isSent = false
        /// What the store has made, though the run had ended meanwhile.
        var late: WrittenObject.Stored?
        /// What the store had before, as it said when it was last asked.
        var found = WrittenObject.Found.unknown
    }

    /// Seconds within which an upload is ended, if its store answers at all.
    package static let endingTime = 2
    /// Seconds of these in which requests under way may end by themselves: parts that are sent, and the object.
    static let patience = (parts: 0.5, answer: 1.0)

    let object: WrittenObject
    let plan: PartPlan
    let report: @Sendable (Event) -> Void
    /// Told why parts can't be sent.
    private let didFail: @Sendable (Failure) -> Void
    let isReplacing: Bool
    /// Whether it matters what is replaced.
    let asksAnyway: Bool
    let state = Mutex(State())
    let queue = WorkQueue<Part>()
    /// Wakes the writer when a part is there, or the upload has failed.
    let change = DispatchSemaphore(value: 0)
    let sending = DispatchGroup()
    /// Until the store has answered the question.
    let asking = DispatchGroup()
    let ending = DispatchGroup()
    /// The part that is being filled. Only the writer's thread uses it, and whoever completes the object after that.
    let current = Locked<Part?>(nil)

    /// Asks whether the object is there, unless it may be replaced.
    ///
    /// - Parameters:
    ///   - mayReplace: called if it is; returns whether it may be replaced all the same.
    ///   - asksAnyway: whether to ask also if it may be replaced, and again before that, so that `remove` knows.
    ///   - report: told what happens.
    ///   - didFail: told why parts can't be sent, as soon as that is known; called on any thread.
    /// - Throws: `fileExists`; `remote` if the store refuses the question for another reason than the key.
    package init(
        _ object: WrittenObject, _ plan: PartPlan, isReplacing: Bool, asksAnyway: Bool = false,
        report: @escaping @Sendable (Event) -> Void = { _ in },
        didFail: @escaping @Sendable (Failure) -> Void = { _ in }, mayReplace: () -> Bool = { false }
    ) throws(Failure) {
        (self.object, self.plan, self.report, self.didFail) = (object, plan, report, didFail)
        try object.checkLines()
        self.asksAnyway = asksAnyway
        let found = isReplacing && !asksAnyway ? .unknown : try object.look()
        let isInTheWay = found == .other && !isReplacing
        if isInTheWay, !mayReplace() { throw .objectExists(isNew: false) }
        self.isReplacing = isReplacing || isInTheWay
        state.withLock { $0.found = found }
    }

    /// The most bytes of parts that are in memory.
    package var memory: Int { plan.most }

    /// What the store has made; nil before that.
    package var stored: WrittenObject.Stored? {
        state.withLock { if case .completed(let stored) = $0.phase { stored } else { nil } }
    }

    package func write(_ piece: consuming Piece) throws(Failure) {
        var rest = piece.bytes
        while !rest.isEmpty {
            var part = try takePart()
            let bytes = rest.removeFirst(min(rest.count, part.size - part.count))
            bytes.copy(to: part.memory.writable.extracting(part.count...))
            part.count += bytes.count
            if rest.isEmpty, let write = piece.write { part.writes.append((part.count, write)) }
            current.withLock { [part] in $0 = part }
        }
        try check()
    }

    /// Waits until the parts are there. The only one stays here.
    package func end(after hole: UInt64, of written: UInt64) throws(Failure) {
        try check()
        guard state.withLock({ $0.parts }) != nil else {
            return current.withLock { $0?.end(upTo: .max) }
        }
        if let last = current.withLock({ $0.take() }) { try hand(last) }
        while state.withLock({ $0.inFlight > 0 && $0.failure == nil }) { change.wait() }
        try check()
    }

    /// Ends all requests, and the upload. Any thread may call it, and none waits.
    package func cancel() {
        // An object that was made stays, and is not read back any more.
        if !fail(.cancelled), stored != nil { object.cancel() }
    }

    /// The most bytes of the object; nil if that is more than a tebibyte or so, or the size of its parts was asked for.
    package var scarceCapacity: UInt64? { plan.scarceCapacity }
}

/// The parts.
extension ObjectUpload {
    /// The part that is not full, or the next one.
    private func takePart() throws(Failure) -> Part {
        try check()
        let part = current.withLock { $0.take() }
        guard let part else { return try makePart(1) }
        if part.count < part.size { return part }
        if state.withLock({ $0.parts }) == nil { try begin() }
        let number = part.number + 1
        try hand(part)
        return try makePart(number)
    }

    private func begin() throws(Failure) {
        asking.enter()
        defer { asking.leave() }
        try ask(.beginning)
        let parts = try requesting { () throws(Failure) in try object.begin() }
        state.withLock { ($0.parts, $0.question) = (parts, nil) }
        try check()
    }

    /// Notes what the store is asked, so that whoever ends the run waits for the answer.
    ///
    /// - Throws: why nothing is asked any more.
    func ask(_ question: Question) throws(Failure) {
        try state.withLock { state throws(Failure) in
            guard case .open = state.phase else { throw state.failure ?? .cancelled }
            state.question = question
        }
    }

    /// Waits until there is memory for the next part.
    private func makePart(_ number: Int) throws(Failure) -> Part {
        guard let size = plan.size(of: number) else { throw Failure(.writing, plan.refusal) }
        while true {
            try check()
            let isFree = state.withLock { $0.inFlight == 0 || $0.inFlight + size <= plan.room(for: size) }
            if isFree { break }
            change.wait()
        }
        guard let memory = malloc(size) else { throw .outOfMemory }
        let room = UnsafeMutableRawBufferPointer(start: memory, count: size)
        return Part(number: number, memory: HeapMemory(room), size: size)
    }

    /// Hands a part to a thread that sends it.
    private func hand(_ part: Part) throws(Failure) {
        let most = plan.connections(for: part.size)
        let isNew = state.withLock { state in
            state.inFlight += part.size
            let isNew = state.failure == nil && state.threads < most
            if isNew { state.threads += 1 }
            return isNew
        }
        queue.push(part)
        guard isNew else { return }
        let isSpare = state.withLock { $0.threads > 1 }
        do throws(Failure) {
            try startThread(in: sending, isSpare: isSpare) { self.sendParts() }
            // Not before: the only one would end for others that are not there.
            queue.didStartThread()
        } catch {
            let others = state.withLock { state in
                state.threads -= 1
                return state.threads
            }
            if others == 0 {
                fail(error)
                throw error
            }
        }
    }

    private func sendParts() {
        defer { state.withLock { $0.threads -= 1 } }
        while let size = sendNext() {
            state.withLock { $0.inFlight -= size }
            change.signal()
        }
    }

    /// Sends a part, whose memory is free afterwards.
    ///
    /// - Returns: its size; nil if no part comes any more.
    private func sendNext() -> Int? {
        guard let part = queue.pop() else { return nil }
        do throws(Failure) { try send(part) } catch {
            let failure = Self.written(error)
            if fail(failure), failure != .cancelled { didFail(failure) }
        }
        return part.size
    }

    private func send(_ part: Part) throws(Failure) {
        guard let parts = state.withLock({ $0.failure == nil ? $0.parts : nil }) else { return }
        let (start, rest) = (DispatchTime.now().uptimeNanoseconds, Locked(part))
        let content = object.content(part.memory, count: part.count)
        let sent = try object.send(content, as: part.number, of: parts) { count in
            rest.withLock { $0.end(upTo: count - 1) }
        }
        rest.withLock { $0.end(upTo: .max) }
        state.withLock { $0.sent.append(sent) }
        let end = DispatchTime.now().uptimeNanoseconds
        report(.sent(bytes: part.count, attempts: sent.attempts, start: start, end: end))
    }

    func check() throws(Failure) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// A failure of the store, as one to write.
    private static func written(_ failure: Failure) -> Failure {
        switch failure.code {
        case .remote, .remoteChanged, .notFound:
            Failure(.writing, failure.message, cause: failure.cause)
        default: failure
        }
    }

    func requesting<Success>(_ body: () throws(Failure) -> Success) throws(Failure) -> Success {
        do throws(Failure) { return try body() } catch { throw Self.written(error) }
    }
}
