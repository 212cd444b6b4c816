internal import Synchronization

/// What one decoding takes for a window above the limit: all such windows of the process together have a quarter of the
/// memory that is available, because a program may decode many untrusted inputs at once.
final class SharedWindows: Sendable {
    /// Bytes that all of them have.
    private static let taken = Mutex<UInt64>(0)

    /// Bytes that this one has, until it is gone.
    private let own = Mutex<UInt64>(0)
    private let available: @Sendable () -> UInt64

    /// - Parameter available: bytes of memory.
    init(available: @escaping @Sendable () -> UInt64 = { AvailableMemory.now()?.bytes ?? 0 }) {
        self.available = available
    }

    deinit { Self.taken.withLock { $0 -= own.withLock { $0 } } }

    /// - Parameter window: bytes.
    func allows(_ window: UInt64) -> Bool {
        own.withLock { own in
            if window <= own { return true }
            guard window <= DecodingLimits.largestWindow else { return false }
            let most = available() / 4
            let isFree = Self.taken.withLock { taken in
                guard window <= most, taken - own <= most - window else { return false }
                taken += window - own
                return true
            }
            if isFree { own = window }
            return isFree
        }
    }
}
