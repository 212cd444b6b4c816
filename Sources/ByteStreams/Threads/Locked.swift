package import Synchronization

/// A value behind a lock, by reference: a `Mutex` can't be copied into an array or a closure.
package final class Locked<Value: ~Copyable>: Sendable {
    package let value: Mutex<Value>

    package init(_ value: consuming sending Value) { self.value = Mutex(value) }
}
