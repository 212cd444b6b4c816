import SluiceEngine

extension Settings {
    /// Bytes needed to decode, beside the window: the process, and the buffered input and output of a frame.
    private static let besideWindow = UInt64(Job.baseMemory + 48 << 20)

    /// A hint for data that may need a dictionary or the reference of a patch, though it does not say so; nil if one
    /// was given.
    var referenceHint: String? {
        guard command.optionGroups.contains(.patches), references.decompressionDictionary == nil else { return nil }
        return "if it needs a dictionary, name it with -D FILE; "
            + "if it is a patch, name the old version with --patch-from=FILE"
    }

    /// A command that succeeds where this one failed: one that allows the window and the memory it needs, or recovers
    /// the intact content of a damaged file; nil if there is none.
    func remedy(for failure: Failure, of source: FilePath?) -> String? {
        let file = source.flatMap { isStandardInput($0) ? nil : $0 }
        if case .damagedSeekTable? = failure.codecFailure, decoding.isExcerpt, let file {
            let reader = input.remote[file] == nil ? "cat" : "curl"
            return "\(reader) \(file.quoted) | sluice -d, with the same range, needs no seek table"
        }
        let mayRecover = command.optionGroups.contains(.recovery) && !command.optionGroups.contains(.json)
        if mayRecover, failure.isOfDamage, let file {
            let reference = failure == .codec(.patchWithoutReference) ? referenceHint : nil
            return (reference.map { $0 + "; if neither, " } ?? "")
                + "sluice -d --recover \(file.quoted) recovers what is intact"
        }
        if failure == .codec(.patchWithoutReference) { return referenceHint }
        guard case .windowTooLarge(let bytes, _, _)? = failure.codecFailure, source != nil,
            let log = CompressionOptions.windowLog(for: bytes)
        else { return nil }
        var words = [FilePath("sluice"), FilePath(activity.hasOutput ? "-d" : "-t"), FilePath("--long=\(log)")]
        if isForced { words.append("-f") }
        switch output.destination {
        case .standardOutput: words.append("-c")
        case .path(let path), .object(let path): words += ["-o", path]
        case .derived: break
        }
        words.append(file ?? Operand.standardInput)
        let command = words.map(\.quoted).joined(separator: " ")
        return "\(command) decodes it, with up to \(ByteCount.format(bytes + Self.besideWindow)) of memory"
    }

    /// Whether a name in a message means standard input, rather than a file of that name.
    private func isStandardInput(_ name: FilePath) -> Bool {
        name == Operand.standardInputName && !operands.contains(name)
    }
}
