internal import ByteStreams
internal import Synchronization
internal import ZstdCodec

/// Memory with a room for the result of each piece of work.
final class Arena: Sendable {
    private let memory: HeapMemory
    private let rooms: [Range<Int>]
    private let sizes: Mutex<[Int]>

    /// - Parameter rooms: bytes of each.
    /// - Throws: `outOfMemory`.
    init(rooms: [Int]) throws(Failure) {
        var (ranges, end): ([Range<Int>], Int) = ([], 0)
        for room in rooms {
            let (next, isTooMuch) = end.addingReportingOverflow(room)
            if isTooMuch { throw .outOfMemory }
            ranges.append(end..<next)
            end = next
        }
        self.rooms = ranges
        sizes = Mutex(rooms.map { _ in 0 })
        memory = HeapMemory(try OutputBuffer.allocate(end))
    }

    /// A room, for one thread at a time.
    func room(_ index: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: memory.writable[rooms[index]])
    }

    /// Says how many bytes of a room are in use.
    func fill(_ index: Int, _ size: Int) { sizes.withLock { $0[index] = size } }

    /// What is in use of each room.
    var filled: [HeldRegion] {
        zip(rooms, sizes.withLock { $0 }).map { room, size in
            HeldRegion(memory: memory, range: room.prefix(size))
        }
    }
}
