@testable import SluiceCommand

extension Settings {
    /// What words mean for a file, whatever the environment is.
    init(_ words: [String], followsZstd: Bool = false) throws {
        let request = try Request((words + ["file"]).map { Array($0.utf8) }, followsZstd: followsZstd)
        self = try request.settled()
    }
}
