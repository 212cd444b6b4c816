package import ByteStreams
package import ForeignCodec
internal import Glibc

extension Source {
    /// The foreign format of a file according to its first bytes; nil if they belong to none.
    package var foreignFormat: ForeignFormat? {
        var magic = [UInt8](repeating: 0, count: ForeignFormat.magicSize)
        guard isFile, pread(descriptor.rawValue, &magic, magic.count, off_t(clamping: start)) == magic.count else {
            return nil
        }
        return ForeignFormat(magic: magic)
    }
}
