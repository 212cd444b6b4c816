import Sluice
import SystemPackage

/// What is done otherwise than it was asked for.
extension Settings {
    /// Warns of options that do not go together, or ask for more than there is.
    ///
    /// - Parameter memory: of the machine, in bytes.
    mutating func warnOfConflicts(memory: UInt64) {
        if removesSource, !verb.activity.hasOutput || output == .standardOutput {
            warnings.append("the source stays: --rm needs an output file")
        }
        if flushInterval != nil, verb.activity.content != .input {
            warnings.append("--flush-interval is ignored: nothing is compressed")
        }
        if buffer > memory {
            warnings.append("--buffer is larger than the memory of this machine, \(ByteCount.format(memory))")
        }
        if fillBeforeWriting > 0, buffer == 0 {
            warnings.append("--buffer-start has no --buffer to fill: it waits for what the workers have in hand")
        }
        if reading != .auto, !verb.heeds.contains(.frames) || isSingleFrame || rateLimit != nil {
            warnings.append("--read is ignored: Dispatch reads what is not cut into frames, or has to keep to a rate")
        }
    }

    /// The warnings, with those that depend on the operands.
    func warnings(for operands: [FilePath]) -> [String] {
        let writesFile =
            switch output {
            case .standardOutput: false
            case .derived: operands != [Operand.standardInput]
            // Pipes and devices are written as they are.
            case .path(let path): (try? FileIdentity(at: path))?.kind ?? .file == .file
            }
        guard flushInterval != nil, verb.activity.content == .input, writesFile else { return warnings }
        return warnings + ["--flush-interval is for standard output: a file has its name at the end only"]
    }
}
