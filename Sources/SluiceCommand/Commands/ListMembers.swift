import Glibc
import Sluice
import SystemPackage

/// Lists the members of tar archives in compressed files.
struct ListMembers: Transfer {
    let activity = Statistics.Activity("list", noun: "listing", content: .output, hasOutput: false)
    let heeds = List().heeds.union(.ranges)

    func action(for source: Source, _ settings: Settings) -> Action {
        let (isJSON, console) = (settings.reporting.isJSON, Console(quietness: settings.reporting.quietness))
        return .listArchive(settings.strictDecompression, indexFile: settings.indexFile) { members, _ throws(Failure) in
            var table = MemberTable(isJSON: isJSON)
            func print() throws(Failure) {
                guard console.print(table.take(), on: .standardOutput) else {
                    throw .writing(Errno(rawValue: errno))
                }
            }
            try members.visit { member throws(Failure) in
                table.append(member)
                if table.isFull { try print() }
            }
            try print()
        }
    }
}
