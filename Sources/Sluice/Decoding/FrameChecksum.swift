internal import Dispatch
internal import Synchronization

/// Computes the checksums of frames beside their decoder, on a queue of its own. Content leaves through that queue, and
/// keeps its slot until it is hashed.
///
/// A frame in segments is decoded by one core, which would spend a tenth of its time on the checksum
/// (docs/decisions/single-frames.md).
final class FrameChecksum: Sendable {
    private let checksum: Mutex<ContentChecksum>
    private let queue = DispatchQueue(label: "sluice.checksum")
    private let underWay = DispatchGroup()

    /// - Throws: `outOfMemory`.
    init() throws(Failure) {
        checksum = try codec(Mutex(try ContentChecksum()))
    }

    func begin() {
        settle()
        checksum.withLock { $0.reset() }
    }

    /// Adds content of the frame.
    ///
    /// - Parameter leave: runs when it is hashed.
    func append(_ content: Bytes, then leave: @escaping @Sendable () -> Void) {
        queue.async(group: underWay) { [self] in
            content.forEachRegion { add($0) }
            leave()
        }
    }

    /// Waits until all content has left.
    private func settle() { underWay.wait() }

    /// Adds the last bytes of the content, and waits for the checksum.
    func finish(_ rest: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)) -> UInt32 {
        settle()
        add(rest)
        return checksum.withLock { $0.value }
    }

    private func add(_ region: UnsafeRawBufferPointer) { checksum.withLock { $0.append(region) } }
}
