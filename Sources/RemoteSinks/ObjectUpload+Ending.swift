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
    /// - Parameter didSend: takes how many bytes of an object that is one request are on their way, of how many; they
    ///   may begin anew. Called on any thread.
    /// - Throws: `fileExists` if somebody else has made it in the meantime; `writing`.
    package func complete(
        didSend: @escaping @Sendable (_ sent: Int, _ all: Int) -> Void = { _, _ in }
    ) throws(Failure) {
        try check()
        if let stored {
            try requesting { () throws(Failure) in try confirm(stored) }
            note?.remove()
            return
        }
        if state.withLock({ $0.parts }) != nil { try end(after: 0, of: 0) }
        let only = current.withLock { $0.take() }
        do throws(Failure) {
            let content =
                if let only { object.content(only.memory, count: only.count) } else { try RequestContent([]) }
            _ = try forgettingFinal { () throws(Failure) in
                try makeProtected(Only(content: content, didSend: didSend))
            }
        } catch {
            throw Self.written(error)
        }
        note?.remove()
        queue.close(dropping: true)
        sending.wait()
        // A signal came while the store made the object. Whoever ended the upload says so.
        if state.withLock({ $0.isMadeLate }) { throw .cancelled }
    }

    /// Asks once more for the object of an earlier run, which was seen at the start: hours may have gone by.
    private func confirm(_ stored: WrittenObject.Stored) throws(Failure) {
        if case .own(let now) = try object.look(), stored.tag == nil || stored.hasTag(now.tag) { return }
        throw Failure(.writing, "the object that an earlier run has made was there at the start, and is not any more")
    }

    /// What an object is made of that is one request.
    private struct Only {
        let content: RequestContent
        let didSend: @Sendable (_ sent: Int, _ all: Int) -> Void
    }

    /// Makes the object under the condition that protects another one, as far as the store knows it.
    private func makeProtected(_ only: Only) throws(Failure) -> WrittenObject.Stored {
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
                leaveNothing()
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
        _ only: Only, _ condition: WrittenObject.Condition
    ) throws(Failure) -> WrittenObject.Stored {
        // Before anyone knows that there is something to wait for.
        asking.enter()
        defer { asking.leave() }
        try expectAnswer(to: .making(isSent: false))
        let (parts, sent) = state.withLock { state in (state.parts, state.sent.sorted { $0.number < $1.number }) }
        do throws(Failure) {
            let stored =
                if let parts { try join(parts, sent, condition) } else { try put(only, condition) }
            state.withLock { state in
                state.question = nil
                state.note(made: stored)
            }
            return stored
        } catch {
            if !error.isOpen, error != .cancelled { state.withLock { $0.question = nil } }
            throw error
        }
    }

    private func put(_ only: Only, _ condition: WrittenObject.Condition) throws(Failure) -> WrittenObject.Stored {
        let (start, all) = (DispatchTime.now().uptimeNanoseconds, only.content.count)
        if all == 0 { noteSent() }
        let stored = try object.put(only.content, condition) { [self] sent in
            only.didSend(sent, all)
            if sent >= all { noteSent() }
        }
        let end = DispatchTime.now().uptimeNanoseconds
        report(.sent(bytes: all, attempts: stored.attempts, start: start, end: end))
        return stored
    }

    private func join(
        _ parts: WrittenObject.Parts, _ sent: [WrittenObject.Part], _ condition: WrittenObject.Condition
    ) throws(Failure) -> WrittenObject.Stored {
        noteSent()
        guard sent.map(\.number).elementsEqual(1..<sent.count + 1) else {
            leaveNothing()
            throw Failure(.writing, "parts of the object are missing")
        }
        do throws(Failure) {
            return try forgettingFinal { () throws(Failure) in try object.complete(parts, of: sent, condition) }
        } catch {
            guard error == .partRefused, !plan.isEven(sent.count) else { throw error }
            throw Failure(.writing, "\(error.message): this store may want parts of one size (--upload-part=SIZE)")
        }
    }

    private func noteSent() { state.withLock { $0.question = .making(isSent: true) } }

    /// Ends the upload unless the object was made, and waits until the store has answered, for two seconds at most. One
    /// that has a note stays, unless `leaveNothing` was called.
    package func abandon() {
        fail(.cancelled)
        ending.wait()
        if let due = state.withLock({ $0.due.take() }) { carryOut(due) }
        tellLeft()
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
            state.phase = .failed(failure, made: nil)
            return Ending(parts: state.isLeft ? nil : state.parts, question: state.question)
        }
        guard let due else { return false }
        queue.close(dropping: true)
        // The store may do it all the same, so that its answer is waited for.
        if due.question == nil { object.cancel() }
        change.signal()
        if due.parts != nil || due.question != nil { startEnding(due) }
        return true
    }

    /// Ends the upload on a thread of its own, or leaves that to whoever waits for the end: the caller may be the one
    /// that handles signals, or one that sends.
    private func startEnding(_ due: Ending) {
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
        let (parts, isMade, isAsked) = state.withLock { state in
            let parts = state.isLeft ? nil : state.parts
            // Parts that come from now on are dropped.
            if parts != nil { state.isNoted = false }
            return (parts, state.isMadeLate, state.question == .making(isSent: true))
        }
        if isMade { return tellMade(last) }
        let isGone = parts.map { drop($0, last, until: deadline) } ?? false
        if isAsked, !isGone { tellWhetherMade(last, until: deadline) }
    }

    /// Looks for the object as long as the store may still be making it.
    private func tellWhetherMade(_ last: WrittenObject, until deadline: DispatchTime) {
        while DispatchTime.now() < deadline {
            switch try? last.look() {
            case .own(let stored)?:
                state.withLock { $0.note(made: stored) }
                return tellMade(last)
            case .other?: return
            case .unknown?, nil: return last.tell(Failure.isNotTold)
            case .absent?: break
            }
            try? last.pause(0.2)
        }
        last.tell(Failure.isNotTold)
    }

    private func tellMade(_ last: WrittenObject) {
        note?.remove()
        last.tell("the object was made all the same")
    }

    /// - Returns: whether there was an upload, of which no object can be made any more.
    private func drop(_ parts: WrittenObject.Parts, _ last: WrittenObject, until deadline: DispatchTime) -> Bool {
        do throws(Failure) {
            guard try last.discard(parts) else {
                note?.remove()
                return false
            }
            // Those that have not ended by now are in the middle of a digest, or of a call of the system.
            _ = sending.wait(timeout: min(deadline, .now() + Self.patience.parts))
            _ = try last.discard(parts, again: true)
            note?.remove()
            return true
        } catch {
            last.tell("an upload that is not complete may remain there: \(last.command(toEnd: parts))")
            return false
        }
    }
}
