package import ByteStreams
internal import Dispatch
internal import Glibc
package import RemoteSources
internal import Synchronization
internal import SystemPackage

/// The end of an upload: the object is made, or nothing remains.
extension ObjectUpload {
    /// Makes the object.
    ///
    /// - Throws: `fileExists` if somebody else has made it in the meantime; `writing`.
    package func complete() throws(Failure) {
        try check()
        if state.withLock({ $0.parts }) != nil { try end(after: 0, of: 0) }
        let only = current.withLock { $0.take() }
        _ = try requesting { () throws(Failure) in
            guard let only else { return try make(RequestContent([])) }
            return try make(object.content(only.memory, count: only.count))
        }
        queue.close(dropping: true)
        sending.wait()
        // A signal came while the store made the object. Whoever ended the upload says so.
        if state.withLock({ $0.late }) != nil { throw .cancelled }
    }

    /// Makes the object under the condition that protects another one, as far as the store knows it.
    private func make(_ only: RequestContent) throws(Failure) -> WrittenObject.Stored {
        if isReplacing {
            // Somebody may have made one since then, which is not removed with ours.
            if asksAnyway {
                let now = try lookAgain()
                state.withLock { if now != .absent { $0.found = now } }
            }
            return try make(only, .any)
        }
        let wasAbsent = state.withLock { $0.found } == .absent
        // Some stores pass over the condition.
        if wasAbsent, try lookAgain() == .other { throw .objectExists(isNew: true) }
        do throws(Failure) { return try make(only, .absent) } catch {
            guard error == .conditionUnknown else { throw error }
            guard wasAbsent, try object.look() == .absent else {
                throw Failure(
                    .writing,
                    "the store does not know If-None-Match, and the key may not ask whether the object "
                        + "exists: only -f writes it, and replaces what is there")
            }
            return try make(only, .any)
        }
    }

    /// What there is. Hours of work are not lost because a store that has begun the upload does not answer this.
    private func lookAgain() throws(Failure) -> WrittenObject.Found {
        do throws(Failure) { return try object.look() } catch {
            guard error.code == .remote else { throw error }
            return .unknown
        }
    }

    private func make(
        _ only: RequestContent, _ condition: WrittenObject.Condition
    ) throws(Failure) -> WrittenObject.Stored {
        // Before anyone knows that there is something to wait for.
        asking.enter()
        defer { asking.leave() }
        try ask(.making)
        let (parts, sent) = state.withLock { state in (state.parts, state.sent.sorted { $0.number < $1.number }) }
        do throws(Failure) {
            let stored = try makeObject(only, condition, parts, sent)
            state.withLock { state in
                state.question = nil
                if case .open = state.phase { state.phase = .completed(stored) } else { state.late = stored }
            }
            return stored
        } catch {
            if !error.isOpen, error != .cancelled { state.withLock { $0.question = nil } }
            throw error
        }
    }

    private func makeObject(
        _ only: RequestContent, _ condition: WrittenObject.Condition, _ parts: WrittenObject.Parts?,
        _ sent: [WrittenObject.Part]
    ) throws(Failure) -> WrittenObject.Stored {
        guard let parts else {
            let start = DispatchTime.now().uptimeNanoseconds
            if only.count == 0 { noteSent() }
            let stored = try object.put(only, condition) { [self] in if $0 >= only.count { noteSent() } }
            let end = DispatchTime.now().uptimeNanoseconds
            report(.sent(bytes: only.count, attempts: stored.attempts, start: start, end: end))
            return stored
        }
        noteSent()
        guard sent.map(\.number).elementsEqual(1..<sent.count + 1) else {
            throw Failure(.writing, "parts of the object are missing")
        }
        do throws(Failure) { return try object.complete(parts, of: sent, condition) } catch {
            guard error == .partRefused, !plan.isEven(sent.count) else { throw error }
            throw Failure(.writing, "\(error.message): this store may want parts of one size (--upload-part=SIZE)")
        }
    }

    private func noteSent() { state.withLock { $0.isSent = true } }

    /// Ends the upload unless the object was made, and waits until the store has answered, for two seconds at most.
    package func abandon() {
        fail(.cancelled)
        ending.wait()
        if let due = state.withLock({ $0.due.take() }) { carryOut(due) }
    }

