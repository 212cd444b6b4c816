internal import Synchronization

/// A hash that is being computed (`EVP_MD_CTX`), by one thread at a time.
final class RunningHash: Sendable {
    private let library: HashFunction.Library
    private let context: UInt
    private let hasFailed = Atomic(false)
    /// Bytes of the longest hash (`EVP_MAX_MD_SIZE`).
    private static let mostBytes = 64

    init(_ library: HashFunction.Library, _ function: UInt) throws(Failure) {
        let context = library.make()
        guard context != 0 else { throw .hash("libcrypto is out of memory") }
        self.library = library
        self.context = context
        guard library.begin(context, function, 0) == 1 else { throw .hash("libcrypto can't start a hash") }
    }

    deinit { library.free(context) }

    /// Adds bytes; `finish` reports a failure.
    func append(_ bytes: UnsafeRawBufferPointer) {
        if library.append(context, bytes.baseAddress, bytes.count) != 1 { hasFailed.store(true, ordering: .relaxed) }
    }

    /// The final hash in hexadecimal digits.
    ///
    /// - Throws: `hash`.
    func finish() throws(Failure) -> String {
        var bytes = [UInt8](repeating: 0, count: Self.mostBytes)
        var count: UInt32 = 0
        guard !hasFailed.load(ordering: .relaxed), library.finish(context, &bytes, &count) == 1 else {
            throw .hash("libcrypto can't compute the hash")
        }
        return bytes.prefix(Int(count)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
