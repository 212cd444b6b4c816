import SystemPackage

@testable import SluiceCommand

extension Settings {
    /// What words mean for a file, whatever the environment is.
    ///
    /// - Parameter operands: in place of that file.
    init(_ words: [String], followsZstd: Bool = false, for operands: [FilePath] = ["file"]) throws {
        let request = try Request((words + ["file"]).map { Array($0.utf8) }, followsZstd: followsZstd)
        self = try request.settled()
        self.operands = operands
    }
}
