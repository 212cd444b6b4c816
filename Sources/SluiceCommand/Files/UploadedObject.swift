import SluiceEngine

/// An object of a store that is there only after `commit`. Unless it is called, nothing remains of what was sent.
struct UploadedObject: ~Copyable {
    let upload: ObjectUpload

    /// Asks the store whether there is an object of that name.
    ///
    /// - Parameters:
    ///   - path: that stands for its URL.
    ///   - note: for a later run to continue the upload; nil if none does that.
    ///   - size: of the source; nil if it is not known.
    ///   - monitor: receives what is sent.
    ///   - latch: fails when parts can't be sent.
    ///   - memory: of the run, of which parts take some.
    ///   - asking: asks before an object is replaced; nil to refuse instead.
    init(
        _ path: FilePath, note: UploadNote? = nil, ofSize size: UInt64?, _ settings: Settings, _ monitor: Monitor,
        _ latch: FailureLatch, _ memory: MemoryLimit?, asking: Console?
    ) throws(Complaint) {
        let plan = try settings.partPlan(of: size, available: memory?.limit?.bytes)
        do throws(Failure) {
            let object = try settings.input.remote.written(path, type: settings.objectType)
            // Until the upload is watched.
            let number = latch.onFailure { object.cancel() }
            defer { latch.forget(number) }
            upload = try ObjectUpload(
                object, plan, note: note, isReplacing: settings.isForced, asksAnyway: settings.verification.readsBack,
                report: { event in
                    switch event {
                    case .sent(let bytes, let attempts, let start, let end):
                        monitor.record(
                            StageSpan(stage: .upload, bytes: bytes, source: attempts - 1, start: start, end: end))
                    }
                },
                didFail: { latch.fail($0) },
                mayReplace: { asking?.confirms("\(path.printable) already exists; replace it (y/n)?") ?? false })
        } catch {
            guard error.code == .fileExists else { throw Complaint(error, source: path) }
            throw Complaint(path, "\(error)", hint: "-f replaces it")
        }
    }

    deinit { upload.abandon() }

    /// Makes the object.
    ///
    /// - Parameter didSend: takes how many bytes of an object that is one request are on their way, of how many.
    consuming func commit(didSend: @escaping @Sendable (Int, Int) -> Void) throws(Failure) {
        try upload.complete(didSend: didSend)
    }
}
