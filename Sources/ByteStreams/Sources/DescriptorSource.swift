package import Dispatch
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Reads a descriptor with system calls, on the thread that asks.
///
/// Nothing is changed of the descriptor, which others may have too: Dispatch would have its reads not wait.
package final class DescriptorSource: ByteSource {
    /// The most that is read at once, in bytes.
    private static let largestRead = (file: 64 << 20, other: 1 << 20)

    private let source: Source
    /// Bytes of a file that were read or passed over.
    private let position = Atomic<UInt64>(0)
    /// Whether it is a file that is read at `position`; otherwise where the descriptor stands.
    private let isPlaced: Bool
    /// Nil for a file, which keeps nobody waiting.
    private let readiness: Readiness?
    private let movesDescriptor: Bool

    /// - Parameter movesDescriptor: whether a file stands behind what was read in the end.
    /// - Throws: `reading` if there are no descriptors left.
    package init(_ source: Source, movesDescriptor: Bool = true) throws(Failure) {
        self.source = source
        self.movesDescriptor = movesDescriptor
        isPlaced = source.size != nil
        readiness = source.isFile ? nil : try Readiness(of: source.descriptor, mayWiden: false)
    }

    package func read(_ count: Int, until deadline: DispatchTime?) throws(Failure) -> Bytes? {
        var available = Self.largestRead.file
        if let readiness {
            guard let ready = readiness.wait(for: count, until: deadline) else { return Bytes() }
            available = min(ready, Self.largestRead.other)
        }
        let count = min(count, available)
        let buffer = try OutputBuffer(capacity: count)
        do throws(Errno) {
            let read = try readSome(buffer.memory.baseAddress, count)
            return read > 0 ? buffer.finish(count: read) : nil
        } catch .resourceTemporarilyUnavailable {
            // Somebody else had it.
            return Bytes()
        } catch {
            throw .reading(error)
        }
    }

    private func readSome(_ memory: UnsafeMutableRawPointer?, _ count: Int) throws(Errno) -> Int {
        let descriptor = source.descriptor.rawValue
        guard isPlaced else { return try systemCall { Glibc.read(descriptor, memory, count) } }
        let place = off_t(clamping: source.start + position.load(ordering: .relaxed))
        let read = try systemCall { pread(descriptor, memory, count, place) }
        position.add(UInt64(read), ordering: .relaxed)
        return read
    }

    package func seek(to offset: UInt64) -> Bool {
        position.store(offset, ordering: .relaxed)
        return isPlaced
    }

    package func endWaiting() { readiness?.cancel() }

    package func finish() {
        guard isPlaced, movesDescriptor else { return }
        let end = source.start + position.load(ordering: .relaxed)
        lseek(source.descriptor.rawValue, off_t(clamping: end), SEEK_SET)
    }
}
