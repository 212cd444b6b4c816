import Sluice
import SystemPackage
import ZstdCodec

/// What the options mean: each group of them is checked, and becomes settings, in a file of its own.
extension Settings {
    /// - Parameters:
    ///   - special: options that few runs have, if there are any.
    ///   - paths: what the options' path indices stand for.
    ///   - operands: standard input alone makes a filter.
    ///   - followsZstd: whether the command was called by a name of zstd's.
    ///   - memory: of the machine, in bytes.
    ///   - environment: the value of a variable, nil if it is not set.
    init(
        _ options: Options, special: SpecialOptions? = nil, paths: [FilePath], operands: [FilePath] = [],
        followsZstd: Bool = false,
        memory: UInt64 = Machine.memory ?? .max,
        environment: (String) -> String?
    ) throws(UsageError) {
        var verb = (options.mode.mode ?? .standard).verb
        if let part = try special?.part.verb(for: verb, environment) { verb = part }
        let isPart = special?.range.areGiven == true && verb.heeds.contains(.parts)
        let isDamaged = special?.recovery.recover != nil && verb.heeds.contains(.recovery)
        self.init(isDamaged ? Recover() : isPart ? Extract() : verb, followsZstd: followsZstd)
        listsJSON = options.mode.json
        if listsJSON, !self.verb.heeds.contains(.json) { throw UsageError("--json goes with -l, or with --recover") }
        reading = options.advanced.reading
        splitsFrames = !options.advanced.decodesOnOneCore
        try take(options.compression, isUltra: special?.allowsUltra == true, environment)
        if let special {
            try take(special.dictionary, paths)
            try take(special.tuning)
        }
        // A single frame is cut into jobs, for libzstd's own workers.
        if isSingleFrame, let size = compression.chosenFrameSize { compression.parameters[.jobSize] = size }
        try take(options.limits, window: try windowLog(options.compression), environment)
        take(options.input, paths)
        take(options.output, paths, operands)
        if let special {
            try take(special.recovery, special.range)
            try take(special.proof, paths, operands)
            try take(special.range, paths, operands)
            try take(special.interruption, operands)
        }
        try takeParts(options, special, paths, operands)
        try checkAppending()
        try take(options.messages, paths)
        try takeTraining(options, special?.dictionary)
        if verb.heeds.contains(.measuring) { try take(special?.benchmark) }
        warnOfConflicts(memory: memory)
    }

    /// The number in a variable of the environment; nil if it is not set, or has no number of 32 bits, as zstd's have.
    static func number(
        _ name: String, _ kind: String, isSigned: Bool, _ environment: (String) -> String?, _ warnings: inout [String]
    ) -> Int? {
        guard let word = environment(name) else { return nil }
        if let number = Int(word), number.magnitude <= UInt32.max, isSigned || word.first?.isNumber == true {
            return number
        }
        warnings.append("ignoring \(name)=\(FilePath(word).printable): not \(kind)")
        return nil
    }

    static func bytes(_ text: String?, for option: String) throws(UsageError) -> UInt64? {
        guard let text else { return nil }
        guard let bytes = ByteCount.parse(text) else {
            throw UsageError("\(option) takes a number of bytes, such as 8M, not \(FilePath(text).printable)")
        }
        return bytes
    }
}
