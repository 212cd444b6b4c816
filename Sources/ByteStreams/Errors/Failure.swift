public import SystemPackage

/// An error thrown by the library.
///
/// Its ``code`` gives the kind of failure and determines whether a path, an offset and a cause are set.
///
///     do {
///         try await Decompression().run(from: .file("a.zst"), to: .file("a"))
///     } catch where error.code == .fileExists {
///         print("a is there already")
///     } catch {
///         print("\(error.message), at byte \(error.offset ?? 0)")
///     }
public struct Failure: Error, Sendable {
    /// A kind of failure. More of them may be added.
    ///
    ///     do {
    ///         try await Decompression().run(from: .file("a.zst"), to: .file("a"))
    ///     } catch where [.truncated, .corrupt].contains(error.code) {
    ///         print("a.zst is damaged: \(error.message)")
    ///     }
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// A few words for logs, such as `file exists`.
        public let description: String

        /// - Parameter description: unique among all codes.
        package init(_ description: String) { self.description = description }

        /// The input can't be read; `errno` says why.
        public static let reading = Code("reading")
        /// The output can't be written; `errno` says why.
        public static let writing = Code("writing")
        /// Another system call on a file failed; `path` is that file.
        public static let file = Code("file")
        /// A file of that name exists and may not be replaced (EEXIST).
        public static let fileExists = Code("file exists")
        /// No file of that name exists (ENOENT).
        public static let notFound = Code("not found")
        /// A file could not be created because its directory does not exist.
        public static let missingDirectory = Code("missing directory")
        /// Another process is writing the same output file.
        package static let isBeingMade = Code("being made")
        /// Other users may have changed an unfinished output, so it can't be resumed.
        package static let sharedLeftover = Code("shared leftover")
        /// An unfinished output was made from another source.
        package static let otherSource = Code("other source")
        /// An unfinished upload of the source, which would become something else, is in the way.
        package static let otherUpload = Code("other upload")
        /// The input file has become shorter since it was opened; `offset` is its new end.
        public static let sourceShrank = Code("source shrank")
        /// Whoever made the input says that it is not complete (`RunOptions.isComplete`).
        public static let incompleteInput = Code("incomplete input")
        /// The system has no memory left (ENOMEM).
        public static let outOfMemory = Code("out of memory")
        /// The system could not start another thread (`pthread_create`).
        public static let outOfThreads = Code("out of threads")
        /// The Task of the run was cancelled.
        public static let cancelled = Code("cancelled")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, as part of a sentence. It names files other than the input and the output.
    public let message: String
    /// The file that a failed system call named; nil for other failures.
    public let path: FilePath?
    /// The position of the failure, in bytes from 0: in the compressed input if the code is about its format, such as
    /// `truncated` or `corrupt`; otherwise in the input file or the content. Nil if the failure has no position.
    public let offset: Int?
    /// The underlying error, such as the `Errno` of a system call.
    public let cause: (any Error)?

    package init(
        _ code: Code, _ message: String, path: FilePath? = nil, offset: UInt64? = nil, cause: (any Error)? = nil
    ) {
        (self.code, self.message, self.path, self.cause) = (code, message, path, cause)
        self.offset = offset.map(Int.init(clamping:))
    }

    /// The error of the system call that failed; nil if another cause, or none, is set.
    public var errno: Errno? { cause as? Errno }
}

extension Failure: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension Failure: Equatable {
    /// Whether both failures are the same. The message already includes the cause.
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
    /// Evaluates a call and rethrows its error as `reading`.
    package static func reading<Result>(_ body: @autoclosure () throws(Errno) -> Result) throws(Failure) -> Result {
        do throws(Errno) { return try body() } catch { throw .reading(error) }
    }

    /// Evaluates a call and rethrows its error as `writing`.
    package static func writing<Result>(_ body: @autoclosure () throws(Errno) -> Result) throws(Failure) -> Result {
        do throws(Errno) { return try body() } catch { throw .writing(error) }
    }

    /// Evaluates a call and rethrows its error as `file`.
    ///
    /// - Parameter action: a verb, such as "open" or "rename".
    package static func file<Result>(
        _ action: String, _ path: FilePath, _ body: @autoclosure () throws(Errno) -> Result
    ) throws(Failure) -> Result {
        do throws(Errno) { return try body() } catch { throw .file(action: action, path: path, error) }
    }

    /// Makes one system call and throws its error as `file`.
    @discardableResult
    package static func check(_ action: String, _ path: FilePath, _ call: () -> Int32) throws(Failure) -> Int32 {
        try file(action, path, systemCall(call))
    }
}
