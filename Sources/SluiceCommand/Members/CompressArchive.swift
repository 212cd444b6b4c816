import Sluice

/// Compresses tar archives with an index of their members.
struct CompressArchive: Transfer {
    let activity = Compress().activity
    let heeds = Compress().heeds.subtracting([.shares, .resuming])

    func action(for input: borrowing Input, _ settings: Settings, _ console: Console) -> Action {
        .compressArchive(settings.frameCompression()) { [name = input.name] reason, offset in
            console.warn("\(name.printable): no index of the members from byte \(offset) on: \(reason)")
        }
    }
}
