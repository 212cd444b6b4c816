internal import Glibc
internal import Synchronization
package import SystemPackage

/// Reads the file that has a name, while it is written, and then whatever file takes its place, as `tail -F` does.
///
/// One thread at a time calls it.
package final class FollowedName: Sendable {
    /// What there is to know when the file has no more bytes.
    package enum News: Equatable, Sendable {
        /// Nothing has changed.
        case none
        case grown
        /// No file can be opened under the name. The one that was open stays open.
        case missing(Errno)
        /// The file has become shorter than what was read of it, or has other bytes there.
        case truncated
        /// Another file has the name, or the first one.
        case replaced
        /// The file that replaced the open one has been replaced in its turn: `restart` goes on with it.
        case replacedAgain
    }

    private struct State {
        var file: FileDescriptor?
        var identity: FileIdentity?
        var position: UInt64 = 0
        /// The last bytes that were read before the position.
        var ending: [UInt8] = []
        /// Whether the file has other bytes in their place.
        var isRewritten = false
        /// The file that has the name in place of the open one.
        var next: (file: FileDescriptor, identity: FileIdentity)?

        mutating func closeNext() {
            if let next { close(next.file.rawValue) }
            next = nil
        }
    }

    /// How many bytes before the position are read again: a file that was truncated may have grown beyond it since.
    private static let overlap = 16

    private let path: FilePath
    private let staysWithFile: Bool
    private let state = Mutex(State())

    /// - Parameter staysWithFile: whether a file that was opened is followed under any name.
    package init(_ path: FilePath, staysWithFile: Bool = false) {
        (self.path, self.staysWithFile) = (path, staysWithFile)
    }

    deinit {
        state.withLock { state in
            state.closeNext()
            if let file = state.file { close(file.rawValue) }
        }
    }

    /// The open file; nil before there is one.
    package var file: FileDescriptor? { state.withLock { $0.file } }
    /// The state of the file when it was opened.
    package var identity: FileIdentity? { state.withLock { $0.identity } }
    /// Where the next bytes lie in the file.
    package var position: UInt64 { state.withLock { $0.position } }

    /// Continues at another place of the file.
    package func begin(at offset: UInt64) {
        state.withLock { state in
            var bytes = [UInt8](repeating: 0, count: Int(min(offset, UInt64(Self.overlap))))
            let read = (try? state.file?.fill(&bytes, from: offset - UInt64(bytes.count))) ?? 0
            (state.position, state.ending) = (offset, read == bytes.count ? bytes : [])
        }
    }

    /// Reads bytes that are there.
    ///
    /// - Returns: nil if there are none, or no file; `news` tells more.
    /// - Throws: `reading`, `outOfMemory`.
    package func read(_ count: Int) throws(Failure) -> Bytes? {
        try state.withLock { state throws(Failure) in
            guard let file = state.file, !state.isRewritten else { return nil }
            let known = state.ending.count
            let buffer = try OutputBuffer(capacity: known + count)
            let memory = buffer.memory.extracting(..<(known + count))
            let start = state.position - UInt64(known)
            let read: Int
            do throws(Errno) { read = try file.fill(memory, atLeast: known + 1, from: start) } catch .staleNFSFileHandle
            {
                // Another machine has removed the file: it has no more bytes.
                return nil
            } catch { throw .reading(error) }
            guard read >= known else { return nil }
            // It may have been rewritten with the same number of bytes.
            guard memory.extracting(..<known).elementsEqual(state.ending) else {
                state.isRewritten = true
                return nil
            }
            guard read > known else { return nil }
            state.position += UInt64(read - known)
            state.ending = Array(memory.extracting(..<read).suffix(Self.overlap))
            return buffer.finish(count: read).slice(known..<read)
        }
    }

    /// Looks at the file, and at its name.
    ///
    /// - Throws: `reading` if the open file can't be looked at.
    package func news() throws(Failure) -> News {
        try state.withLock { state throws(Failure) in
            if staysWithFile, let file = state.file {
                do throws(Errno) {
                    return Self.news(of: try FileIdentity(file, bypassingCache: true), state)
                } catch .staleNFSFileHandle { return .none } catch { throw .reading(error) }
            }
            let entry: FileIdentity
            do throws(Errno) { entry = try FileIdentity(at: path, bypassingCache: true) } catch {
                // A successor that has lost the name has the next bytes all the same.
                return state.next == nil ? .missing(error) : .replaced
            }
            if let file = state.file, let identity = state.identity, entry.isSameFile(as: identity) {
                state.closeNext()
                // What can be read is told by the open file, not by the name.
                return Self.news(of: (try? FileIdentity(file, bypassingCache: true)) ?? entry, state)
            }
            if let next = state.next {
                if entry.isSameFile(as: next.identity) { return .replaced }
                if Self.hasBytes(next.file) { return .replacedAgain }
            }
            // A FIFO's writer would go on once somebody opens it.
            if let obstacle = Self.obstacle(to: entry) { return .missing(obstacle) }
            let next: (FileDescriptor, FileIdentity)
            do throws(Errno) { next = try open() } catch { return state.next == nil ? .missing(error) : .replaced }
            state.closeNext()
            state.next = next
            return .replaced
        }
    }

    /// Whether the file that takes the place of the open one has bytes.
    package var nextHasBytes: Bool { state.withLock { $0.next.map { Self.hasBytes($0.file) } ?? false } }

    private static func hasBytes(_ file: FileDescriptor) -> Bool {
        ((try? FileIdentity(file, bypassingCache: true))?.size ?? 0) > 0
    }

    /// Why it can't be followed; nil for a file.
    private static func obstacle(to entry: FileIdentity) -> Errno? {
        switch entry.kind {
        case .file: nil
        case .directory: .isDirectory
        default: .notSupported
        }
    }

    private static func news(of identity: FileIdentity, _ state: State) -> News {
        if state.isRewritten || identity.size < state.position { return .truncated }
        return identity.size > state.position ? .grown : .none
    }

    private func open() throws(Errno) -> (FileDescriptor, FileIdentity) {
        let file = try FileDescriptor(opening: path, O_RDONLY | O_NOCTTY | O_NONBLOCK)
        do throws(Errno) {
            let identity = try FileIdentity(file, bypassingCache: true)
            if let obstacle = Self.obstacle(to: identity) { throw obstacle }
            return (file, identity)
        } catch {
            close(file.rawValue)
            throw error
        }
    }

    /// Goes on with the file that has taken the place of the open one, or with the truncated file, from its start.
    package func restart() {
        state.withLock { state in
            if let next = state.next {
                if let file = state.file { close(file.rawValue) }
                (state.file, state.identity) = (next.file, next.identity)
            }
            (state.next, state.position, state.ending, state.isRewritten) = (nil, 0, [], false)
        }
    }
}
