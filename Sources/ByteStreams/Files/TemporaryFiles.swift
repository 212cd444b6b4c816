internal import CKernel
internal import Glibc
internal import Synchronization
package import SystemPackage

/// The files of this process that have temporary names, so that one that is about to die can remove them.
package enum TemporaryFiles {
    /// What becomes of one that needs its name no more.
    enum Fate {
        /// It is removed in its folder; without one, by its path.
        case removed(OpenFolder?)
        /// It gets the name back that it had, in the same folder, unless another file has that.
        case restored(FilePath.Component, FileDescriptor)
    }

    private static let paths = Mutex<[FilePath: Fate]>([:])
    private static let isEnding = Atomic(false)
    private static let preparation = Mutex<(@Sendable () -> Void)?>(nil)
    /// In the names of all of them, and in those of no other process.
    static let mark: String = {
        var number: UInt64 = 0
        // Swift's own random numbers end the process where the kernel has none; so the name of a file fails, not this.
        if !sluice_random(&number, MemoryLayout.size(ofValue: number)) { number = UInt64(getpid()) }
        return String(number, radix: 36)
    }()

    /// Runs `prepare`, once, before the next of them is made.
    package static func beforeFirst(_ prepare: @escaping @Sendable () -> Void) {
        preparation.withLock { $0 = prepare }
    }

    /// Whether a name in a folder is that of one of them, or was.
    package static func includes(_ name: FilePath) -> Bool {
        guard let text = name.lastComponent?.string, text.hasPrefix("."), text.hasSuffix(".tmp") else { return false }
        return text.dropLast(".tmp".count).split(separator: ".").suffix(2).first.map { $0 == mark } ?? false
    }

    /// Removes all of them, for a process that dies next. After that no file is created, and none gets its name.
    package static func removeAllForGood() {
        isEnding.store(true, ordering: .sequentiallyConsistent)
        // A rename that is under way fails now, or was faster: then the file is whole, and stays.
        for (path, fate) in paths.withLock({ $0 }) { end(path, fate) }
    }

    /// Runs `make`, which puts a file under the path.
    ///
    /// The path is one that nobody else uses; the lock is not held while the kernel works, for others create files too.
    ///
    /// - Returns: what `make` returns, if it is not negative.
    static func create(
        _ path: FilePath, fate: Fate = .removed(nil), _ make: () -> Int32
    ) throws(Errno) -> Int32 {
        if isEnding.load(ordering: .sequentiallyConsistent) { throw .canceled }
        preparation.withLock { $0.take() }?()
        // Known before it is there, so that none is missed.
        paths.withLock { $0[path] = fate }
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

    /// The same for the end of a file that has a temporary name.
    static func finish(_ path: FilePath, _ end: () throws(Errno) -> Void) throws(Errno) {
        if isEnding.load(ordering: .sequentiallyConsistent) { throw .canceled }
        try end()
        forget(path)
    }

    /// - Returns: whether it met its fate.
    @discardableResult
    static func remove(_ path: FilePath) -> Bool {
        guard let fate = paths.withLock({ $0[path] }) else { return false }
        defer { forget(path) }
        return end(path, fate)
    }

    private static func forget(_ path: FilePath) {
        paths.withLock { _ = $0.removeValue(forKey: path) }
    }

    @discardableResult
    private static func end(_ path: FilePath, _ fate: Fate) -> Bool {
        guard let name = path.lastComponent else { return false }
        let result: Int32? = try? systemCall {
            name.withPlatformString { name in
                switch fate {
                case .removed(let folder?): unlinkat(folder.descriptor.rawValue, name, 0)
                case .removed(nil): path.withPlatformString { Glibc.unlink($0) }
                case .restored(let old, let folder):
                    old.withPlatformString { sluice_rename_exclusively(folder.rawValue, name, $0) }
                }
            }
        }
        return result != nil
    }
}
