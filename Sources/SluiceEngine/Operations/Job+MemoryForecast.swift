/// What a run takes of memory, and how it is reduced to fit.
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

    /// Reduces the run until it takes no more than `limit` bytes.
    ///
    /// The output changes only if its frames become smaller (`frameSize`), which is the last resort.
    ///
    /// - Returns: whether it fits; otherwise it is as small as possible.
    package mutating func fit(into limit: UInt64, inputSize: UInt64?, countsWindows: Bool = true) -> Bool {
        for reduction in MemoryReduction.allCases where reduction != .windows || countsWindows {
            while memory(inputSize: inputSize, countsWindows: countsWindows) > limit {
                guard reduceMemory(by: reduction) else { break }
            }
        }
        return memory(inputSize: inputSize, countsWindows: countsWindows) <= limit
    }

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

    private mutating func reduceMemory(by reduction: MemoryReduction) -> Bool {
        switch reduction {
        case .buffer where bufferSlots > 0: buffer = bufferSlots > 1 ? buffer / 2 : 0
        case .spareSlots where spareSlots > 1: spareSlots -= 1
        case .workers where threads > 1: threads -= 1
        default: return operation.reduceMemory(by: reduction)
        }
        return true
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

/// The ways in which a run takes less memory, in their order: the last ones cost most, or change the output.
package enum MemoryReduction: CaseIterable {
    /// Chunks larger than a slot come in segments, one at a time.
    case largeFrames
    case buffer, spareSlots
    /// Slots are smaller, as long as most frames still fit.
    case slots
    case workers
    /// Frames are smaller, or only smaller ones are held as a whole.
    case frames
    /// Frames with large windows are refused.
    case windows
}
