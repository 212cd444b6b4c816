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
                guard error.code == .archive else { throw error }
                // What comes before the damage is right.
                try print()
                throw hasPrinted ? Failure(.archive, "\(error.message): the list is incomplete") : error
            }
            try print()
        }
    }
}
