package import Dispatch
internal import Synchronization
internal import SystemPackage

/// Reads a descriptor with system calls, on the calling thread. The descriptor's flags stay unchanged, because other
/// processes may share them.
package final class DescriptorSource: ByteSource {
    /// The largest read in bytes.
    private static let largestRead = (file: 64 << 20, other: 1 << 20)

    private let source: Source
    private let descriptor: FileDescriptor
    /// The bytes of a file that were read or skipped.
    private let position = Atomic<UInt64>(0)
    /// Whether reads are positioned, at `position`; otherwise they follow the position of the descriptor.
    private let isPositioned: Bool
    /// Nil for a file, because reading one never waits for data.
    private let readiness: Readiness?
    private let movesDescriptor: Bool

    /// - Parameter movesDescriptor: whether `finish` moves a file's descriptor past the bytes that were read.
    /// - Throws: `reading` if no descriptors are left.
    package init(_ source: Source, movesDescriptor: Bool = true) throws(Failure) {
        descriptor = try source.requireDescriptor()
        (self.source, self.movesDescriptor, isPositioned) = (source, movesDescriptor, source.size != nil)
        readiness = source.isFile ? nil : try Readiness(of: descriptor, mayWiden: false)
    }

    package func read(_ count: Int, until deadline: DispatchTime?) throws(Failure) -> Bytes? {
        var available = Self.largestRead.file
        if let readiness {
            guard let ready = try readiness.wait(for: count, until: deadline) else { return Bytes() }
            available = min(ready, Self.largestRead.other)
        }
        let count = min(count, available)
        let buffer = try OutputBuffer(capacity: count)
        do throws(Errno) {
            let offset = isPositioned ? source.start + position.load(ordering: .relaxed) : nil
            let read = try descriptor.fill(buffer.memory, atLeast: 1, from: offset)
            position.add(UInt64(read), ordering: .relaxed)
            return read > 0 ? buffer.finish(count: read) : nil
        } catch .resourceTemporarilyUnavailable {
            // Another process has taken the data.
            return Bytes()
        } catch {
            throw .reading(error)
        }
    }

    package func seek(to offset: UInt64) -> Bool {
        position.store(offset, ordering: .relaxed)
        return isPositioned
    }

    package func endWaiting() { readiness?.cancel() }

    package func finish() {
        guard isPositioned, movesDescriptor else { return }
        try? descriptor.stand(at: source.start + position.load(ordering: .relaxed))
    }
}
