internal import Dispatch
internal import Synchronization

/// Hands on bytes that were read before, and then ends.
final class HeldSource: ByteSource {
    private let rest: Mutex<Bytes>

    init(_ bytes: Bytes) { rest = Mutex(bytes) }

    func read(_ count: Int, until deadline: DispatchTime?) -> Bytes? {
        rest.withLock { $0.isEmpty ? nil : $0.removeFirst(count) }
    }
}
