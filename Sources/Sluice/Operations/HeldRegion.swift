internal import ByteStreams
internal import ZstdCodec

extension HeapMemory: HeldMemory {}

/// Some of the bytes that somebody holds, and which are held by this too.
struct HeldRegion: Sendable {
    let memory: any HeldMemory
    let range: Range<Int>

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory.bytes[range]) }
}
