internal import ByteStreams
internal import Dispatch

/// A hash of the content of a run, made in its order beside the run, on a queue of its own.
final class ContentHash: Sendable {
    private let digest: Digest
    private let queue = DispatchQueue(label: "sluice.hash")
    private let underWay = DispatchGroup()
    /// Zeros, of which there may be many.
    private static let zeros = [UInt8](repeating: 0, count: 1 << 20)

    /// - Parameter digest: nobody else adds to it.
    init(_ digest: Digest) {
        self.digest = digest
    }

    /// Takes what was read, when all before it is done: more of the input is not kept for the hash than this.
    func take(_ bytes: Bytes) {
        underWay.wait()
        append(bytes)
    }

    /// Takes so many zeros, which nobody has read.
    func take(zeros count: Int) {
        underWay.wait()
        queue.async(group: underWay) { [digest] in
            Self.zeros.withUnsafeBytes { zeros in
                var rest = count
                while rest > 0 {
                    let part = min(rest, zeros.count)
                    digest.append(UnsafeRawBufferPointer(rebasing: zeros[..<part]))
                    rest -= part
                }
            }
        }
    }

    /// Takes bytes whose memory counts as held until `afterAll` says that it does not.
    func append(_ bytes: Bytes) {
        queue.async(group: underWay) { [digest] in
            bytes.data.enumerateBytes { region, _, _ in digest.append(UnsafeRawBufferPointer(region)) }
        }
    }

    /// Runs the body when all that was taken is done, and its memory free.
    func afterAll(_ body: @escaping @Sendable () -> Void) {
        queue.async { OutputBuffer.afterReleases(body) }
    }

    /// The hash of everything, in hexadecimal digits; nothing comes after that.
    ///
    /// - Throws: `hash` if the library failed.
    func finish() throws(Failure) -> String {
        underWay.wait()
        return try digest.finish()
    }
}
