internal import Glibc
internal import Synchronization
internal import SystemPackage

/// The temporary files of this process, so that one that is about to die can remove them.
public enum TemporaryFiles {
    private static let state = Mutex((paths: Set<FilePath>(), isEnding: false))

    /// Removes all of them, for a process that dies next. After that no file is created, and none gets its name.
    public static func removeAllForGood() {
        state.withLock { state in
            state.isEnding = true
            for path in state.paths { unlink(path) }
        }
    }

    static func create(_ path: FilePath) throws(Errno) -> FileDescriptor {
        try state.withLock { state throws(Errno) in
            if state.isEnding { throw .canceled }
            let descriptor = path.withPlatformString {
                open($0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            }
            guard descriptor >= 0 else { throw Errno(rawValue: errno) }
            state.paths.insert(path)
            return FileDescriptor(rawValue: descriptor)
        }
    }

    /// Runs `rename`, after which the file has another name and stays.
    static func finish(_ path: FilePath, _ rename: () throws(Failure) -> Void) throws(Failure) {
        try state.withLock { state throws(Failure) in
            if state.isEnding { throw .cancelled }
            try rename()
            state.paths.remove(path)
        }
    }

    static func remove(_ path: FilePath) {
        state.withLock { state in
            if state.paths.remove(path) != nil { unlink(path) }
        }
    }

    private static func unlink(_ path: FilePath) {
        _ = path.withPlatformString { Glibc.unlink($0) }
    }
}
