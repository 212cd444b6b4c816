internal import ByteStreams
internal import RemoteSources
internal import Synchronization

/// An upload that a later run continues: parts that the store has are not sent again.
extension ObjectUpload {
    /// Goes on with the upload of an earlier run that would have written the same.
    func goOn(_ earlier: UploadNote.Record) throws(Failure) {
        if case .own(let stored) = state.withLock({ $0.found }) { return settle(stored) }
        switch try requesting({ () throws(Failure) in try object.find(earlier.parts) }) {
        case .there(let upload):
            state.withLock { ($0.parts, $0.earlier, $0.isNoted) = (earlier.parts, upload, true) }
            let (parts, bytes) = upload.amount
            object.notice("an upload goes on, of which the store has \(parts) parts, \(bytes) bytes")
        case .gone:
            // It may have become the object just now.
            if case .own(let stored) = try requesting({ () throws(Failure) in try object.look() }) {
                return settle(stored)
            }
            object.tell("the store does not have the upload any more that an earlier run has begun: it begins anew")
            // What the store may yet make of the old upload is not ours. The note has that until it has the new one.
            object.renewMark()
        }
    }

    /// The earlier run has made the object, and did not live to say so: what is written was written by that.
    private func settle(_ stored: WrittenObject.Stored) {
        state.withLock { $0.note(made: stored) }
        object.tell("an earlier run has made the object, of the same source and with the same options")
    }

    /// Puts an upload that has begun into the note.
    func record(_ parts: WrittenObject.Parts) throws(Failure) {
        guard let note, let prints = try note.fingerprints(of: object) else { return }
        guard parts.isWord else {
            return object.tell("the store's ID of the upload can't be noted: no later run continues it")
        }
        try note.write(
            UploadNote.Record(
                object: object.location, server: prints.server, recipe: prints.recipe, mark: object.mark, parts: parts,
                sizes: plan.sizes))
        state.withLock { $0.isNoted = true }
    }

    /// Leaves nothing for a later run if it would fail in the same way: somebody has ended the upload, the store
    /// refuses its parts, or another object is there.
    func forgettingFinal<Success>(_ body: () throws(Failure) -> Success) throws(Failure) -> Success {
        do throws(Failure) { return try body() } catch {
            if error == .uploadIsGone || error == .partRefused || error.code == .fileExists { leaveNothing() }
            throw error
        }
    }

    /// Leaves nothing for a later run: the same command would fail again, as with damaged content.
    package func leaveNothing() { state.withLock { $0.isNoted = false } }

    /// Tells of the upload that an earlier run has begun, if a request fails before it goes on.
    static func tellingLeft<Success>(
        _ note: UploadNote?, _ object: WrittenObject, _ body: () throws(Failure) -> Success
    ) throws(Failure) -> Success {
        do throws(Failure) { return try body() } catch {
            // That one says it itself.
            if error.code != .otherSource, error.code != .otherUpload, let earlier = note?.earlier {
                let other = (try? object.beside(earlier.object)) ?? object
                other.tell("the upload of an earlier run may be left there: \(other.command(toEnd: earlier.parts))")
            }
            throw error
        }
    }

    /// Tells of an upload that is left.
    func tellLeft() {
        let left = state.withLock { state -> WrittenObject.Parts? in
            state.failure != nil && state.isLeft && !state.isMadeLate ? state.parts : nil
        }
        if let left { object.tell("the upload is left: the same command continues it; \(object.command(toEnd: left))") }
        note?.removeIfEmpty()
    }
}

extension UploadNote {
    func fingerprints(of object: WrittenObject) throws(Failure) -> (server: String, recipe: String)? {
        try object.fingerprints(recipe)
    }

    /// The upload that an earlier run has begun, if it would have written the same. The object has the mark of that.
    ///
    /// - Throws: `remote` if that can't be known.
    func earlier(of object: WrittenObject) throws(Failure) -> Record? {
        guard let prints = try fingerprints(of: object) else {
            throw Failure(.remote, "--resume needs a TLS library that computes SHA-256")
        }
        guard let earlier, earlier.recipe == prints.recipe, earlier.object == object.location else { return nil }
        object.adopt(earlier.mark)
        return earlier
    }

    /// Deals with the upload of an earlier run that would have written something else: as long as it is there, nothing
    /// is begun, lest hours of sending are lost by a mistake.
    ///
    /// - Parameter mayEnd: whether it is ended, if it would have become the same object.
    /// - Throws: `otherSource` if that would end it; `otherUpload`; `remote`.
    func endOther(_ object: WrittenObject, mayEnd: Bool) throws(Failure) {
        guard let earlier else { return }
        let other = try object.beside(earlier.object)
        let isHere = try other.fingerprints("")?.server == earlier.server
        let isSame = isHere && earlier.object == object.location
        let sentence =
            "the upload of an earlier run of another source, with other options or to another "
            + (isHere ? "object" : "server")
        let remedy = "\(other.command(toEnd: earlier.parts)); without \(path.printable) it is forgotten"
        guard mayEnd, isSame else {
            if isHere, case .gone = try other.find(earlier.parts) { return }
            let name = isSame ? "" : ", \(earlier.object.name),"
            throw Failure(isSame ? .otherSource : .otherUpload, "\(sentence)\(name) is not complete: \(remedy)")
        }
        do throws(Failure) {
            if try other.discard(earlier.parts) { other.tell("\(sentence) is ended") }
        } catch {
            if error == .cancelled { throw error }
            throw Failure(.otherUpload, "\(sentence) could not be ended (\(error)): \(remedy)")
        }
    }
}
