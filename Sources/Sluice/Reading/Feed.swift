internal import Dispatch

/// Where the bytes of a run come from, if no channel of Dispatch reads them. One thread asks, and waits there.
protocol Feed: Sendable {
    /// Waits until there is something to take, or nothing more will come.
    ///
    /// - Parameter count: how many bytes are wanted.
    /// - Returns: how many bytes can be taken without waiting, where 1 may stand for the end or an error; nil at the
    ///   deadline or after `cancel`.
    func wait(for count: Int, until deadline: DispatchTime?) -> Int?
    /// Takes some bytes, no more than `count`: none if they were gone when it came to that, and nil at the end.
    func take(_ count: Int) throws(Failure) -> Bytes?
    /// Ends the waiting, now and for ever; any thread may call it.
    func cancel()
}
