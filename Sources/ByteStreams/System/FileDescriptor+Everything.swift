internal import Glibc
package import SystemPackage

extension FileDescriptor {
    /// Reads until the memory is full or the data ends, again whenever a signal interrupts it.
    ///
    /// - Parameters:
    ///   - least: bytes that are enough; nil for as many as there is room for.
    ///   - position: bytes before them in the file; nil for those where the descriptor stands.
    /// - Returns: how many bytes there were.
    package func fill(
        _ memory: UnsafeMutableRawBufferPointer, atLeast least: Int? = nil, from position: UInt64? = nil
    ) throws(Errno) -> Int {
        var count = 0
        while count < least ?? memory.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: memory[count...])
            let part = try systemCall {
                guard let position else { return Glibc.read(rawValue, rest.baseAddress, rest.count) }
                return Glibc.pread(rawValue, rest.baseAddress, rest.count, off_t(clamping: position + UInt64(count)))
            }
            if part == 0 { break }
            count += part
        }
        return count
    }

    /// The same, into an array of so many elements.
    package func fill(
        _ buffer: inout [UInt8], atLeast least: Int? = nil, from position: UInt64? = nil
    ) throws(Errno) -> Int {
        var span = buffer.mutableSpan
        return try span.withUnsafeMutableBytes { memory throws(Errno) in
            try fill(memory, atLeast: least, from: position)
        }
    }

    /// Writes everything, again whenever a signal interrupts it, and when there is room, where a pipe does not wait for
    /// that by itself.
    ///
    /// - Parameter rest: what is to be written; on return nothing, on failure what was not.
    package func writeEverything(_ rest: inout UnsafeRawBufferPointer) throws(Errno) {
        while !rest.isEmpty {
            do throws(Errno) {
                let part = try systemCall { Glibc.write(rawValue, rest.baseAddress, rest.count) }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part))
            } catch .wouldBlock {
                var room = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                try systemCall { poll(&room, 1, -1) }
            }
        }
    }
}
