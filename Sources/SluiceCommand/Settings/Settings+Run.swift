import Sluice
import SystemPackage
import ZstdCodec

extension Settings {
    /// More names than these are only counted.
    private static let namedFiles = 100

    /// What is about to be run, as its statistics tell it.
    func run(of operands: [FilePath]) -> Statistics.Run {
        var run = Statistics.Run(
            verb.activity, threads: verb.activity.content == .both ? 1 : threads, date: Date.now,
            sluiceVersion: Version.number,
            libzstdVersion: Version.library)
        run.inputs = operands.prefix(Self.namedFiles).map(Operand.name)
        run.inputCount = operands.count
        run.outputs = outputNames(of: operands)
        run.rateLimitBytesPerSecond = rateLimit?.fixed
        if buffer > 0 { run.bufferBytes = buffer }
        if fillBeforeWriting > 0 { run.bufferStart = fillBeforeWriting }
        run.part = share.map { Statistics.Share($0.number, of: $0.count) }
        if removesSource { run.removesSources = true }
        if verb.activity.hasOutput, output != .standardOutput, !isFilter(operands) { run.sync = isSynced }
        run.dictionary = dictionary?.printable
        run.patchSource = patchSource?.printable
        verb.describe(&run, self)
        return run
    }

    private func outputNames(of operands: [FilePath]) -> [String] {
        if !verb.activity.hasOutput { return [] }
        switch output {
        case .path(let path): return [path.printable]
        case .standardOutput: return [Self.standardOutput]
        case .derived:
            if isFilter(operands) { return [Self.standardOutput] }
            return operands.prefix(Self.namedFiles).compactMap { operand in
                operand == Operand.standardInput ? Self.standardOutput : derivedName(of: operand)?.printable
            }
        }
    }

    private static let standardOutput = "standard output"
}
