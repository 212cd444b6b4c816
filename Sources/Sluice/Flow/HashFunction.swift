internal import Glibc

/// A hash function of OpenSSL's libcrypto, such as sha256.
///
/// The library is loaded with the first function, so other runs don't pay for it (docs/decisions/hashes.md).
public struct HashFunction: Sendable {
    /// The functions that coreutils have a command for, by libcrypto's names.
    public static let names = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512", "blake2b512"]

    let library: Library
    // The address of an `EVP_MD`, which belongs to the library and is only read.
    private let function: UInt

    /// Loads the library, and looks up the function (`EVP_get_digestbyname`).
    ///
    /// - Parameter name: one of `names`.
    /// - Throws: `hash` if there is no libcrypto, or it does not have the function.
    public init(_ name: String) throws(Failure) {
        let library = try Library()
        let function = Self.names.contains(name) ? library.find(name) : 0
        guard function != 0 else {
            throw .hash("this libcrypto does not support \(name)")
        }
        self.init(library, function)
    }

    /// - Parameter function: the address of an `EVP_MD`; with 0, nothing can begin.
    init(_ library: Library, _ function: UInt) { (self.library, self.function) = (library, function) }

    /// - Throws: `hash`.
    func begin() throws(Failure) -> RunningHash { try RunningHash(library, function) }

    /// Functions of `libcrypto.so.3` or its predecessor (openssl/evp.h), with addresses for the library's own pointers.
    struct Library: Sendable {
        let find: @convention(c) (UnsafePointer<CChar>) -> UInt
        let make: @convention(c) () -> UInt
        let begin: @convention(c) (UInt, UInt, UInt) -> Int32
        let append: @convention(c) (UInt, UnsafeRawPointer?, Int) -> Int32
        let finish: @convention(c) (UInt, UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt32>?) -> Int32
        let free: @convention(c) (UInt) -> Void

        init() throws(Failure) {
            let names = ["libcrypto.so.3", "libcrypto.so.1.1"]
            guard let handle = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
                throw .hash("can't load \(names[0]), which computes hashes")
            }
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
