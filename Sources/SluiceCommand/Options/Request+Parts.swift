import SluiceEngine

/// Settles which part of a file a machine processes, and where parts go together.
extension Request {
    /// The operation on a part of a file, in place of that on all of it.
    func operation(on part: String) throws(Complaint) -> any Command {
        let assigned = try assignedPart(part)
        if settings.decoding.headerLines > 0, settings.activity.content == .input {
            throw .usage("--header-lines only works with -d --part")
        }
        return settings.activity.content == .input
            ? CompressPart(assigned: assigned) : DecompressPart(assigned: assigned)
    }

    private func assignedPart(_ word: String) throws(Complaint) -> AssignedPart {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let count = parts.count == 2 ? Int(UInt32(parts[1]) ?? 0) : nil
        if parts[0] == "auto", parts.count == 1 || parts.count == 2 && count ?? 0 > 0 {
            return try arrayPart(of: count)
        }
        guard let number = UInt32(parts[0]), let count, let part = PartNumber(Int(number), of: count) else {
            throw .usage("--part takes K/N, such as 3/16, auto or auto/N, not \(word.withoutSecrets.printable)")
        }
        return AssignedPart(part: part, origin: nil)
    }

    /// Checks where joined or appended frames go.
    func checkTarget() throws(Complaint) {
        // Whatever needs a file refuses an object later (`checkObject`).
        if settings.output.destination.object != nil { return }
        if applies(.growing), settings.output.destination.path == nil {
            throw .usage("--append needs -o FILE.zst, the file to add to", hint: "name it with -o FILE.zst")
        }
        guard settings.command is Join else { return }
        if settings.output.destination == .derived {
            throw .usage("--join needs -o FILE.zst or -c", hint: "name the joined file with -o FILE.zst")
        }
        if settings.output.folder != nil { throw .usage("--join makes one file: name it with -o FILE.zst") }
    }

    /// - Throws: if frames of the chosen size don't fit between the multiples of `--align`.
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

/// Asks the scheduler's variables which task of a job array this process is.
extension Request {
    /// The variables with the number of a task and, except for Slurm, which has more variables, the number of the first
    /// task.
    private static let slurm = "SLURM_ARRAY_TASK_ID"
    private static let numbers = [("PARALLEL_SEQ", 1), ("JOB_COMPLETION_INDEX", 0), ("PBS_ARRAY_INDEX", 1)]

    /// - Parameter count: the number of parts; nil if the scheduler sets it.
    /// - Returns: the part that this task processes.
    /// - Throws: if no scheduler or several set a number, or it is out of range.
    private func arrayPart(of count: Int?) throws(Complaint) -> AssignedPart {
        let names = ([Self.slurm] + Self.numbers.map(\.0)).filter { environment($0) != nil }
        guard let name = names.first else {
            throw .usage(
                "--part=auto: no scheduler says which part this is",
                hint: "it sets SLURM_ARRAY_TASK_ID, PARALLEL_SEQ, JOB_COMPLETION_INDEX or PBS_ARRAY_INDEX")
        }
        guard names.count == 1 else {
            throw .usage(
                "--part=auto: both \(names[0]) and \(names[1]) are set", hint: "--part=K/N says which part this is")
        }
        if name == Self.slurm { return try slurmPart(of: count) }
        guard let count else {
            throw .usage("--part=auto: \(name) does not give the number of parts", hint: "--part=auto/N gives it")
        }
        let first = Self.numbers.first { $0.0 == name }?.1 ?? 1
        let number = try number(name)
        return try assignedPart(number - first + 1, of: count, words: "\(name)=\(number)")
    }

    private func assignedPart(_ number: Int, of count: Int, words: String) throws(Complaint) -> AssignedPart {
        guard let part = PartNumber(number, of: count) else {
            throw .usage("--part=auto: \(words) is not one of \(count.counted("part"))")
        }
        return AssignedPart(part: part, origin: words)
    }

    /// Slurm sets the first and the last number of an array, and the step between them.
    private func slurmPart(of count: Int?) throws(Complaint) -> AssignedPart {
        let id = try number(Self.slurm)
        let total = try number("SLURM_ARRAY_TASK_COUNT")
        let first = try number("SLURM_ARRAY_TASK_MIN")
        let last = environment("SLURM_ARRAY_TASK_MAX") == nil ? nil : try number("SLURM_ARRAY_TASK_MAX")
        let step = environment("SLURM_ARRAY_TASK_STEP") == nil ? 1 : try number("SLURM_ARRAY_TASK_STEP")
        let words = "SLURM_ARRAY_TASK_ID=\(id), SLURM_ARRAY_TASK_COUNT=\(total), SLURM_ARRAY_TASK_MIN=\(first)"
        guard step > 0, id >= first, (id - first) % step == 0, last.map({ ($0 - first) / step + 1 == total }) ?? true
        else {
            throw .usage(
                "--part=auto: the tasks of the array are not evenly spaced: \(words)",
                hint: "use an array such as 1-\(total), or --part=K/N")
        }
        if let count, count != total {
            throw .usage(
                "--part=auto/\(count): the array has \(total.counted("task"))",
                hint: "--part=auto makes one part per task")
        }
        return try assignedPart((id - first) / step + 1, of: total, words: words)
    }

    /// The number in a variable, of at most 32 bits.
    private func number(_ name: String) throws(Complaint) -> Int {
        guard let word = environment(name) else { throw .usage("--part=auto: \(name) is not set") }
        guard let number = UInt32(word) else { throw .usage("--part=auto: \(name) is not a number") }
        return Int(number)
    }
}
