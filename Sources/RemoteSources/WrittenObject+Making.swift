package import ByteStreams
internal import SystemPackage

/// The request that makes the object, and what its answers mean.
extension WrittenObject {
    /// What the refusal of a request that makes the object means, by its status or, within a success, by its word.
    private enum Refusal {
        /// Another object is there.
        case exists
        /// Another request is under way.
        case conflict
        /// There is no such upload any more.
        case gone
        /// The store does not know the condition.
        case conditionUnknown
        /// It may be right the next time.
        case passing
        case other

        init(_ header: AnswerHeader) {
            self =
                switch (header.status, header.errorCode) {
                case (412, _), (_, "PreconditionFailed"): .exists
                case (409, _), (_, "ConditionalRequestConflict"): .conflict
                case (404, _), (_, "NoSuchUpload"): .gone
                case (501, _), (_, "NotImplemented"):
                    // Of a storage class, for example.
                    Self.isOfCondition(header) ?? true ? .conditionUnknown : .other
                case (_, "InvalidArgument") where Self.isOfCondition(header) == true: .conditionUnknown
                case (200..<300, let code) where code.map(RemoteClient.mayPass) ?? true: .passing
                default: .other
                }
        }

        /// Nil if the refusal does not say of which line it is.
        private static func isOfCondition(_ header: AnswerHeader) -> Bool? {
            header.errorArgument.map { $0.lowercased() == "if-none-match" }
        }
    }

    /// Makes the object by a request, again where it failed because of another one or of the store, and looks for it
    /// where no answer says what came of it.
    ///
    /// - Parameter stored: what a success says; nil if that is nothing of use.
    func make(
        by message: Message, _ condition: Condition, _ didSend: @escaping (Int) -> Void = { _ in },
        _ stored: (AnswerHeader, [UInt8]) throws(Failure) -> Stored?
    ) throws(Failure) -> Stored {
        // Whether the store may have carried out a request of which no answer tells.
        var isOpen = true
        do throws(Failure) {
            for failures in 0...Self.mostFailures {
                isOpen = true
                var (header, answer) = try ask(message, didSend)
                isOpen = header.attempts + failures > 1
                if 200..<300 ~= header.status {
                    if var stored = try stored(header, answer) {
                        stored.attempts = header.attempts + failures
                        return stored
                    }
                    header.addError(answer)
                }
                if let stored = try settle(header, condition, after: failures) { return stored }
                try pause(Double(1 << failures) / 4)
            }
            throw .cancelled
        } catch {
            let isTold = error == .conditionUnknown || error == .writtenElsewhere
            guard error.code == .remote, !isTold, !error.isOpen, !client.isCancelled else { throw error }
            switch try? look() {
            case .own(let stored)?: return stored
            case .other?: throw error
            // It may be there in a moment.
            case .absent?: throw isOpen ? .open(error.message) : error
            case .unknown?, nil: throw isOpen ? .open("\(error.message); \(Failure.isNotTold)") : error
            }
        }
    }

    /// What a refusal of the request that makes the object comes to: an earlier attempt may have made it, whose answer
    /// was lost.
    ///
    /// - Parameter failures: how many answers have said before that the object was not made.
    /// - Returns: nil if the request is to be made once more: another one was in the way.
    private func settle(
        _ header: AnswerHeader, _ condition: Condition, after failures: Int
    ) throws(Failure) -> Stored? {
        let meaning = Refusal(header)
        let protects = if case .absent = condition { true } else { false }
        if [.exists, .conflict, .gone].contains(meaning) {
            switch try look() {
            case .own(let stored): return stored
            case .other: if protects, meaning != .gone { throw .objectExists(isNew: true) }
            case .unknown:
                // The first attempt says what the store refuses; a later one may be refused because of an earlier one.
                if header.attempts + failures > 1, meaning != .conflict { throw .open(Failure.isNotTold) }
            case .absent:
                // An earlier attempt, whose answer was lost, may still be putting the parts together.
                if header.attempts + failures > 1, meaning == .gone {
                    if failures < Self.mostFailures { return nil }
                    throw .open(Failure.isNotTold)
                }
            }
        }
        switch meaning {
        case .conflict, .passing: if failures < Self.mostFailures { return nil }
        case .exists: if protects { throw .objectExists(isNew: true) }
        case .conditionUnknown: if protects { throw .conditionUnknown }
        case .gone, .other: break
        }
        throw refusal(header)
    }

    func refusal(_ header: AnswerHeader) -> Failure {
        let status = "status \(header.status)" + (header.errorCode.map { ", \($0)" } ?? "")
        return switch (header.status, header.errorCode) {
        case (_, "NoSuchUpload"): .uploadIsGone
        case (404, "NoSuchBucket"), (404, nil): .remote("there is no such bucket (\(status))")
        case (_, "InvalidPart"): .partRefused
        case (404, _), (409, _), (412, _): .remote("the store answered with \(status)")
        default: .refusal(header)
        }
    }
}

extension Failure {
    /// - Parameter isNew: whether it was not there when the run began.
    package static func objectExists(isNew: Bool) -> Failure {
        let sentence = isNew ? "was created meanwhile" : "already exists"
        return Failure(.fileExists, "\(sentence): not replaced", cause: Errno.fileExists)
    }

    /// An answer was lost, and nothing tells what came of the request.
    package static let isNotTold = "the store does not tell whether the object was made"

    private struct Open: Error {}

    /// A failure after which the object may be there all the same, now or in a moment.
    static func open(_ sentence: String) -> Failure { Failure(.remote, sentence, cause: Open()) }

    package var isOpen: Bool { cause is Open }
    /// The store does not know the condition under which an object is to be made.
    package static let conditionUnknown = Failure(.remote, "the store does not know If-None-Match")
    /// A redirection, which is not followed.
    static let writtenElsewhere = Failure(.remote, "the store redirects to another place, where nothing is written")
    /// There is no upload any more of which an object could be made.
    package static let uploadIsGone = Failure(
        .remote, "somebody has ended the upload (NoSuchUpload)")
    /// Of what it has got, or of what it wants.
    package static let partRefused = Failure(.remote, "the store refuses a part (InvalidPart)")
}
