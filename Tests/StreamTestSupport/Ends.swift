internal import Dispatch
internal import Glibc
internal import Synchronization
package import SystemPackage

/// A file without a name, which goes when it is closed.
package struct NamelessFile: ~Copyable {
    package let descriptor: FileDescriptor

    package init(_ content: [UInt8] = []) throws {
        var path = Array("\(temporaryFolder)/sluice.XXXXXX".utf8CString)
        descriptor = FileDescriptor(rawValue: mkstemp(&path))
        guard descriptor.rawValue >= 0 else { throw Errno(rawValue: errno) }
        unlink(path)
        if !content.isEmpty { _ = try descriptor.writeAll(toAbsoluteOffset: 0, content) }
    }

    deinit { try? descriptor.close() }

    package var content: [UInt8] {
        get throws {
            let size = try Int(descriptor.seek(offset: 0, from: .end))
            return try [UInt8](unsafeUninitializedCapacity: size) { memory, used in
                while used < size {
                    let count = try descriptor.read(
                        fromAbsoluteOffset: Int64(used),
                        into: .init(rebasing: UnsafeMutableRawBufferPointer(memory)[used...]))
                    if count == 0 { return }
                    used += count
                }
            }
        }
    }
}

/// A pipe, or a pair of sockets. Its writers get EPIPE, not the signal.
///
/// It is closed by `close`, and not when it goes: Swift lets it go after its last use, in the middle of a run.
package final class Pipe: Sendable {
    package let reading: FileDescriptor
    package let writing: FileDescriptor
    private let open = Mutex((reading: true, writing: true))
    private let users = DispatchGroup()
    private let isCollected = Atomic(false)

    package init(isSocket: Bool = false) throws {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [0, 0]
        let code = isSocket ? socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) : pipe(&ends)
        guard code == 0 else { throw Errno(rawValue: errno) }
        // Not for children: a test that waits for an end to close must be its only owner.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
    }

    /// Waits for who feeds or collects: their next call could meet another file under the same number.
    package func close() {
        if isCollected.load(ordering: .relaxed) { closeWriting() } else { closeReading() }
        users.wait()
        closeReading()
        closeWriting()
    }

    package func closeReading() {
        if open.withLock({ exchange(&$0.reading) }) { try? reading.close() }
    }

    package func closeWriting() {
        if open.withLock({ exchange(&$0.writing) }) { try? writing.close() }
    }

    private func exchange(_ flag: inout Bool) -> Bool {
        defer { flag = false }
        return flag
    }

    /// Writes everything in pieces of these sizes in turn, from another thread, and closes unless it falls silent.
    package func feed(_ content: [UInt8], pieces: [Int] = [1 << 20], isSilent: Bool = false) {
        DispatchQueue(label: "test.feed").async(group: users) { [self] in
            var rest = content[...]
            var turn = 0
            while !rest.isEmpty {
                let piece = rest.prefix(pieces[turn % pieces.count])
                guard (try? writing.writeAll(piece)) != nil else { break }
                rest = rest.dropFirst(piece.count)
                turn += 1
            }
            if !isSilent { closeWriting() }
        }
    }

    /// Collects what comes, from another thread, until the other end is closed.
    package func collect() -> Collected {
        let collected = Collected()
        isCollected.store(true, ordering: .relaxed)
        DispatchQueue(label: "test.collect").async(group: users) { [self] in
            var memory = [UInt8](repeating: 0, count: 1 << 16)
            while let count = try? memory.withUnsafeMutableBytes({ try reading.read(into: $0) }), count > 0 {
                collected.append(memory[..<count])
            }
            collected.end()
        }
        return collected
    }
}

/// Bytes that come in on another thread.
package final class Collected: Sendable {
    private let state = Mutex((bytes: [UInt8](), isEnded: false))

    package init() {}

    package var bytes: [UInt8] { state.withLock { $0.bytes } }
    package var count: Int { state.withLock { $0.bytes.count } }

    /// All of them, when the other end was closed.
    package var whole: [UInt8] {
        _ = eventually(20) { state.withLock { $0.isEnded } }
        return bytes
    }

    package func append(_ piece: ArraySlice<UInt8>) { state.withLock { $0.bytes += piece } }
    package func end() { state.withLock { $0.isEnded = true } }
}

/// Whether memory and time are the program's own: a sanitizer takes some of both.
package let measures = getenv("SLUICE_SANITIZER") == nil

/// Sleeps.
package func pause(_ seconds: Double) { usleep(UInt32(seconds * 1e6)) }

/// The descriptors that this process has open.
package func openDescriptors() -> [String] {
    (0..<1024).compactMap { descriptor in
        fcntl(descriptor, F_GETFD) < 0 ? nil : "\(descriptor)"
    }
}
