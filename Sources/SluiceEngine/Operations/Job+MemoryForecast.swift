/// What a run takes of memory.
extension Job {
    /// The most bytes that a run would take, the process included.
    ///
    /// - Parameter countsWindows: whether frames are taken to have the largest window that is accepted.
    package func memory(inputSize: UInt64?, countsWindows: Bool = true) -> UInt64 {
        let size = RunSize(
            workers: workerCount, threads: threads, slots: slotCount, inputSize: inputSize,
            countsWindows: countsWindows)
        return UInt64(clamping: Self.baseMemory + hashMemory + operation.memory(of: size))
    }

    /// A chunk may still be hashed when its slot was given back.
    var hashMemory: Int { hash != nil && operation.readsContent ? operation.slotSize : 0 }

    /// Accepts larger windows than the operation does by itself, one at a time.
    ///
    /// - Parameter singleWindow: bytes.
    package mutating func accept(singleWindow: UInt64) {
        guard operation.decompresses, var decoding = operation as? any DecodingOperation else { return }
        decoding.decompression.accept(singleWindow: singleWindow)
        operation = decoding
    }

    /// The largest window that is accepted, in bytes; nil if nothing is decoded.
    package var windowLimit: UInt64? {
        operation.decompresses ? (operation as? any DecodingOperation)?.decompression.largestWindow : nil
    }
}

/// The numbers that a run's memory depends on, besides its operation.
package struct RunSize {
    let workers: Int
    /// Threads that the run may use, besides those that wait.
    let threads: Int
    let slots: Int
    /// Bytes of the input, if they are known.
    let inputSize: UInt64?
    /// Whether the windows of decompressed frames count; otherwise the user chose them, and they come on top.
    let countsWindows: Bool
}
