import Sluice

/// Compares the options that were typed with what the declarations say about combining them.
extension Request {
    /// - Throws: the first option that can't be combined with another, or with the operation.
    mutating func check() throws(Complaint) {
        for (index, given) in given.enumerated() where given.isOn || given.flag.scope != nil {
            let (flag, name) = (given.flag, given.spelling)
            try checkExclusions(of: given)
            if let scope = flag.scope, !heeds(scope.heeded) {
                switch scope.answer {
                case .ignored: break
                case .warned(let reason):
                    let isFirst = self.given.firstIndex { $0.flag.name == flag.name } == index
                    if isFirst { warn("\(name) is ignored: \(reason)") }
                case .refused(let hint):
                    // The operation may not accept it because of another option: then that is what to report.
                    for other in self.given { try checkExclusions(of: other, with: given) }
                    throw misplaced(name, scope, hint)
                }
                continue
            }
            if !flag.needs.isEmpty, !flag.needs.contains(where: { last(named: $0) != nil }) {
                throw .usage("--\(flag.name) needs \(flag.needs.map { "--" + $0 }.listed)")
            }
            if let rule = flag.operandRule { try check(rule, for: name) }
        }
    }

    /// - Parameter victim: the only option whose exclusion matters; nil for any.
    private func checkExclusions(of given: FlagValue, with victim: FlagValue? = nil) throws(Complaint) {
        if given.flag.exclusions.isEmpty || last(named: given.flag.name) == nil || !isMeant(given) { return }
        for exclusion in given.flag.exclusions where heeds(exclusion.scope) {
            for name in exclusion.names where victim?.isNamed(name) ?? true {
                // An option that the operation ignores doesn't exclude any, unless the operation itself excludes it.
                guard let other = last(named: name), given.flag.operation != nil || isMeant(other) else { continue }
                throw .usage(
                    "\(given.spelling) and \(other.spelling) can't be combined: \(exclusion.reason)",
                    hint: exclusion.hint)
            }
        }
    }

    /// Whether an option has an effect in this run, or is an error.
    private func isMeant(_ given: FlagValue) -> Bool {
        if let operation = given.flag.operation {
            return operation.activity.name == settings.activity.name
                || operation.heeds.contains(.joining) && heeds(.joining)
        }
        guard let scope = given.flag.scope else { return true }
        if case .refused = scope.answer { return true }
        return heeds(scope.heeded)
    }

    private func misplaced(_ name: String, _ scope: Flag.Scope, _ hint: String?) -> Complaint {
        let operations = Flag.operations.filter { $0.operation?.heeds.isSuperset(of: scope.heeded) == true }
        let words = operations.map { $0.shortSpelling ?? "--" + $0.name } + scope.others
        return .usage("\(name) only works with \(words.listed)", hint: hint)
    }

    private func check(_ rule: Flag.OperandRule, for name: String) throws(Complaint) {
        let isLoop = "run it once per file, for example in a loop"
        if settings.input.isRecursive || settings.operands.count > 1 {
            throw .usage("\(name) takes one file", hint: isLoop)
        }
        guard rule == .oneNamed else { return }
        if !settings.input.fileLists.isEmpty { throw .usage("\(name) takes one file, not a list", hint: isLoop) }
        if settings.readsOnlyStream {
            throw .usage("\(name) takes a named file, not standard input", hint: "name the file")
        }
    }
}

/// Settles which ranges or members of the content are wanted.
extension Request {
    /// The operation on members, if that is what is asked for.
    var memberOperation: (any Command)? {
        if !settings.members.selection.patterns.isEmpty, heeds(.members) { return ExtractMembers() }
        guard settings.members.isAsked, heeds(.archives) else { return nil }
        return heeds(.frames) ? CompressArchive() : ListMembers()
    }

    /// Settles how ranges and members are found, and where they go.
    mutating func settleExcerpt() {
        let hasMembers = memberOperation != nil
        if hasMembers, heeds(.frames) {
            let options = settings.compression.options
            // To get a member out, its frame is decoded, up to half of it on average (docs/decisions/members.md).
            if options.frameSize == nil { settings.compression.options.frameSize = options.effectiveFrameSize / 2 }
            return
        }
        guard hasMembers || !settings.decoding.ranges.isEmpty else { return }
        // Part of a file must not get the name that stands for all of it.
        if settings.output.destination == .derived { settings.output.destination = .standardOutput }
    }
}

/// Settles which part of a file a machine processes, and where parts go together.
extension Request {
    /// The operation on a part of a file, in place of that on all of it.
    func operation(on part: String) throws(Complaint) -> any Command {
        let assigned = try assignedPart(part)
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
            throw .usage("--part takes K/N, such as 3/16, auto or auto/N, not \(word.printable)")
        }
        return AssignedPart(part: part, origin: nil)
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
