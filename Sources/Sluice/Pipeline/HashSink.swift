/// A sink that hashes the content on its way to another, beside the run.
final class HashSink: SurroundingSink {
    let inner: any ContentSink
    private let hash: ContentHash

    init(_ inner: any ContentSink, _ hash: ContentHash) { (self.inner, self.hash) = (inner, hash) }

    func write(_ frame: consuming ChunkResult) throws(Failure) {
        hash.append(frame.bytes)
        // The memory is free when it is written and hashed.
        hash.afterAll { [lease = frame.lease] in withExtendedLifetime(lease) {} }
        try inner.write(frame)
    }
}
