import SluiceEngine

/// Compares the options that were typed with what the declarations say about combining them.
extension Request {
    /// - Throws: the first option that can't be combined with another, or with the operation.
    mutating func check() throws(Complaint) {
        for (index, given) in given.enumerated() where given.isOn || given.flag.scope != nil {
            let (flag, name) = (given.flag, given.spelling)
            try checkExclusions(of: given)
            if let scope = flag.scope, !applies(scope.groups) {
                switch scope.answer {
                case .ignored: break
                case .warned(let reason):
                    let isFirst = self.given.firstIndex { $0.flag.key == flag.key } == index
                    if isFirst { warn("\(name) is ignored: \(reason)") }
                case .refused(let hint):
                    // The operation may not accept it because of another option: then that is what to report.
                    for other in self.given { try checkExclusions(of: other, with: given) }
                    throw misplaced(name, scope, hint)
                }
                continue
            }
            if !flag.needs.isEmpty, !flag.needs.contains(where: { last(of: $0) != nil }) {
                throw .usage("--\(flag.name) needs \(flag.needs.map { "--" + $0.rawValue }.listed)")
            }
            if let rule = flag.operandRule { try check(rule, for: name) }
        }
    }

    /// - Parameter victim: the only option whose exclusion matters; nil for any.
    private func checkExclusions(of given: FlagValue, with victim: FlagValue? = nil) throws(Complaint) {
        if given.flag.exclusions.isEmpty || last(of: given.flag.key) == nil || !isMeant(given) { return }
        for exclusion in given.flag.exclusions where applies(exclusion.scope) {
            let others = exclusion.names.map { last(of: $0) } + exclusion.namesOff.map { last(of: $0, isOn: false) }
            for case let other? in others where victim.map({ $0.isSame(as: other) }) ?? true {
                // An option that the operation ignores doesn't exclude any, unless the operation itself excludes it.
                guard given.flag.operation != nil || isMeant(other) else { continue }
                throw .usage(
                    "\(given.spelling) and \(other.spelling) can't be combined: \(exclusion.reason)",
                    hint: exclusion.hint)
            }
        }
    }

    /// Whether an option has an effect in this run, or is an error.
    private func isMeant(_ given: FlagValue) -> Bool {
        if let operation = given.flag.operation {
            return operation.activity == settings.activity
                || operation.optionGroups.contains(.joining) && applies(.joining)
        }
        guard let scope = given.flag.scope else { return true }
        if case .refused = scope.answer { return true }
        return applies(scope.groups)
    }

    private func misplaced(_ name: String, _ scope: Flag.Scope, _ hint: String?) -> Complaint {
        let operations = Flag.operations.filter { $0.operation?.optionGroups.isSuperset(of: scope.groups) == true }
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
