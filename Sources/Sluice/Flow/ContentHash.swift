internal import Dispatch

/// Hashes the content of a run in order, beside the run, on a queue of its own.
final class ContentHash: Sendable {
    private let hash: RunningHash
    private let queue = DispatchQueue(label: "sluice.hash")
    private let underWay = DispatchGroup()

    /// - Parameter hash: belongs to this one alone.
    init(_ hash: RunningHash) {
        self.hash = hash
    }

    /// Adds bytes of the input after waiting for those before them, so that the hash keeps no more than these in
    /// memory.
    func take(_ bytes: Bytes) {
        underWay.wait()
        append(bytes)
    }

    /// Adds bytes without waiting; their memory counts as held until `afterAll`.
    func append(_ bytes: Bytes) {
        queue.async(group: underWay) { [hash] in
            bytes.forEachRegion { hash.append($0) }
        }
    }

    /// Runs the body when everything added is hashed, and nothing of it is kept.
    func afterAll(_ body: @escaping @Sendable () -> Void) {
        queue.async(execute: body)
    }

    /// The final hash in hexadecimal digits.
    ///
    /// - Throws: `hash` if the library failed.
    func finish() throws(Failure) -> String {
        underWay.wait()
        return try hash.finish()
    }
}
