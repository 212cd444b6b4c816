internal import ZstdCodec

/// How far the headers of a frame's blocks lead, from one to the next.
struct FrameWalk {
    enum Ending {
        /// To the frame's end.
        case whole
        /// To the end of the file.
        case cut
        /// To something that is no block, or there is no frame.
        case flawed(CodecFailure)
    }

    /// As far as it was seen.
    let frame: FrameScanner.Frame
    let ending: Ending
    /// Where the way ends in the file.
    let end: UInt64

    /// Its bytes in the file, as far as the way leads.
    var input: Range<UInt64> { frame.offset..<end }
    /// Whether it leads to the frame's end.
    var isWhole: Bool { if case .whole = ending { true } else { false } }

    /// Walks from a place in the file on.
    init(from start: UInt64, in file: DamagedFile, _ window: FileWindow) throws(Failure) {
        var scanner = FrameScanner(offset: start)
        while scanner.offset < file.size {
            let bytes = try window.bytes(at: scanner.offset, atLeast: 32)
            do throws(CodecFailure) {
                var (_, ended) = try scanner.scan(bytes)
                if ended == nil {
                    ended = try scanner.skip(min(scanner.bytesToSkip, file.size - scanner.offset))
                }
                guard let ended else { continue }
                self.init(frame: ended, ending: .whole, end: scanner.offset)
                return
            } catch {
                let frame = scanner.current ?? FrameScanner.Frame(offset: start)
                self.init(frame: frame, ending: .flawed(error), end: min(file.size, max(start, scanner.offset)))
                return
            }
        }
        self.init(frame: scanner.current ?? .init(offset: start), ending: .cut, end: file.size)
    }

    private init(frame: FrameScanner.Frame, ending: Ending, end: UInt64) {
        (self.frame, self.ending, self.end) = (frame, ending, end)
    }

    /// The frame, for a worker.
    func tried(_ claim: Claim) -> TriedFrame {
        TriedFrame(input: input, bound: frame.decompressedBound, claim: claim)
    }

    /// How much content its header says that it has, as far as so many bytes can hold it; nil if that can't be known.
    func contentSize(in inputSize: UInt64) -> UInt64? {
        guard let size = frame.header?.contentSize else { return nil }
        if isWhole { return size <= frame.blockBound ? size : nil }
        // The most that a block has, and the fewest bytes that a block takes.
        let (most, overflow) = (inputSize / 4 + 1).multipliedReportingOverflow(by: 128 << 10)
        return overflow || size <= most ? size : nil
    }
}
