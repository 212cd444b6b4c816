import Sluice

extension Output {
    /// The place of a part in a file that other processes write at the same time.
    init(
        part share: ContentShare, of file: SharedFile, as target: FilePath, _ settings: OutputSettings
    ) throws(Complaint) {
        // An earlier run's data must be overwritten, even with zeros.
        let isHole = try Complaint.about(source: target, file.isHole(share))
        let sink = try Complaint.about(
            source: target,
            Sink(
                file.descriptor, isSynced: settings.isSynced, isTemporary: true,
                leavesHoles: settings.leavesHoles != false && isHole))
        self.init(target, sink)
    }

    /// - Throws: why the existing file of that name can't be replaced by the joined parts.
    static func refuse(_ target: FilePath, inputs: [FileIdentity], isReplacing: Bool) throws(Complaint) {
        guard let existing = try? FileIdentity(at: target, followingLinks: false) else { return }
        if inputs.contains(where: existing.isSameFile) { throw Complaint(target, "is the input and the output") }
        if existing.isSymbolicLink || existing.kind != .file {
            throw Complaint(target, "is not a file that parts can be decompressed into")
        }
        if !isReplacing { throw Complaint(target, "already exists: not replaced", hint: "-f replaces it") }
    }
}
