public import SystemPackage

/// The error that the library throws.
///
/// Its ``code`` says which kind it is, and decides whether a path, an offset and a cause come with it.
public struct Failure: Error, Sendable {
    /// A kind of failure. More of them may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// A few words for logs, such as `file exists`.
        public let description: String

        /// - Parameter description: no other code has it.
        package init(_ description: String) { self.description = description }

        /// The input can't be read; `errno` says why.
        public static let reading = Code("reading")
        /// The output can't be written; `errno` says why.
        public static let writing = Code("writing")
        /// Another system call on a file failed, whose `path` is given.
        public static let file = Code("file")
        /// A file of that name exists, and may not be replaced (EEXIST).
        public static let fileExists = Code("file exists")
        /// There is no file of that name (ENOENT).
        public static let notFound = Code("not found")
        /// A file could not be created, because the directory for it does not exist.
        public static let missingDirectory = Code("missing directory")
        /// Another process is making the same file.
        package static let isBeingMade = Code("being made")
        /// Other users may have changed an unfinished output, so it can't be continued.
        package static let sharedLeftover = Code("shared leftover")
        /// An unfinished output was made from another source.
        package static let otherSource = Code("other source")
        /// The input file has become shorter since it was opened; `offset` is where it ends.
        public static let sourceShrank = Code("source shrank")
        /// Whoever made the input says that it is not complete (`RunOptions.isComplete`).
        public static let incompleteInput = Code("incomplete input")
        /// The system has no memory left (ENOMEM).
        public static let outOfMemory = Code("out of memory")
        /// The system starts no more threads (`pthread_create`).
        public static let outOfThreads = Code("out of threads")
        /// The Task of the run was cancelled.
        public static let cancelled = Code("cancelled")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, as part of a sentence, with the names of files other than input and output.
    public let message: String
    /// The file that the failure is about, if a system call with its name failed; nil for others.
    public let path: FilePath?
    /// The byte that the failure is about, from 0 on: of the compressed input if the code is about its format, such as
    /// `truncated` or `corrupt`; otherwise of the input file or of the content. Nil if there is none.
    public let offset: Int?
    /// The error that caused it, such as an `Errno` of a system call.
    public let cause: (any Error)?

    package init(
        _ code: Code, _ message: String, path: FilePath? = nil, offset: UInt64? = nil, cause: (any Error)? = nil
    ) {
        (self.code, self.message, self.path, self.cause) = (code, message, path, cause)
        self.offset = offset.map(Int.init(clamping:))
    }

    /// The cause, if a system call failed.
    public var errno: Errno? { cause as? Errno }
}

extension Failure: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension Failure: Equatable {
    /// Whether both say the same; the message covers the cause.
    public static func == (failure: Failure, other: Failure) -> Bool {
        (failure.code, failure.message, failure.path, failure.offset)
            == (other.code, other.message, other.path, other.offset)
    }
}

extension Failure {
    package static func reading(_ error: Errno) -> Failure {
        Failure(.reading, "can't read: \(error.sentence)", cause: error)
    }

    package static func writing(_ error: Errno) -> Failure {
        Failure(.writing, "can't write: \(error.sentence)", cause: error)
    }

    /// - Parameter action: a verb, such as "open" or "rename".
    package static func file(action: String, path: FilePath, _ error: Errno) -> Failure {
        let code: Code =
            switch error {
            case .fileExists: .fileExists
            case .noSuchFileOrDirectory: .notFound
            default: .file
            }
        return Failure(code, "can't \(action) \(path.printable): \(error.sentence)", path: path, cause: error)
    }

    package static func missingDirectory(of path: FilePath) -> Failure {
        let reason = "the directory \(path.folder.printable) does not exist"
        return Failure(.missingDirectory, "can't create \(path.printable): \(reason)", path: path)
    }

    package static func isBeingMade(_ path: FilePath) -> Failure {
        Failure(.isBeingMade, "another process is making \(path.printable)", path: path)
    }

    package static func sharedLeftover(_ path: FilePath) -> Failure {
        let sentence = "can't continue \(path.printable): \(Errno.notPermitted.sentence)"
        return Failure(.sharedLeftover, sentence, path: path, cause: Errno.notPermitted)
    }

    package static func otherSource(offset: UInt64) -> Failure {
        let sentence = "the unfinished output was made from something else: it differs from byte \(offset) on"
        return Failure(.otherSource, sentence, offset: offset)
    }

    package static func sourceShrank(expected: UInt64, read: UInt64) -> Failure {
        let sentence = "the file shrank while it was read: \(read) of \(expected) bytes were there"
        return Failure(.sourceShrank, sentence, offset: read)
    }

    package static func incompleteInput(_ sentence: String, cause: (any Error)? = nil) -> Failure {
        Failure(.incompleteInput, sentence, cause: cause)
    }

    package static let outOfMemory = Failure(.outOfMemory, "out of memory")

    package static func outOfThreads(_ error: Errno) -> Failure {
        Failure(.outOfThreads, "can't start a thread: \(error.sentence)", cause: error)
    }

    package static let cancelled = Failure(.cancelled, "cancelled")
}

extension Failure {
    /// The value of a call, whose error is thrown as `reading`.
    package static func reading<Result>(_ body: @autoclosure () throws(Errno) -> Result) throws(Failure) -> Result {
        do throws(Errno) { return try body() } catch { throw .reading(error) }
    }

    /// The value of a call, whose error is thrown as `writing`.
    package static func writing<Result>(_ body: @autoclosure () throws(Errno) -> Result) throws(Failure) -> Result {
        do throws(Errno) { return try body() } catch { throw .writing(error) }
    }

    /// The value of a call, whose error is thrown as `file`.
    ///
    /// - Parameter action: a verb, such as "open" or "rename".
    package static func file<Result>(
        _ action: String, _ path: FilePath, _ body: @autoclosure () throws(Errno) -> Result
    ) throws(Failure) -> Result {
        do throws(Errno) { return try body() } catch { throw .file(action: action, path: path, error) }
    }

    /// The same for one system call.
    @discardableResult
    package static func check(_ action: String, _ path: FilePath, _ call: () -> Int32) throws(Failure) -> Int32 {
        try file(action, path, systemCall(call))
    }
}
