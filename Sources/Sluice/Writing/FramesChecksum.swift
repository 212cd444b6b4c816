internal import Dispatch
internal import Synchronization

/// XXH64 of all frames in the order of the output.
final class FramesChecksum: Sendable {
    private let checksum: Mutex<ContentChecksum>

    /// - Throws: `codec(.outOfMemory)`.
    init() throws(Failure) {
        do throws(CodecFailure) { checksum = Mutex(try ContentChecksum()) } catch { throw .codec(error) }
    }

    func append(_ frame: Bytes) {
        frame.data.enumerateBytes { region, _, _ in append(UnsafeRawBufferPointer(region)) }
    }

    func append(_ bytes: UnsafeRawBufferPointer) { checksum.withLock { $0.append(bytes) } }

    var value: UInt64 { checksum.withLock { $0.wholeValue } }
}
