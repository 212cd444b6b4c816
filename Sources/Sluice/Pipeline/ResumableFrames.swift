internal import Synchronization
internal import SystemPackage
internal import ZstdCodec

/// The whole frames that an earlier run has left of an output, each for the worker that makes the frame of its place.
///
/// They are read in their order, as soon as a worker asks for one: those before it wait for theirs. None is believed:
/// who takes one proves what it holds.
final class ResumableFrames: Sendable {
    private struct State {
        var scanner = FrameScanner()
        /// The place of the frame that is read next.
        var next = 0
        var waiting: [Int: [UInt8]] = [:]
        /// What was read and not scanned yet, and where the file goes on behind it.
        var piece: ArraySlice<UInt8> = []
        var position: UInt64 = 0
        var hasEnded = false
    }

    /// What is read at once, in bytes.
    private static let pieceSize = 1 << 20

    private let descriptor: FileDescriptor
    /// Bytes of content of each frame but the last, and the most that one has.
    private let frameSize: Int
    private let frameBound: Int
    private let haveChecksums: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - descriptor: of a file that can be read, from its first byte on.
    ///   - frameSize: bytes of content of each frame but the last.
    ///   - frameBound: bytes that a frame has at most.
    ///   - haveChecksums: whether frames end in one; where one does not as it should, they end.
    init(_ descriptor: FileDescriptor, frameSize: Int, frameBound: Int, haveChecksums: Bool) {
        self.haveChecksums = haveChecksums
        self.descriptor = descriptor
        self.frameSize = frameSize
        self.frameBound = frameBound
    }

    /// Takes the frame of the content that begins at `offset`; nil if there is none, or what is there is no frame.
    func take(at offset: UInt64) -> [UInt8]? {
        let place = Int(offset / UInt64(frameSize))
        return state.withLock { state in
            while !state.hasEnded, state.next <= place {
                guard let frame = read(&state) else {
                    (state.hasEnded, state.piece) = (true, [])
                    break
                }
                state.waiting[state.next] = frame
                state.next += 1
            }
            return state.waiting.removeValue(forKey: place)
        }
    }

    /// The next frame that has content; nil if what comes next is no whole one.
    private func read(_ state: inout State) -> [UInt8]? {
        var frame: [UInt8] = []
        while frame.count <= frameBound {
            if state.piece.isEmpty {
                var piece = [UInt8](repeating: 0, count: Self.pieceSize)
                guard let count = try? descriptor.fill(&piece, from: state.position), count > 0 else { return nil }
                state.piece = piece[..<count]
                state.position += UInt64(count)
            }
            let piece = state.piece
            let found = piece.span.bytes.withUnsafeBytes { try? state.scanner.scan($0) }
            guard let (scanned, ended) = found else { return nil }
            frame += piece.prefix(scanned)
            state.piece = piece.dropFirst(scanned)
            guard let ended else { continue }
            if let header = ended.header { return header.hasChecksum == haveChecksums ? frame : nil }
            frame = []
        }
        return nil
    }
}
