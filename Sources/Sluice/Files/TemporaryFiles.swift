internal import CKernel
internal import Glibc
internal import Synchronization
package import SystemPackage

/// The temporary files of this process, so that one that is about to die can remove them.
package enum TemporaryFiles {
    /// Each with its folder, in which it is removed; without one, by its path.
    private static let paths = Mutex<[FilePath: OpenFolder?]>([:])
    private static let isEnding = Atomic(false)
    /// In the names of all of them, and in those of no other process.
    static let mark: String = {
        var number: UInt64 = 0
        // Swift's own random numbers end the process where the kernel has none; so the name of a file fails, not this.
        if !sluice_random(&number, MemoryLayout.size(ofValue: number)) { number = UInt64(getpid()) }
        return String(number, radix: 36)
    }()

    /// Whether a name in a folder is that of one of them, or was.
    package static func includes(_ name: FilePath) -> Bool {
        guard let text = name.lastComponent?.string, text.hasPrefix("."), text.hasSuffix(".tmp") else { return false }
        return text.dropLast(".tmp".count).split(separator: ".").suffix(2).first.map { $0 == mark } ?? false
    }

    /// Removes all of them, for a process that dies next. After that no file is created, and none gets its name.
    package static func removeAllForGood() {
        isEnding.store(true, ordering: .sequentiallyConsistent)
        // A rename that is under way fails now, or was faster: then the file is whole, and stays.
        for (path, folder) in paths.withLock({ $0 }) { unlink(path, in: folder) }
    }

    /// Runs `make`, which puts a file under the path.
    ///
    /// The path is one that nobody else uses; the lock is not held while the kernel works, for others create files too.
    ///
    /// - Returns: what `make` returns, if it is not negative.
    static func create(
        _ path: FilePath, in folder: OpenFolder? = nil, _ make: () -> Int32
    ) throws(Errno) -> Int32 {
        if isEnding.load(ordering: .sequentiallyConsistent) { throw .canceled }
        // Known before it is there, so that none is missed.
        paths.withLock { $0[path] = .some(folder) }
        let result: Int32
        do throws(Errno) { result = try systemCall(make) } catch {
            forget(path)
            throw error
        }
        guard !isEnding.load(ordering: .sequentiallyConsistent) else {
            remove(path)
            throw .canceled
        }
        return result
    }

    /// Runs `rename`, after which the file has another name and stays.
    ///
    /// - Parameter path: nil if it had none.
    static func finish(_ path: FilePath?, _ rename: () throws(Failure) -> Void) throws(Failure) {
        if isEnding.load(ordering: .sequentiallyConsistent) { throw .cancelled }
        do throws(Failure) { try rename() } catch {
            throw isEnding.load(ordering: .sequentiallyConsistent) ? .cancelled : error
        }
        if let path { forget(path) }
    }

    static func remove(_ path: FilePath) {
        guard let folder = paths.withLock({ $0[path] }) else { return }
        unlink(path, in: folder)
        forget(path)
    }

    private static func forget(_ path: FilePath) {
        paths.withLock { _ = $0.removeValue(forKey: path) }
    }

    private static func unlink(_ path: FilePath, in folder: OpenFolder?) {
        if let folder, let name = path.lastComponent {
            try? folder.remove(name)
            return
        }
        _ = try? systemCall { path.withPlatformString { Glibc.unlink($0) } }
    }
}
