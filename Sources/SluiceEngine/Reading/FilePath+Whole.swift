extension FilePath {
    /// The path in a string. A `FilePath` ends at the first zero byte, and would name another file.
    ///
    /// - Throws: `file` if there is one.
    package init(whole path: String) throws(Failure) {
        guard !path.utf8.contains(0) else {
            let sentence = "can't open \(path.printable): there is a zero byte in the path"
            throw Failure(.file, sentence, path: FilePath(path), cause: Errno.invalidArgument)
        }
        self.init(path)
    }
}
