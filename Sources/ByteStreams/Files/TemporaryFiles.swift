internal import Glibc
internal import Synchronization
package import SystemPackage

/// The files of this process that have temporary names, registered so that they can be removed before the process dies.
package enum TemporaryFiles {
    /// What happens to a file that does not get its final name.
    enum Fate {
        /// It is removed from the folder.
        case removed(OpenFolder)
        /// It gets its old name in the folder back, unless another file has taken it.
        case restored(FilePath.Component, FileDescriptor)
    }

    private struct State {
        var fates: [FilePath: Fate] = [:]
        /// Threads that are about to create or rename a file.
        var makers = 0
        /// Whether the process is about to die.
        var isEnding = false
    }

    private static let state = Mutex(State())
    static var isEnding: Bool { state.withLock { $0.isEnding } }
    /// How long the end waits for system calls that create a file: a network file system may never answer.
    private static let patience = Duration.milliseconds(200)
    /// A part of all these names that differs between processes. `path(beside:)` reports a lack of random bits.
    static let mark = String((try? randomBits()) ?? UInt64(getpid()), radix: 36)

    /// The path of a temporary name, short enough for every file system, and made unique by 64 random bits.
    static func path(beside target: FilePath) throws(Failure) -> FilePath {
        let stem = String(decoding: (target.lastComponent?.string ?? "").utf8.prefix(200), as: UTF8.self)
        let random = String(try Failure.file("create", target, randomBits()), radix: 36)
        let component = FilePath.Component(".\(stem).\(mark).\(random).tmp")
        return component.map { target.parent.appending($0) } ?? target
    }

    private static let preparation = Mutex<(@Sendable () -> Void)?>(nil)

    /// Runs `prepare` once, before the first temporary file is created.
    package static func beforeFirst(_ prepare: @escaping @Sendable () -> Void) {
        preparation.withLock { $0 = prepare }
    }

    /// Whether the name of a file is, or was, a temporary name of this process.
    package static func includes(_ name: FilePath) -> Bool {
        guard let text = name.lastComponent?.string, text.hasPrefix("."), text.hasSuffix(".tmp") else { return false }
        return text.dropLast(".tmp".count).split(separator: ".").suffix(2).first.map { $0 == mark } ?? false
    }

    /// Removes all of them, just before the process dies. After that, no file is created, and none gets its final name.
    package static func removeAllForGood() {
        state.withLock { $0.isEnding = true }
        // Whoever has registered a file before is creating it now, and undoes that.
        let deadline = ContinuousClock.now + patience
        while state.withLock({ $0.makers }) > 0, ContinuousClock.now < deadline { usleep(1000) }
        // A rename that has started now fails, or has already succeeded: then the file is complete and stays.
        for (path, fate) in state.withLock({ $0.fates }) { end(path, fate) }
    }

    /// Runs `make`, which creates a file under a path that only this process uses.
    ///
    /// The lock is not held during system calls, because other threads create files too.
    ///
    /// - Parameter isBrief: whether the file is removed at once, so that `beforeFirst` need not prepare for it.
    /// - Throws: `canceled` if the process is about to die.
    static func create<Result>(
        _ path: FilePath, fate: Fate, isBrief: Bool = false, _ make: () throws(Errno) -> Result
    ) throws(Errno) -> Result {
        if !isBrief { preparation.withLock { $0.take() }?() }
        // Register the file before it exists, so that none is missed.
        guard begin({ $0.fates[path] = fate }) else { throw .canceled }
        defer { state.withLock { $0.makers -= 1 } }
        do throws(Errno) {
            let result = try make()
            if !isEnding { return result }
        } catch {
            forget(path)
            throw error
        }
        undo(path)
        throw .canceled
    }

    /// Counts a thread that is about to create or rename a file; false if the process is about to die.
    private static func begin(_ register: (inout State) -> Void) -> Bool {
        state.withLock { state in
            if state.isEnding { return false }
            state.makers += 1
            register(&state)
            return true
        }
    }

    /// Runs `rename`, which gives the file its final name, and deregisters it.
    ///
    /// - Parameter path: nil for an unnamed file.
    static func finish(_ path: FilePath?, _ rename: () throws(Failure) -> Void) throws(Failure) {
        guard begin({ _ in }) else { throw .cancelled }
        defer { state.withLock { $0.makers -= 1 } }
        do throws(Failure) { try rename() } catch { throw isEnding ? .cancelled : error }
        if let path { forget(path) }
    }

    /// Removes or restores a file now, before the process ends.
    ///
    /// - Returns: whether that succeeded.
    @discardableResult
    static func undo(_ path: FilePath) -> Bool {
        guard let fate = state.withLock({ $0.fates[path] }) else { return false }
        defer { forget(path) }
        return end(path, fate)
    }

    static func forget(_ path: FilePath) { state.withLock { _ = $0.fates.removeValue(forKey: path) } }

    @discardableResult
    private static func end(_ path: FilePath, _ fate: Fate) -> Bool {
        guard let name = path.lastComponent else { return false }
        do throws(Errno) {
            switch fate {
            case .removed(let folder): try folder.descriptor.remove(name)
            case .restored(let old, let folder): try folder.rename(name, to: old, isReplacing: false)
            }
            return true
        } catch {
            return false
        }
    }
}