    /// The object that was made, to read it back.
    ///
    /// - Throws: `remoteChanged` if it is another one by now; `remote`, `notFound`.
    package func open() throws(Failure) -> RemoteFile {
        guard let stored else { throw .cancelled }
        return try object.open(stored)
    }

    /// Tells what has become of the object.
    package func tell(_ sentence: String) { object.tell(sentence) }

    /// Removes the object that was made, unless it replaced another one, or has been replaced itself.
    ///
    /// - Returns: whether it was removed.
    package func remove() throws(Failure) -> Bool {
        guard state.withLock({ $0.found }) == .absent, let stored, case .own(let now) = try object.look(),
            stored.tag == nil || stored.hasTag(now.tag)
        else { return false }
        try object.remove()
        return true
    }

    /// Records why nothing more is sent, and begins to end the upload.
    ///
    /// - Returns: whether this call is the one that ends it.
    @discardableResult
    func fail(_ failure: Failure) -> Bool {
        // Before others see the failure, and wait for the end.
        ending.enter()
        defer { ending.leave() }
        let due = state.withLock { state -> Ending? in
            guard case .open = state.phase else { return nil }
            state.phase = .ended
            state.failure = state.failure ?? failure
            return Ending(parts: state.parts, question: state.question)
        }
        guard let due else { return false }
        queue.close(dropping: true)
        // The store may do it all the same, so that its answer is waited for.
        if due.question == nil { object.cancel() }
        change.signal()
        end(due)
        return true
    }

    /// Ends the upload on a thread of its own, or leaves that to whoever waits for the end: the caller may be the one
    /// that handles signals, or one that sends.
    func end(_ due: Ending) {
        guard due.parts != nil || due.question != nil else { return }
        let isFirst = state.withLock { state in
            defer { state.isEnding = true }
            return !state.isEnding
        }
        guard isFirst else { return }
        do throws(Failure) {
            try startThread(in: ending, isSpare: true) { self.carryOut(due) }
        } catch {
            state.withLock { $0.due = due }
            // Whoever waits for the end may be waiting for this answer.
            if due.question != nil { object.cancel() }
        }
    }

    /// Tells the store that the upload has ended, and once more: a part that was under way survives the first time.
    private func carryOut(_ due: Ending) {
        let last = object.after(patience: Self.endingTime)
        let deadline = DispatchTime.now() + .seconds(Self.endingTime)
        let clock = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "sluice.ending"))
        clock.setEventHandler { last.cancel() }
        clock.schedule(deadline: deadline)
        clock.activate()
        defer { clock.cancel() }
        if due.question != nil {
            _ = asking.wait(timeout: .now() + Self.patience.answer)
            object.cancel()
            // The answer may have come just then.
            _ = asking.wait(timeout: .now() + 0.1)
        } else {
            _ = sending.wait(timeout: .now() + Self.patience.parts)
        }
        let (parts, late, isAsked) = state.withLock { state in
            (state.parts, state.late, due.question == .making && state.question != nil && state.isSent)
        }
        if late != nil { return last.tell(Self.isMade) }
        let isDiscarded = parts.map { discard($0, last, until: deadline) } ?? false
        if isAsked, !isDiscarded { tellWhetherMade(last, until: deadline) }
    }

    /// Looks for the object as long as the store may still be making it.
    private func tellWhetherMade(_ last: WrittenObject, until deadline: DispatchTime) {
        while DispatchTime.now() < deadline {
            switch try? last.look() {
            case .own?: return last.tell(Self.isMade)
            case .other?: return
            case .unknown?, nil: return last.tell(Failure.isNotTold)
            case .absent?: break
            }
            try? last.pause(0.2)
        }
        last.tell(Failure.isNotTold)
    }

    private static let isMade = "the object was made all the same"

    /// - Returns: whether there was an upload, of which no object can be made any more.
    private func discard(_ parts: WrittenObject.Parts, _ last: WrittenObject, until deadline: DispatchTime) -> Bool {
        do throws(Failure) {
            guard try last.discard(parts) else { return false }
            // Those that have not ended by now are in the middle of a digest, or of a call of the system.
            _ = sending.wait(timeout: min(deadline, .now() + Self.patience.parts))
            _ = try last.discard(parts)
            return true
        } catch {
            last.tell("an upload that is not complete may remain there: \(last.command(toEnd: parts))")
            return false
        }
    }
}
