import Sluice
import SystemPackage
import ZstdCodec

extension Mode {
    /// What it is called where numbers are told; a list has none.
    var operation: Statistics.Operation {
        switch self {
        case .compress: .compress
        case .decompress: .decompress
        case .test, .list: .test
        case .copy: .copy
        }
    }
}

extension Settings {
    /// More names than these are only counted.
    private static let namedFiles = 100

    /// What is about to be run, as its statistics tell it.
    func run(of operands: [FilePath]) -> Statistics.Run {
        var run = Statistics.Run(
            mode.operation, threads: mode == .copy ? 1 : threads, date: Date.now, sluiceVersion: Version.number,
            libzstdVersion: Version.library)
        run.inputs = operands.prefix(Self.namedFiles).map(Input.name)
        run.inputCount = operands.count
        run.outputs = outputNames(of: operands)
        run.rateLimitBytesPerSecond = rateLimit
        if buffer > 0 { run.bufferBytes = buffer }
        if fillBeforeWriting > 0 { run.bufferStart = fillBeforeWriting }
        if removesSource { run.removesSources = true }
        if mode != .test, output != .standardOutput, !isFilter(operands) { run.sync = isSynced }
        switch mode {
        case .compress: describeCompression(&run)
        case .decompress, .test: run.windowLimitBytes = windowLimit
        case .list, .copy: break
        }
        return run
    }

    private func describeCompression(_ run: inout Statistics.Run) {
        run.level = compression.level
        run.checksum = compression.hasChecksum
        run.singleFrame = isSingleFrame
        run.longWindowBytes = compression.longWindowLog.map { 1 << UInt64($0) }
        run.flushIntervalSeconds = flushInterval?.seconds
        guard !isSingleFrame else { return }
        run.frameSizeBytes = compression.frameSize
        if rateLimit == nil { run.reading = reading.rawValue }
    }

    private func outputNames(of operands: [FilePath]) -> [String] {
        if mode == .test { return [] }
        switch output {
        case .path(let path): return [path.printable]
        case .standardOutput: return [Self.standardOutput]
        case .derived:
            if isFilter(operands) { return [Self.standardOutput] }
            return operands.prefix(Self.namedFiles).compactMap { operand in
                operand == Input.standardInput ? Self.standardOutput : derivedName(of: operand)?.printable
            }
        }
    }

    private static let standardOutput = "standard output"
}
