import Sluice

/// Settles which part of the content is decompressed, and which share of a file a machine processes.
extension Request {
    var areRangesGiven: Bool { offset != nil || length != nil || !settings.decoding.ranges.isEmpty }

    /// The operation on members, if that is what is asked for.
    var memberOperation: (any Command)? {
        if !settings.members.patterns.isEmpty, heeds(.members) { return ExtractMembers() }
        guard settings.members.areOn, heeds(.archives) else { return nil }
        return heeds(.frames) ? CompressArchive() : ListMembers()
    }

    /// Settles how ranges and members are found, and where they go.
    mutating func settleExcerpt() throws(UsageError) {
        let hasMembers = memberOperation != nil
        if hasMembers, heeds(.frames) {
            if settings.compression.options.frameSize == nil { settings.compression.options.divideFrames() }
            return
        }
        guard hasMembers || areRangesGiven else { return }
        if offset != nil || length != nil {
            settings.decoding.ranges = [ContentRange(offset ?? .offset(0), count: length)]
        }
        if settings.decoding.indexFile != nil, readsStandardInput {
            throw UsageError("--index takes a named file, not standard input")
        }
        // A part of a file is not what its name stands for.
        if settings.output.destination == .derived { settings.output.destination = .standardOutput }
    }

    /// The operation on a share of a file.
    static func operation(
        for part: String, _ operation: any Command, _ environment: Environment
    ) throws(UsageError) -> any Command {
        let (share, origin) = try share(part, environment)
        return operation.activity.content == .input
            ? CompressPart(assigned: share, origin: origin) : DecompressPart(assigned: share, origin: origin)
    }

    /// - Returns: the share, and the variables that determined it, if a scheduler set them.
    private static func share(
        _ word: String, _ environment: Environment
    ) throws(UsageError) -> (ContentShare, String?) {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let count = parts.count == 2 ? Int(UInt32(parts[1]) ?? 0) : nil
        if parts[0] == "auto", parts.count == 1 || parts.count == 2 && count ?? 0 > 0 {
            return try ArrayTask.share(of: count, environment)
        }
        guard let number = UInt32(parts[0]), let count, let share = ContentShare(Int(number), of: count) else {
            throw UsageError("--part takes K/N, such as 3/16, auto or auto/N, not \(word.printable)")
        }
        return (share, nil)
    }

    /// Checks where joined or appended frames go.
    func checkTarget() throws(UsageError) {
        if heeds(.growing), settings.output.destination.path == nil {
            throw UsageError("--append needs -o FILE.zst, the file to add to", hint: "name it with -o FILE.zst")
        }
        if heeds(.marks) {
            if readsStandardInput {
                throw UsageError("-d --join takes the file whose parts were decompressed", hint: "name that file")
            }
        } else if heeds(.joining) {
            if settings.output.destination == .derived {
                throw UsageError("--join needs -o FILE.zst or -c", hint: "name the joined file with -o FILE.zst")
            }
            if settings.output.folder != nil { throw UsageError("--join makes one file: name it with -o FILE.zst") }
        }
    }

    /// - Throws: if frames can't be kept from the multiples of `--align`.
    func checkAlignment() throws(UsageError) {
        let options = settings.compression.options
        guard options.alignment != nil, let chosen = options.frameSize, options.effectiveFrameSize < chosen else {
            return
        }
        throw UsageError(
            "--align: frames of \(ByteCount.format(chosen)) would not all fit",
            hint: "-B\(options.effectiveFrameSize >> 10)K does, or leave -B out")
    }
}

extension CompressionOptions {
    /// The most bytes of a window that is made larger than the level's.
    private static let mostWindow = 8 << 20

    /// Makes frames of half the size: to get a member out, a whole one is decoded (docs/decisions/members.md).
    ///
    /// Such a frame is decoded in one go if its window has all of it, and smaller by more than that costs.
    fileprivate mutating func divideFrames() {
        let size = effectiveFrameSize / 2
        frameSize = size
        let window = windowSize(contentSize: UInt64(size))
        guard parameters[.windowLog] == nil, window < size, size <= min(2 * window, Self.mostWindow) else { return }
        parameters[.windowLog] = Self.windowLog(for: UInt64(size))
    }
}
