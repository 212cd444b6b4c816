internal import Glibc
internal import Synchronization
public import SystemPackage

/// The temporary files of this process, so that one that is about to die can remove them.
public enum TemporaryFiles {
    private static let paths = Mutex<Set<FilePath>>([])

    /// Removes all of them, for a process that dies next: calls that would create or name a file wait for ever after.
    public static func removeAllForGood() {
        paths._unsafeLock()
        paths._unsafeWithoutLock { for path in $0 { unlink(path) } }
    }

    static func create(_ path: FilePath) throws(Errno) -> FileDescriptor {
        try paths.withLock { paths throws(Errno) in
            let descriptor = path.withPlatformString {
                open($0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            }
            guard descriptor >= 0 else { throw Errno(rawValue: errno) }
            paths.insert(path)
            return FileDescriptor(rawValue: descriptor)
        }
    }

    /// Runs `rename`, after which the file has another name and stays.
    static func finish(_ path: FilePath, _ rename: () throws(Failure) -> Void) throws(Failure) {
        try paths.withLock { paths throws(Failure) in
            try rename()
            paths.remove(path)
        }
    }

    static func remove(_ path: FilePath) {
        paths.withLock { paths in
            if paths.remove(path) != nil { unlink(path) }
        }
    }

    private static func unlink(_ path: FilePath) {
        _ = path.withPlatformString { Glibc.unlink($0) }
    }
}
