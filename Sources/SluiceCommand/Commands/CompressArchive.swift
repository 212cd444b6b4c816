import Sluice

/// Compresses tar archives with an index of their members.
struct CompressArchive: Transfer {
    let activity = Compress().activity
    let heeds = Compress().heeds.subtracting([.parts, .resuming])

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console)
        -> any RunOperation
    {
        ArchiveCompression(settings.frameCompression()) { reason, offset in
            console.warn("\(name.printable): no index of the members from byte \(offset) on: \(reason)")
        }
    }
}
