import Sluice
import SystemPackage
import ZstdCodec

/// Which share of a file a machine does, and how shares become one file.
extension Settings {
    mutating func takeParts(
        _ options: Options, _ special: SpecialOptions?, _ paths: [FilePath], _ operands: [FilePath]
    ) throws(UsageError) {
        partStatistics = special?.part.partStats.map { paths[$0] }
        if partStatistics != nil, !(verb is Join || verb is JoinContent) {
            throw UsageError("--part-stats goes with --join", hint: "--stats-file=FOLDER, with --part, writes them")
        }
        if let align = special?.part.align { try take(alignment: align) }
        if verb is Join { try checkJoin() }
        if verb is Join || verb is JoinContent { try refuse(options, special) }
        if verb is JoinContent, operands == [Operand.standardInput] {
            throw UsageError("-d --join takes the file whose parts were decompressed")
        }
        if let part = verb as? CompressPart {
            share = part.share
            try checkFrames()
        } else if let part = verb as? DecompressPart {
            share = part.share
        } else {
            return
        }
        try checkOperands(operands)
    }

    /// - Throws: what does not go with one frame size for all.
    private func checkFrames() throws(UsageError) {
        let others = [
            (isSingleFrame, "a single frame"), (compression.adaptiveLevels != nil, "--adapt"),
            (compression.cutsByContent, "--rsyncable"), (flushInterval != nil, "--flush-interval"),
            (dictionary != nil, "-D"), (patchSource != nil, "--patch-from"), (isStrongest, "--max"),
        ]
        if let other = others.first(where: \.0) {
            throw UsageError("--part and \(other.1): parts are whole frames of one size")
        }
    }

    /// - Throws: what does not go with one file, of which others do the rest.
    private func checkOperands(_ operands: [FilePath]) throws(UsageError) {
        if isRecursive || !fileLists.isEmpty || operands.count > 1 {
            throw UsageError("--part takes one file", hint: "a loop does it with each")
        }
        if operands == [Operand.standardInput] { throw UsageError("--part takes a file that is named") }
        if removesSource {
            throw UsageError("--part and --rm: the source holds more than the output", hint: "leave --rm out")
        }
        if hashName != nil {
            throw UsageError("--part and --hash: the line would name the file, and not its part")
        }
    }

    /// - Throws: what would have to be made anew to be so, or does not come by here.
    private func refuse(_ options: Options, _ special: SpecialOptions?) throws(UsageError) {
        let (compression, limits, tuning) = (options.compression, options.limits, special?.tuning)
        let others = [
            (compression.level != nil, "a level"), (compression.frameSize != nil, "-B"),
            (compression.long != nil, "--long"), (compression.singleFrame == true, "--single-frame"),
            (compression.flushInterval != nil, "--flush-interval"), (!compression.check, "--no-check"),
            (compression.streamSize != nil, "--stream-size"), (tuning?.areGiven == true, "numbers of libzstd"),
            (special?.part.align != nil, "--align"),
            (dictionary != nil, "-D"), (patchSource != nil, "--patch-from"), (special?.proof.hash != nil, "--hash"),
            (limits.limitRate != nil, "--limit-rate"), (limits.buffer != nil, "--buffer"),
        ]
        if let other = others.first(where: \.0) {
            throw UsageError(
                "--join and \(other.1): what is joined stays as it is, and does not pass through",
                hint: "\(other.1) is for the parts: leave it out")
        }
    }

    /// - Throws: where frames can't be kept from the multiples.
    private mutating func take(alignment word: String) throws(UsageError) {
        guard let size = try Self.bytes(word, for: "--align"), FrameAlignment.sizes.contains(Int(clamping: size)) else {
            throw UsageError("--align takes a size from 64K to 1G")
        }
        guard verb.heeds.contains(.frames), verb is any Transfer, !verb.heeds.contains(.growing) else {
            throw UsageError("--align goes with compressing", hint: "what is joined is aligned as its parts are")
        }
        let others = [
            (isSingleFrame, "a single frame (--single-frame, --long, --patch-from)"), (resumes, "--resume"),
        ]
        if let other = others.first(where: \.0) { throw UsageError("--align and \(other.1) do not go together") }
        let frameSize = compression.chosenFrameSize
        compression.alignment = Int(size)
        if let frameSize, compression.frameSize < frameSize {
            throw UsageError(
                "--align=\(word): frames of \(ByteCount.format(UInt64(frameSize))) would not all fit",
                hint: "-B\(compression.frameSize >> 10)K does, or leave -B out")
        }
    }

    private func checkJoin() throws(UsageError) {
        guard output != .derived else {
            throw UsageError("--join has no name for what the parts become", hint: "-o FILE.zst, or -c")
        }
        if outputFolder != nil { throw UsageError("--join makes one file: -o FILE.zst names it") }
    }
}

extension PartOptions {
    /// What does a part, if one was asked for.
    func verb(
        for verb: any Verb, _ environment: (String) -> String?
    ) throws(UsageError) -> (any Verb)? {
        guard let part else { return nil }
        guard verb.heeds.contains(.shares) else { throw UsageError("--part goes with compressing and decompressing") }
        let (share, origin) = try Self.share(part, environment)
        return verb.activity.content == .input
            ? CompressPart(share: share, origin: origin) : DecompressPart(share: share, origin: origin)
    }

    /// - Returns: the part, and what a scheduler said of it, if it was asked.
    private static func share(
        _ word: String, _ environment: (String) -> String?
    ) throws(UsageError) -> (ContentShare, String?) {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let count = parts.count == 2 ? Int(UInt32(parts[1]) ?? 0) : nil
        if parts[0] == "auto", parts.count == 1 || parts.count == 2 && count ?? 0 > 0 {
            let task = try ArrayTask(of: count, environment)
            return (task.share, task.words)
        }
        guard parts.count == 2, let number = UInt32(parts[0]), let count,
            let share = ContentShare(Int(number), of: count)
        else {
            throw UsageError("--part takes K/N, such as 3/16, auto or auto/N, not \(FilePath(word).printable)")
        }
        return (share, nil)
    }
}
