internal import CKernel
internal import Glibc
package import SystemPackage

/// Puts bytes of files behind each other, where a descriptor stands: within the kernel, which on some file systems only
/// shares their blocks, as long as it does that.
package struct FileCopy {
    /// What is read at once where the kernel does not copy, in bytes.
    private static let bufferSize = 1 << 20

    private let output: FileDescriptor
    /// Nil as long as the kernel copies.
    private var buffer: [UInt8]?
    /// Bytes that were written.
    package private(set) var written: UInt64 = 0

    package init(to output: FileDescriptor) { self.output = output }

    /// Writes bytes of no file.
    ///
    /// - Throws: `writing`.
    package mutating func append(_ bytes: [UInt8]) throws(Failure) {
        try write(bytes[...])
    }

    /// Copies some bytes of a file.
    ///
    /// - Parameter look: sees each byte before it is written, for which all of them have to be read.
    /// - Returns: how many, at most those that were asked for; 0 where the file ends.
    /// - Throws: `reading`, `writing`.
    package mutating func append(
        from input: FileDescriptor, at offset: UInt64, most count: UInt64,
        look: ((UnsafeRawBufferPointer) -> Void)? = nil
    ) throws(Failure) -> UInt64 {
        if buffer == nil, look == nil {
            let moved = try? systemCall {
                sluice_copy_range(input.rawValue, Int64(clamping: offset), output.rawValue, Int(count))
            }
            if let moved, moved > 0 {
                written += UInt64(moved)
                return UInt64(moved)
            }
            // To read and to write tells whose fault it is, and there are file systems where nothing is copied.
            buffer = [UInt8](repeating: 0, count: Self.bufferSize)
        }
        var bytes = buffer.take() ?? [UInt8](repeating: 0, count: Self.bufferSize)
        defer { buffer = bytes }
        let count = min(Int(clamping: count), bytes.count)
        let taken: Int
        do throws(Errno) {
            var span = bytes.mutableSpan
            taken = try span.withUnsafeMutableBytes { memory throws(Errno) in
                try input.fill(UnsafeMutableRawBufferPointer(rebasing: memory[..<count]), from: offset)
            }
        } catch {
            throw .reading(error)
        }
        if let look {
            bytes.span.bytes.withUnsafeBytes { look(UnsafeRawBufferPointer(rebasing: $0[..<taken])) }
        }
        try write(bytes[..<taken])
        return UInt64(taken)
    }

    private mutating func write(_ bytes: ArraySlice<UInt8>) throws(Failure) {
        try Failure.writing { () throws(Errno) in
            try bytes.span.bytes.withUnsafeBytes { bytes throws(Errno) in
                var rest = bytes
                try output.writeEverything(&rest)
            }
        }
        written += UInt64(bytes.count)
    }
}
