/// How a run is reduced to fit into the memory that there is.
extension Job {
    /// Reduces the run until it takes no more than `limit` bytes.
    ///
    /// The output changes only if its frames become smaller (`frameSize`), which is the last resort.
    ///
    /// - Returns: whether it fits; otherwise it is as small as possible.
    package mutating func fit(into limit: UInt64, inputSize: UInt64?, countsWindows: Bool = true) -> Bool {
        for reduction in MemoryReduction.allCases where reduction != .windows || countsWindows {
            // A recovery runs even if it does not fit. What parity may take is half of the memory, as without a limit.
            if reduction == .frames, let recovery = operation as? Recovery, recovery.parityMemory <= limit / 2 {
                continue
            }
            while memory(inputSize: inputSize, countsWindows: countsWindows) > limit {
                guard reduceMemory(by: reduction) else { break }
            }
        }
        let memory = memory(inputSize: inputSize, countsWindows: countsWindows)
        // What the rest of the job leaves may go to any parity, also to that which was not seen at the file's end. The
        // forecast is generous, so an eighth of the memory is free in any case.
        let rest = memory - min(memory, UInt64(operation.parityMemory(inputSize: inputSize) ?? 0))
        operation.allowParity(Int(clamping: max(limit - min(limit, rest), limit / 8)))
        return memory <= limit
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
