internal import Dispatch
internal import Glibc
internal import Synchronization

/// A hash function of OpenSSL's libcrypto, such as sha256.
///
/// The library is loaded with the first function, so other runs don't pay for it (docs/decisions/verification.md).
///
///     let options = RunOptions(hash: try HashFunction("sha256"))
///     let summary = try await Decompression().run(from: .file("a.zst"), to: .nothing, options: options)
///     print(summary.contentHash ?? "")
public struct HashFunction: Sendable {
    /// The functions that coreutils have a command for, by libcrypto's names.
    public static let names = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512", "blake2b512"]

    let library: Library
    /// An `EVP_MD`, which belongs to the library and is only read.
    nonisolated(unsafe) private let function: OpaquePointer?

    /// Loads the library, and looks up the function (`EVP_get_digestbyname`).
    ///
    /// - Parameter name: one of `names`.
    /// - Throws: `hash` if there is no libcrypto, or it does not have the function.
    public init(_ name: String) throws(Failure) {
        let library = try Library()
        guard Self.names.contains(name), let function = library.find(name) else {
            throw .hash("this libcrypto does not support \(name)")
        }
        self.init(library, function)
    }

    /// - Parameter function: the address of an `EVP_MD`; with nil, `begin` throws.
    init(_ library: Library, _ function: OpaquePointer?) { (self.library, self.function) = (library, function) }

    /// - Throws: `hash`.
    func begin() throws(Failure) -> RunningHash { try RunningHash(library, function) }

    /// The version of libcrypto, such as `3.0.17`, which is loaded to ask; nil if there is none.
    package static var libraryVersion: String? {
        guard let library = try? Library(), let text = library.version(0) else { return nil }
        // "OpenSSL 3.0.17 1 Jul 2025"
        return String(cString: text).split(separator: " ").dropFirst().first.map(String.init)
    }

    /// Functions of `libcrypto.so.3` or its predecessor (openssl/evp.h), with addresses for the library's own pointers.
    struct Library: Sendable {
        let version: @convention(c) (Int32) -> UnsafePointer<CChar>?
        let find: @convention(c) (UnsafePointer<CChar>) -> OpaquePointer?
        let make: @convention(c) () -> OpaquePointer?
        let begin: @convention(c) (OpaquePointer, OpaquePointer?, OpaquePointer?) -> Int32
        let append: @convention(c) (OpaquePointer, UnsafeRawPointer?, Int) -> Int32
        let finish: @convention(c) (OpaquePointer, UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt32>?) -> Int32
        let free: @convention(c) (OpaquePointer) -> Void

        init() throws(Failure) {
            let names = ["libcrypto.so.3", "libcrypto.so.1.1"]
            guard let handle = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
                throw .hash("can't load \(names[0]), which computes hashes")
            }
            version = try Self.symbol("OpenSSL_version", in: handle)
            find = try Self.symbol("EVP_get_digestbyname", in: handle)
            make = try Self.symbol("EVP_MD_CTX_new", in: handle)
            begin = try Self.symbol("EVP_DigestInit_ex", in: handle)
            append = try Self.symbol("EVP_DigestUpdate", in: handle)
            finish = try Self.symbol("EVP_DigestFinal_ex", in: handle)
            free = try Self.symbol("EVP_MD_CTX_free", in: handle)
        }

        private static func symbol<Function>(
            _ name: String, in handle: UnsafeMutableRawPointer
        ) throws(Failure) -> Function {
            guard let symbol = dlsym(handle, name) else { throw .hash("this libcrypto has no \(name)") }
            return unsafeBitCast(symbol, to: Function.self)
        }
    }
}

/// A hash that is being computed (`EVP_MD_CTX`), by one thread at a time.
final class RunningHash: Sendable {
    private let library: HashFunction.Library
    /// Owned by this object, whose user lets one thread at a time use it.
    nonisolated(unsafe) private let context: OpaquePointer
    private let hasFailed = Atomic(false)
    /// Bytes of the longest hash (`EVP_MAX_MD_SIZE`).
    private static let mostBytes = 64

    init(_ library: HashFunction.Library, _ function: OpaquePointer?) throws(Failure) {
        guard let context = library.make() else { throw .hash("libcrypto is out of memory") }
        self.library = library
        self.context = context
        guard library.begin(context, function, nil) == 1 else { throw .hash("libcrypto can't start a hash") }
    }

    deinit { library.free(context) }

    /// Adds bytes; `finish` reports a failure.
    func append(_ bytes: RawSpan) {
        let code = bytes.withUnsafeBytes { library.append(context, $0.baseAddress, $0.count) }
        if code != 1 { hasFailed.store(true, ordering: .relaxed) }
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

/// Hashes the content of a run in order, beside the run, on its own queue.
final class ContentHash: OutputObserver {
    private let hash: RunningHash
    private let queue = DispatchQueue(label: "sluice.hash")
    private let underWay = DispatchGroup()

    /// - Parameter hash: used by nothing else.
    init(_ hash: RunningHash) {
        self.hash = hash
    }

    /// Adds bytes of the input after waiting for those before them, so that the hash keeps no more than these in
    /// memory.
    func appendInTurn(_ bytes: Bytes) {
        underWay.wait()
        append(bytes)
    }

    /// Adds bytes without waiting; the caller says when their memory is free.
    func append(_ bytes: Bytes) {
        queue.async(group: underWay) { [hash] in
            bytes.forEachRegion { hash.append($0) }
        }
    }

    /// Adds bytes of the output. Their memory is free when they are written and hashed.
    func take(_ bytes: Bytes, _ lease: Lease?) {
        append(bytes)
        queue.async { withExtendedLifetime(lease) {} }
    }

    /// The final hash in hexadecimal digits.
    ///
    /// - Throws: `hash` if the library failed.
    func finish() throws(Failure) -> String {
        underWay.wait()
        return try hash.finish()
    }
}
