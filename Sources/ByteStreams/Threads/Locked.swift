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

/// Values that are expensive to make, such as contexts: each is taken from here by one thread, and put back.
package final class IdlePool<Value: ~Copyable>: Sendable {
    private let most: Int?
    private let idle = Mutex<[Locked<Value>]>([])

    /// - Parameter most: how many idle values are kept; nil for one for each processor that the process may use.
    package init(keeping most: Int? = nil) { self.most = most }

    /// Calls a body with an idle value, or with a new one if there is none, for its exclusive use.
    package func withValue<Result>(
        make: () throws(Failure) -> sending Value, _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> Result {
        let taken = idle.withLock { $0.popLast() }
        let value = if let taken { taken } else { Locked(try make()) }
        // Most runs keep one, and need not know how many processors there are.
        defer { idle.withLock { if $0.isEmpty || $0.count < most ?? countedProcessors { $0.append(value) } } }
        return try value.withLock(body)
    }
}
