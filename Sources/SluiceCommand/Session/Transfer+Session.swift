import SystemPackage

extension Transfer {
    func run(_ operands: [FilePath], _ settings: Settings, _ console: Console) throws(Complaint) -> Int32 {
        try Session.refuseLoss(operands, settings)
        let session = try Session(operands, self, settings, console)
        let rate = try session.followRate()
        defer { withExtendedLifetime(rate) {} }
        return session.run(operands)
    }
}
