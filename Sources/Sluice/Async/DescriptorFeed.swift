internal import Dispatch
internal import Glibc
internal import SystemPackage

/// Reads a descriptor with system calls, on the thread that asks.
///
/// Nothing is changed of the descriptor, which others may have too: Dispatch would have its reads not wait.
struct DescriptorFeed: Feed {
    /// The most that is read from a file at once, in bytes.
    private static let largestRead = 64 << 20

    private let descriptor: FileDescriptor
    /// Nil for a file, which keeps nobody waiting.
    private let readiness: Readiness?

    /// - Throws: `reading` if there are no descriptors left.
    init(_ source: Source) throws(Failure) {
        descriptor = source.descriptor
        readiness = source.isFile ? nil : try Readiness(of: source.descriptor, mayWiden: false)
    }

    func wait(for count: Int, until deadline: DispatchTime?) -> Int? {
        guard let readiness else { return min(count, Self.largestRead) }
        return readiness.wait(for: count, until: deadline)
    }

    func take(_ count: Int) throws(Failure) -> Bytes? {
        let count = min(count, readiness == nil ? Self.largestRead : Pieces.size)
        let buffer = try OutputBuffer(capacity: count)
        do throws(Errno) {
            let read = try systemCall { Glibc.read(descriptor.rawValue, buffer.memory.baseAddress, count) }
            return read > 0 ? buffer.finish(count: read) : nil
        } catch .resourceTemporarilyUnavailable {
            // Somebody else had it.
            return Bytes()
        } catch {
            throw .reading(error)
        }
    }

    func cancel() { readiness?.cancel() }
}
