import Sluice
import SystemPackage
import ZstdCodec

/// What becomes of a run that does not come to its end.
extension Settings {
    mutating func take(_ options: InterruptionOptions, _ operands: [FilePath]) throws(UsageError) {
        onFull = options.onFull
        guard options.resume else { return }
        guard verb.heeds.contains(.resuming) else {
            throw UsageError("--resume goes with compressing and decompressing whole files")
        }
        if operands.count != 1 || operands == [Operand.standardInput] || isRecursive || !fileLists.isEmpty {
            throw UsageError("--resume takes one file that is named", hint: "a loop does it with each")
        }
        if output == .standardOutput { throw UsageError("--resume needs an output that is a file: -o FILE") }
        let others = [
            (isSingleFrame, "a single frame (--single-frame, --long)"), (compression.cutsByContent, "--rsyncable"),
            (compression.adaptiveLevels != nil, "--adapt"), (flushInterval != nil, "--flush-interval"),
            (dictionary != nil, "-D"),
        ]
        if verb.activity.content == .input, let other = others.first(where: \.0)?.1 {
            throw UsageError(
                "--resume and \(other) do not go together",
                hint: "independent frames, each made from its content alone, can be gone on with")
        }
        resumes = true
    }
}
