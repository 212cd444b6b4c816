/// The end of a command, for its statistics.
struct RunOutcome: Equatable, Sendable {
    enum Ending: String, Sendable {
        case success, failure, interrupted
    }

    let ending: Ending
    /// The first failure or the interruption, as a sentence; nil after a success.
    var error: String?
    /// Files that are complete.
    let files: Int
    /// Files that are not complete.
    let failedFiles: Int

    init(_ ending: Ending, error: String? = nil, files: Int, failedFiles: Int) {
        self.ending = ending
        self.error = error
        self.files = files
        self.failedFiles = failedFiles
    }
}
