package import ByteStreams
internal import Parity

/// Checks the parity of a file, and what it protects; then decompresses and verifies the frames.
///
/// The run fails with `parity` if anything is not as it was written.
package struct ParityTest: DecodingOperation {
    package var decompression: Decompression
    let parityMemory: Int
    /// The memory in bytes that a limit leaves for parity.
    private var allowed: Int?

    /// - Throws: `noFile`, `reading`.
    package init(
        of source: Source, _ decompression: Decompression = Decompression()
    ) throws(Failure) {
        guard source.isRandomAccess else { throw .noFile }
        self.decompression = decompression
        parityMemory = try CheckedParity.memory(of: source)
    }

    package func memory(of size: RunSize) -> Int { decompression.memory(of: size) + parityMemory }

    package func parityMemory(inputSize: UInt64?) -> Int? { parityMemory > 0 ? parityMemory : nil }
    package mutating func allowParity(_ bytes: Int) { allowed = bytes }

    /// The bytes of parity in the stream at the end of a file; 0 if it has none.
    package static func paritySize(of source: Source) throws(Failure) -> UInt64 { try CheckedParity.size(in: source) }

    package mutating func begin(from source: inout Source, to sink: Sink?) throws(Failure) -> (any Envelope)? {
        try decompression.begin(from: &source, to: sink)
    }

    package func run(on engine: Engine) throws(Failure) {
        // Of a file on a server, blocks are not asked for one by one.
        let source = engine.reader.source.readAhead
        guard let size = source.size else { throw .noFile }
        let file = DamagedFile(source, size: size, latch: engine.latch)
        let checked = try CheckedParity(
            file, source, engine.latch, decompression.ownLimits, mostMemory: CheckedParity.mostMemory(allowed))
        let finding = try RepairFinding.of(checked).finding
        if !finding.isWhole, !(source.ignoresZeros && finding.isWholeBeforeZeros) {
            let remedy = finding.obstacle == nil ? "can be repaired" : "can't be repaired"
            throw Failure(.parity, "not as it was made: \(finding.words); \(remedy)")
        }
        try decompression.run(on: engine)
    }
}
