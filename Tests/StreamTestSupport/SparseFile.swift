package import SystemPackage

/// A file of `size` bytes with data at some offsets, and its whole content.
package func sparseFile(_ size: Int, dataAt offsets: [Int]) throws -> (FileDescriptor, [UInt8]) {
    let file = try NamelessFile()
    let descriptor = try file.descriptor.duplicate()
    try descriptor.resize(to: Int64(size))
    var content = [UInt8](repeating: 0, count: size)
    for offset in offsets {
        let data = sample(min(100_000, size - offset), seed: UInt64(offset + 1))
        _ = try descriptor.writeAll(toAbsoluteOffset: Int64(offset), data)
        content.replaceSubrange(offset..<offset + data.count, with: data)
    }
    return (descriptor, content)
}
