internal import Synchronization

/// A value behind a lock, by reference: a `Mutex` can't be copied into an array or a closure.
package final class Locked<Value: ~Copyable>: Sendable {
    private let value: Mutex<Value>

    package init(_ value: consuming sending Value) { self.value = Mutex(value) }

    package func withLock<Result: ~Copyable, Thrown: Error>(
        _ body: (inout sending Value) throws(Thrown) -> sending Result
    ) throws(Thrown) -> sending Result { try value.withLock(body) }
}
