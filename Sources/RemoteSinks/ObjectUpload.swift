package import ByteStreams
internal import Dispatch
internal import Glibc
package import RemoteSources
internal import Synchronization
internal import SystemPackage

/// Writes an object of a store: gathers the output into parts, sends these on several connections, and makes the object
/// of them when `complete` is called. Before that there is no object, and unless it is called, nothing remains.
///
/// An output that fits one part is sent when the object is made, with one request. With a note, an upload that has
/// parts stays when the run fails, for a later one to continue.
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
        mutating func noteWritten(upTo place: Int) {
            let ended = writes.prefix { $0.end <= place }
            for (_, write) in ended { write.end() }
            writes.removeFirst(ended.count)
        }
    }

    /// A question whose answer counts even if the run has failed meanwhile.
    enum Question: Equatable {
        case beginning
        /// Whether all of the request has been on its way: before that the store can't make the object.
        case making(isSent: Bool)
    }

    /// What is to be done when the run has failed.
    struct Ending {
        /// Of the upload; nil if there is none, or the store has not told yet.
        let parts: WrittenObject.Parts?
        /// What the store was asked, and has not told.
        let question: Question?
    }

    enum Phase {
        case open
        case made(WrittenObject.Stored)
        /// No request follows but those that end the upload. The store may have made the object all the same.
        case failed(Failure, made: WrittenObject.Stored?)
    }

    struct State {
        var phase = Phase.open
        var parts: WrittenObject.Parts?
        var sent: [WrittenObject.Part] = []
        /// Bytes of the parts that are handed to the threads.
        var inFlight = 0
        var threads = 0
        /// How it is to be ended by whoever waits for the end, since no thread is there for it.
        var due: Ending?
        /// What the store is being asked, or did not tell.
        var question: Question?
        /// What the store had before, as it said when it was last asked.
        var found = WrittenObject.Found.unknown
        /// Whether a note has the upload, and a later run may fare better.
        var isNoted = false
        /// What the store has of the upload that an earlier run has begun; nil if this run has begun it.
        var earlier: UnfinishedUpload?

        var failure: Failure? { if case .failed(let failure, _) = phase { failure } else { nil } }
        /// Whether the store has made the object, though the run had failed meanwhile.
        var isMadeLate: Bool { if case .failed(_, _?) = phase { true } else { false } }

        /// Notes that the store has made the object.
        mutating func note(made stored: WrittenObject.Stored) {
            phase = if case .failed(let failure, _) = phase { .failed(failure, made: stored) } else { .made(stored) }
        }

        /// Whether the upload is left for a later run. One that is not there yet, or has no part, is not worth that.
        var isLeft: Bool { isNoted && parts != nil && (earlier != nil || !sent.isEmpty) }
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
    /// Has what a later run needs to continue the upload; nil if none does that.
    let note: UploadNote?
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

    /// Asks whether the object is there, unless it may be replaced. With a note, asks what has become of the upload
    /// that an earlier run has begun: if that would write the same, it goes on. Another one is ended if objects may be
    /// replaced, and is else in the way.
    ///
    /// - Parameters:
    ///   - note: for a later run, or of an earlier one.
    ///   - mayReplace: called if it is; returns whether it may be replaced all the same.
    ///   - asksAnyway: whether to ask also if it may be replaced, and again before that, so that `remove` knows.
    ///   - report: told what happens.
    ///   - didFail: told why parts can't be sent, as soon as that is known; called on any thread.
    /// - Throws: `fileExists`; `otherSource` or `otherUpload` if another upload is in the way; `remote` if the store
    ///   refuses the question for another reason than the key.
    package init(
        _ object: WrittenObject, _ plan: PartPlan, note: UploadNote? = nil, isReplacing: Bool,
        asksAnyway: Bool = false, report: @escaping @Sendable (Event) -> Void = { _ in },
        didFail: @escaping @Sendable (Failure) -> Void = { _ in }, mayReplace: () -> Bool = { false }
    ) throws(Failure) {
        (self.object, self.note, self.report, self.didFail) = (object, note, report, didFail)
        try object.checkLines()
        let earlier = try note?.earlier(of: object)
        self.plan = earlier.map { plan.with($0.sizes) } ?? plan
        self.asksAnyway = asksAnyway
        // The object of an earlier run is asked for also if it may be replaced: its upload need not be looked for.
        let isAsked = !isReplacing || asksAnyway || earlier != nil
        let (found, isInTheWay) = try Self.tellingLeft(note, object) { () throws(Failure) in
            let found: WrittenObject.Found = if isAsked { try object.look() } else { .unknown }
            let isInTheWay = found == .other && !isReplacing
            if isInTheWay, !mayReplace() { throw .objectExists(isNew: false) }
            return (found, isInTheWay)
        }
        self.isReplacing = isReplacing || isInTheWay
        state.withLock { $0.found = found }
        try Self.tellingLeft(note, object) { () throws(Failure) in
            if let earlier { try goOn(earlier) } else { try note?.endOther(object, mayEnd: isReplacing) }
        }
    }

    /// The most bytes of parts that are in memory.
    package var memory: Int { plan.most }

    /// What the store has made; nil before that.
    package var stored: WrittenObject.Stored? {
        state.withLock { if case .made(let stored) = $0.phase { stored } else { nil } }
    }

    package func write(_ piece: consuming Piece) throws(Failure) {
        if stored != nil {
            piece.write?.end()
            return
        }
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
        if stored != nil { return }
        guard state.withLock({ $0.parts }) != nil else {
            return current.withLock { $0?.noteWritten(upTo: .max) }
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
        try expectAnswer(to: .beginning)
        let parts = try requesting { () throws(Failure) in try object.begin() }
        state.withLock { ($0.parts, $0.question) = (parts, nil) }
        try record(parts)
        try check()
    }

    /// Notes what the store is asked, so that whoever ends the run waits for the answer.
    ///
    /// - Throws: why nothing is asked any more.
    func expectAnswer(to question: Question) throws(Failure) {
        try state.withLock { state throws(Failure) in
            guard case .open = state.phase else { throw state.failure ?? .cancelled }
            state.question = question
        }
    }

    /// Waits until there is memory for the next part.
    private func makePart(_ number: Int) throws(Failure) -> Part {
        guard let size = plan.size(of: number) else {
            leaveNothing()
            throw Failure(.writing, plan.refusal)
        }
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
        if let kept = state.withLock({ $0.earlier })?.part(
            part.number, with: content, of: parts)
        {
            rest.withLock { $0.noteWritten(upTo: .max) }
            return state.withLock { $0.sent.append(kept) }
        }
        let sent = try forgettingFinal { () throws(Failure) in
            try object.send(content, as: part.number, of: parts) { count in
                rest.withLock { $0.noteWritten(upTo: count - 1) }
            }
        }
        rest.withLock { $0.noteWritten(upTo: .max) }
        state.withLock { $0.sent.append(sent) }
        let end = DispatchTime.now().uptimeNanoseconds
        report(.sent(bytes: part.count, attempts: sent.attempts, start: start, end: end))
    }

    func check() throws(Failure) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// A failure of the store, as one to write.
    static func written(_ failure: Failure) -> Failure {
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
