internal import Synchronization

/// The memory that one decoding takes for a window above the limit. All such windows of the process share a quarter of
/// the available memory, because a program may decode many untrusted inputs at once.
final class LargeWindowBudget: Sendable {
    /// Bytes taken by all of them.
    private static let taken = Mutex<UInt64>(0)

    /// Bytes taken by this one, until it is released.
    private let own = Mutex<UInt64>(0)
    private let available: @Sendable () -> UInt64

    /// - Parameter available: bytes of memory.
    init(available: @escaping @Sendable () -> UInt64 = { AvailableMemory.now()?.bytes ?? 0 }) {
        self.available = available
    }

    deinit { Self.taken.withLock { $0 -= own.withLock { $0 } } }

    /// Takes the memory of a window of so many bytes; false if there is none.
    func reserve(_ window: UInt64) -> Bool {
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
