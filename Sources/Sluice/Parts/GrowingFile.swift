internal import ByteStreams
internal import Glibc
internal import Synchronization
package import SystemPackage
internal import ZstdCodec

/// A compressed file to which frames are added: a new file gets those that stand there, moved within the kernel where
/// it can, then what several runs make, and a seek table of all.
package final class GrowingFile: Sendable {
    /// So many bytes are moved before somebody asks whether to go on.
    private static let pieceSize: UInt64 = 64 << 20

    /// What stands there; nil for nothing.
    package let source: Source?
    private let standing: ExistingFrames
    private let envelope: Mutex<StreamEnvelope>

    /// Takes the file for itself (`flock`) for as long as the value lives, and reads its headers.
    ///
    /// - Parameters:
    ///   - descriptor: of the file, which is closed with the value; nil if there is none yet.
    ///   - name: what it is called in messages.
    ///   - options: for what is added.
    /// - Throws: `isBeingMade` if another process adds to it; `reading`; `codec` if it is not whole, or not
    ///   compressed; `unlisted`, `severalStreams`.
    package init(
        _ descriptor: FileDescriptor?, named name: FilePath, addingWith options: CompressionOptions
    ) throws(Failure) {
        if let descriptor {
            do throws(Failure) {
                // Where there are no locks, whoever comes second sees what the first has done before it gives its name.
                if flock(descriptor.rawValue, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { throw .isBeingMade(name) }
                let source = try Source(descriptor)
                (self.source, standing) = (source, try ExistingFrames(of: source))
            } catch {
                close(descriptor.rawValue)
                throw error
            }
        } else {
            (source, standing) = (nil, ExistingFrames())
        }
        envelope = Mutex(StreamEnvelope(options, behind: standing.entries, haveChecksums: standing.hasChecksums))
    }

    deinit { if let source { close(source.descriptor.rawValue) } }

    /// Writes what stands there.
    ///
    /// - Parameters:
    ///   - sink: where the new file begins.
    ///   - latch: ends it between two pieces, from elsewhere.
    /// - Throws: `sourceChanged`, `reading`, `writing`, `cancelled`.
    package func begin(on sink: Sink, latch: FailureLatch) throws(Failure) {
        guard let source else { return }
        var copy = FileCopy(to: sink.descriptor)
        while copy.written < standing.size {
            try latch.check()
            let count = min(Self.pieceSize, standing.size - copy.written)
            if try copy.append(from: source.descriptor, at: copy.written, most: count) == 0 { throw .sourceChanged }
        }
        guard let now = try? FileIdentity(source.descriptor), now.isUnchanged(since: source.identity) else {
            throw .sourceChanged
        }
    }

    /// Compresses behind what was written so far.
    package func adding(_ options: CompressionOptions, verification: Verification? = nil) -> Action {
        let compression = Compression(
            options: options, dictionary: nil, flushInterval: nil, verification: verification)
        return Action(operation: Appending(compression: compression, file: self))
    }

    /// Ends the new file.
    ///
    /// - Throws: `writing`.
    package func finish(on sink: Sink) throws(Failure) {
        var copy = FileCopy(to: sink.descriptor)
        try copy.append(envelope.withLock { $0.trailer() })
    }

    /// Whether a file is what was there when this began, so that the new one may have its name.
    package func isReplaced(by existing: FileIdentity?) -> Bool {
        guard let source else { return existing == nil }
        return existing?.isUnchanged(since: source.identity) ?? false
    }

    fileprivate func withEnvelope<Result: Sendable>(_ body: (inout StreamEnvelope) -> Result) -> Result {
        envelope.withLock { body(&$0) }
    }
}

/// Compresses to frames of a file that has some already.
private struct Appending: Operation {
    var compression: Compression
    let file: GrowingFile

    var contentSide: Statistics.Activity.Content { .input }
    var slotSize: Int { compression.slotSize }
    var frameSize: Int? { compression.frameSize }
    var leastSlots: Int { compression.leastSlots }

    func memory(of size: RunSize) -> Int {
        compression.memory(of: size) + file.withEnvelope { $0.memory }
    }

    mutating func save(_ saving: Saving) -> Bool { compression.save(saving) }

    func envelope(from source: Source, to sink: Sink?) -> (any Envelope)? { GrowingEnvelope(file: file) }

    func run(on engine: Engine) throws(Failure) -> Int { try compression.run(on: engine) }
}

/// What one of several runs sees of the envelope that they share: it has no end until the last of them.
private struct GrowingEnvelope: Envelope {
    let file: GrowingFile

    mutating func append(_ frame: Frame) -> [UInt8] {
        let entry = SeekTable.Entry(frame)
        return file.withEnvelope { $0.append(entry) }
    }

    var isFull: Bool { file.withEnvelope { $0.isFull } }
    var memory: Int { file.withEnvelope { $0.memory } }
    func trailer() -> [UInt8] { [] }
}
