public import Synchronization

/// A value behind a lock, by reference: a `Mutex` can't be copied into an array or a closure.
@usableFromInline
package final class Locked<Value: ~Copyable>: Sendable {
    @usableFromInline
    let value: Mutex<Value>

    package init(_ value: consuming sending Value) { self.value = Mutex(value) }

    // Inlined, since the type of the value would be looked up with each call.
    @inlinable
    package func withLock<Result: ~Copyable, Thrown: Error>(
        _ body: (inout sending Value) throws(Thrown) -> sending Result
    ) throws(Thrown) -> sending Result { try value.withLock(body) }
}
