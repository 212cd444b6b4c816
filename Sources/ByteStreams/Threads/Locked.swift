public import Synchronization

/// A value behind a lock, as a reference: a `Mutex` can't be copied into an array or a closure.
@usableFromInline
package final class Locked<Value: ~Copyable>: Sendable {
    @usableFromInline
    let value: Mutex<Value>

    package init(_ value: consuming sending Value) { self.value = Mutex(value) }

    // Inlined, because otherwise each call would look up the type of the value.
    @inlinable
    package func withLock<Result: ~Copyable, Thrown: Error>(
        _ body: (inout sending Value) throws(Thrown) -> sending Result
    ) throws(Thrown) -> sending Result { try value.withLock(body) }
}

/// A pool of values that are expensive to create, such as contexts: a thread takes one, and puts it back.
package final class IdlePool<Value: ~Copyable>: Sendable {
    private let most: Int?
    private let idle = Mutex<[Locked<Value>]>([])

    /// - Parameter most: how many idle values are kept; nil for one per available processor.
    package init(keeping most: Int? = nil) { self.most = most }

    /// Calls a body with exclusive use of an idle value, or of a new one if none is idle.
    package func withValue<Result>(
        make: () throws(Failure) -> sending Value, _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> Result {
        let taken = idle.withLock { $0.popLast() }
        let value = if let taken { taken } else { Locked(try make()) }
        // Most runs keep one value, and never have to count the processors.
        defer { idle.withLock { if $0.isEmpty || $0.count < most ?? countedProcessors { $0.append(value) } } }
        return try value.withLock(body)
    }
}
