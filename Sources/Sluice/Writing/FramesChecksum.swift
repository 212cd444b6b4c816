internal import Dispatch
internal import Synchronization
internal import ZstdCodec

/// XXH64 of all the frames that go out, one after another.
final class FramesChecksum: Sendable {
    private let checksum: Mutex<ContentChecksum>

    /// - Throws: `codec(.outOfMemory)`.
    init() throws(Failure) {
        do throws(CodecFailure) { checksum = Mutex(try ContentChecksum()) } catch { throw .codec(error) }
    }

    /// Adds the next frame.
    func append(_ frame: Bytes) {
        frame.data.enumerateBytes { region, _, _ in append(UnsafeRawBufferPointer(region)) }
    }

    /// Adds bytes of a frame.
    func append(_ bytes: UnsafeRawBufferPointer) { checksum.withLock { $0.append(bytes) } }

    /// That of all until now.
    var value: UInt64 { checksum.withLock { $0.wholeValue } }
}
