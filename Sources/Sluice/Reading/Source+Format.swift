package import ByteStreams
package import ForeignCodec
internal import Glibc

extension Source {
    /// The format other than Zstandard in which a file is, as its first bytes tell; nil if they tell none.
    package var foreignFormat: ForeignFormat? {
        var magic = [UInt8](repeating: 0, count: ForeignFormat.magicSize)
        guard isFile, pread(descriptor.rawValue, &magic, magic.count, off_t(clamping: start)) == magic.count else {
            return nil
        }
        return ForeignFormat(magic: magic)
    }
}
