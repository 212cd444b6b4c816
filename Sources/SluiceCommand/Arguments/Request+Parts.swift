import Sluice

/// Settles which share of a file a machine processes, and where shares go together.
extension Request {
    /// The operation on a share of a file, in place of that on all of it.
    func operation(on part: String) throws(Complaint) -> any Command {
        let assigned = try share(part)
        return settings.activity.content == .input
            ? CompressPart(assigned: assigned) : DecompressPart(assigned: assigned)
    }

    private func share(_ word: String) throws(Complaint) -> AssignedShare {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let count = parts.count == 2 ? Int(UInt32(parts[1]) ?? 0) : nil
        if parts[0] == "auto", parts.count == 1 || parts.count == 2 && count ?? 0 > 0 {
            return try arrayShare(of: count)
        }
        guard let number = UInt32(parts[0]), let count, let share = ContentShare(Int(number), of: count) else {
            throw .usage("--part takes K/N, such as 3/16, auto or auto/N, not \(word.printable)")
        }
        return AssignedShare(share: share, origin: nil)
    }

    /// Checks where joined or appended frames go.
    func checkTarget() throws(Complaint) {
        if heeds(.growing), settings.output.destination.path == nil {
            throw .usage("--append needs -o FILE.zst, the file to add to", hint: "name it with -o FILE.zst")
        }
        guard settings.command is Join else { return }
        if settings.output.destination == .derived {
            throw .usage("--join needs -o FILE.zst or -c", hint: "name the joined file with -o FILE.zst")
        }
        if settings.output.folder != nil { throw .usage("--join makes one file: name it with -o FILE.zst") }
    }

    /// - Throws: if frames can't be kept from the multiples of `--align`.
    func checkAlignment() throws(Complaint) {
        let options = settings.compression.options
        guard options.alignment != nil, let chosen = options.frameSize, options.effectiveFrameSize < chosen else {
            return
        }
        throw .usage(
            "--align: frames of \(ByteCount.format(chosen)) would not all fit",
            hint: "-B\(options.effectiveFrameSize >> 10)K fits, or leave -B out")
    }
}
