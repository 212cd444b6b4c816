internal import SystemPackage

/// Where the bytes of a run go, if no channel of Dispatch writes them.
protocol Drain: Sendable {
    /// Takes bytes that go out behind those before them. It waits for nobody.
    ///
    /// - Parameter whenDone: runs when they are out and nothing holds them here, or with the error when they can't be.
    func put(_ bytes: Bytes, whenDone: @escaping @Sendable (Errno?) -> Void)
    /// Nothing more goes out; `whenDone` of what waits runs with `canceled`. Any thread may call it.
    func cancel()
}
