internal import Dispatch
internal import SystemPackage

/// Reads a pipe, socket, terminal or device through a stream channel of Dispatch, and files without a size, such as
/// those of the kernel.
final class DispatchStreamSource: ByteSource {
    /// The largest request, in bytes.
    private static let largestRead = 1 << 20

    private let channel: DispatchReads
    /// Nil for a file, whose reads never wait for data.
    private let readiness: Readiness?

    /// - Throws: `reading` if there are no descriptors left.
    init(_ source: Source) throws(Failure) {
        readiness = source.isFile ? nil : try Readiness(of: source.descriptor)
        channel = DispatchReads(.stream, source.descriptor)
    }

    /// Asks only for bytes that are there already (trap 12 in docs/dispatch-on-linux.md).
    package func read(_ count: Int, until deadline: DispatchTime?) throws(Failure) -> Bytes? {
        var available = Int.max
        if let readiness {
            guard let ready = readiness.wait(for: count, until: deadline) else { return Bytes() }
            available = ready
        }
        let bytes = try channel.read(at: 0, min(count, available, Self.largestRead))
        return bytes.isEmpty ? nil : bytes
    }

    package func endWaiting() { readiness?.cancel() }

    package func cancel() {
        channel.cancel()
        endWaiting()
    }

    package func finish() { channel.finish() }
}
