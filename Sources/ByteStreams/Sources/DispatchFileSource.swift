internal import Dispatch
internal import Synchronization
internal import SystemPackage

/// Reads a regular file through a random channel of Dispatch, which has a position of its own.
///
/// It makes one request at a time: a random channel serves several in turn, and ends all of them at once.
final class DispatchFileSource: ByteSource {
    private let descriptor: FileDescriptor
    private let start: UInt64
    private let position = Atomic<UInt64>(0)
    private let channel: DispatchReads

    /// Nil for a file that can only be read in order.
    init?(_ source: Source) {
        // A random channel counts from where the descriptor stands (trap 19 in docs/dispatch-on-linux.md).
        do throws(Errno) { try source.descriptor.stand(at: source.start) } catch { return nil }
        (descriptor, start) = (source.descriptor, source.start)
        channel = DispatchReads(.random, source.descriptor)
        // The search for holes moves the descriptor.
        if source.identity.hasHoles { channel.awaitBeginning() }
    }

    package func read(_ count: Int, until deadline: DispatchTime?) throws(Failure) -> Bytes? {
        DispatchReads.allow(count)
        let bytes = try channel.read(at: position.load(ordering: .relaxed), count)
        position.add(UInt64(bytes.count), ordering: .relaxed)
        return bytes.isEmpty ? nil : bytes
    }

    package func seek(to offset: UInt64) -> Bool {
        position.store(offset, ordering: .relaxed)
        return true
    }

    package func cancel() { channel.cancel() }

    /// Moves the descriptor past the bytes that were read, as a read in order would.
    package func finish() {
        channel.finish()
        try? descriptor.stand(at: start + position.load(ordering: .relaxed))
    }
}
