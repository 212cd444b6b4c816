import Glibc
import SluiceEngine

/// Compresses one of several parts of a file (`--part`).
struct CompressPart: Transfer {
    let assigned: AssignedPart
    var part: PartNumber? { assigned.part }

    let activity = Compress().activity
    let optionGroups = Compress().optionGroups.subtracting(.resuming)

    /// Pads the numbers to one length, so that names sort in the order of the parts.
    func outputName(of path: FilePath) -> FilePath? {
        let name = path.lastComponent?.between("", and: ".\(assigned.part.name).zst")
        return name.map { path.parent.appending($0) }
    }

    /// A job that is run again may replace its own part.
    func claim(on path: FilePath, of source: FileIdentity) -> Claim {
        let existing: FileDescriptor
        do throws(Errno) { existing = try Operand(path).open(isLink: false, O_NONBLOCK) } catch {
            return error == .noSuchFileOrDirectory ? .replace : .refuse
        }
        defer { try? existing.close() }
        guard let file = try? Source(existing), file.isFile, let made = try? Part(of: file, named: path) else {
            return .refuse
        }
        return made.isSame(as: assigned.part, of: source) ? .replace : .refuse
    }

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console)
        -> any RunOperation
    {
        PartCompression(assigned.part, settings.frameCompression()) {
            [assigned, verbosity = settings.reporting.verbosity] frames, total in
            guard verbosity > 0 else { return }
            let which =
                frames.isEmpty
                ? "no frames (of \(total))" : "frames \(frames.lowerBound + 1) to \(frames.upperBound) of \(total)"
            console.write("\(assigned): \(which)\n")
        }
    }
}

/// The part of a file that is assigned to a machine.
struct AssignedPart: CustomStringConvertible {
    let part: PartNumber
    /// The scheduler's variables that determined the part, with their values; nil if the option named it.
    let origin: String?

    /// Names the part, and its origin if the user did not choose it.
    var description: String { part.description + (origin.map { " (\($0))" } ?? "") }
}
