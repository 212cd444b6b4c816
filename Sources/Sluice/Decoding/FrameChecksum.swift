internal import Dispatch
internal import Synchronization
internal import ZstdCodec

/// The checksum of one frame after another, made beside whoever decodes them, on a queue of its own, through which the
/// pieces leave: what was not hashed keeps its slot.
///
/// Of a frame that comes in parts one core decodes, and would need a tenth of its time for the checksum
/// (docs/decisions/single-frames.md).
final class FrameChecksum: Sendable {
    private let checksum: Mutex<ContentChecksum>
    private let queue = DispatchQueue(label: "sluice.checksum")
    private let underWay = DispatchGroup()

    /// - Throws: `outOfMemory`.
    init() throws(Failure) {
        do {
            checksum = Mutex(try ContentChecksum())
        } catch {
            throw .codec(error)
        }
    }

    /// Begins the next frame.
    func begin() {
        settle()
        checksum.withLock { $0.reset() }
    }

    /// Takes a piece of the frame's content.
    ///
    /// - Parameter leave: runs when it was hashed.
    func append(_ piece: Bytes, then leave: @escaping @Sendable () -> Void) {
        queue.async(group: underWay) { [self] in
            piece.data.enumerateBytes { region, _, _ in add(UnsafeRawBufferPointer(region)) }
            leave()
        }
    }

    /// Waits until all pieces have left.
    func settle() { underWay.wait() }

    /// Takes the last bytes of the content, and waits for the checksum of all of it.
    func finish(_ rest: UnsafeRawBufferPointer) -> UInt32 {
        settle()
        add(rest)
        return checksum.withLock { $0.value }
    }

    private func add(_ region: UnsafeRawBufferPointer) {
        checksum.withLock { $0.append(region) }
    }
}
