internal import Synchronization

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
