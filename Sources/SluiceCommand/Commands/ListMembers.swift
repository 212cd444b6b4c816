import SluiceEngine

/// Lists the members of tar archives in compressed files.
struct ListMembers: Transfer {
    let activity = List().activity
    let optionGroups = List().optionGroups.subtracting(.listing).union([.ranges, .statistics])

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console)
        -> any RunOperation
    {
        let printer = MemberPrinter(isJSON: settings.reporting.isJSON, console)
        return ArchiveListing(settings.decompression, indexFile: settings.indexFile) {
            member throws(Failure) in
            try printer.take(member)
        } didEnd: { outcome throws(Failure) in
            try printer.end(outcome)
        }
    }
}

/// Prints the list of one archive while its members are found.
private final class MemberPrinter: Sendable {
    private let console: Console
    private let state: Locked<(table: MemberTable, hasPrinted: Bool)>

    init(isJSON: Bool, _ console: Console) {
        self.console = console
        state = Locked((MemberTable(isJSON: isJSON), false))
    }

    func take(_ member: ArchiveMember) throws(Failure) {
        try state.withLock { state throws(Failure) in
            state.table.append(member)
            if state.table.isFull { try print(&state) }
        }
    }

    /// Prints the rest: what comes before damage is right.
    func end(_ outcome: Result<FrameSearchMethod, Failure>) throws(Failure) {
        try state.withLock { state throws(Failure) in
            if case .failure(let failure) = outcome, [.writing, .file].contains(failure.code) { throw failure }
            try print(&state)
            if case .failure(let failure) = outcome { throw state.hasPrinted ? failure.afterList : failure }
        }
    }

    private func print(_ state: inout (table: MemberTable, hasPrinted: Bool)) throws(Failure) {
        let lines = state.table.take()
        if lines.isEmpty { return }
        state.hasPrinted = true
        do throws(Errno) { try console.print(lines, on: .standardOutput) } catch {
            // A reader that has seen enough is not an error.
            throw error == .brokenPipe ? .writing(error) : .file(action: "write", path: "standard output", error)
        }
    }
}

extension Failure {
    /// The same, in the middle of a list.
    fileprivate var afterList: Failure {
        Failure(
            code, "\(message): the list is incomplete", path: path, offset: offset.map { UInt64($0) }, cause: cause)
    }
}
