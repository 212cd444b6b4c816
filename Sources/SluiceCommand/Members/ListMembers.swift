import Sluice

/// Lists the members of tar archives in compressed files.
struct ListMembers: Transfer {
    let activity = List().activity
    let heeds = List().heeds.union([.ranges, .statistics])

    func action(for source: Source, _ settings: Settings, _ console: Console) -> Action {
        let isJSON = settings.reporting.isJSON
        return .listArchive(settings.decompression, indexFile: settings.indexFile) {
            members, _ throws(Failure) in
            var (table, hasPrinted) = (MemberTable(isJSON: isJSON), false)
            func print() throws(Failure) {
                let lines = table.take()
                hasPrinted = hasPrinted || !lines.isEmpty
                do throws(Errno) { try console.print(lines, on: .standardOutput) } catch {
                    // A reader that has seen enough is no error.
                    throw error == .brokenPipe
                        ? .writing(error) : .file(action: "write", path: "standard output", error)
                }
            }
            do throws(Failure) {
                try members.visit { member throws(Failure) in
                    table.append(member)
                    if table.isFull { try print() }
                }
            } catch {
                // What comes before the damage is right.
                if error.code == .archive { try print() }
                throw hasPrinted ? error.afterList : error
            }
            try print()
        }
    }
}

extension Failure {
    /// The same, in the middle of a list.
    fileprivate var afterList: Failure { code == .archive ? Failure(code, "\(message): the list is incomplete") : self }
}
