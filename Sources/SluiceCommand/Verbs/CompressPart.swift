import Sluice
import SystemPackage
import ZstdCodec

/// One of several parts of a file is compressed: what `Compress` becomes by an option that says which.
struct CompressPart: Transfer {
    let share: ContentShare
    /// What a scheduler said, if it was asked which part this is.
    let origin: String?

    let activity = Compress().activity
    let help = "Compress a part of a file."
    let heeds = Compress().heeds.subtracting([.resuming, .shares])

    /// Numbers of one length, so that names are in the order of the parts.
    func outputName(of path: FilePath) -> FilePath? {
        let name = path.lastComponent?.between("", and: ".\(share.padded)-of-\(share.count).zst")
        return name.map { path.removingLastComponent().appending($0) }
    }

    /// A job that is run again makes its part anew.
    func repeats(_ path: FilePath, of source: FileIdentity) -> Bool? {
        let existing: FileDescriptor
        do throws(Errno) { existing = try Operand(path).open(isLink: false) } catch {
            return error == .noSuchFileOrDirectory
        }
        defer { try? existing.close() }
        guard let file = try? Source(existing), file.isFile, let part = try? Part(of: file, named: path) else {
            return false
        }
        return part.isSame(as: share, of: source)
    }

    func action(for source: Source, _ settings: Settings) -> Action {
        .compressPart(share, settings.compression) { [origin, share, verbosity = settings.verbosity] frames, total in
            guard verbosity > 0 else { return }
            let which = frames.isEmpty ? "none" : "\(frames.lowerBound + 1) to \(frames.upperBound)"
            let said = origin.map { " (\($0))" } ?? ""
            Console(quietness: 0).write("\(share)\(said): frames \(which) of \(total)\n")
        }
    }

    func describe(_ run: inout Statistics.Run, _ settings: Settings) {
        Compress().describe(&run, settings)
    }
}
