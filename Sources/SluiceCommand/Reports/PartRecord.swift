import Glibc
import Sluice
import SystemPackage
import ZstdCodec

/// What the statistics of a run say that made a part of a file: `K-of-N.json`, in a folder for all of them.
struct PartRecord: Decodable {
    private struct Run: Decodable {
        let part: Statistics.Share?
    }

    private struct Usage: Decodable {
        let userSeconds: Double
        let systemSeconds: Double
    }

    private let run: Run
    private let outcome: String
    private let elapsedSeconds: Double
    private let bytesIn: UInt64
    private let bytesOut: UInt64
    private let contentBytes: UInt64
    private let limitedBy: String?
    private let process: Usage

    /// A file has less, in bytes.
    private static let largest = 1 << 20

    /// The name of the file for a part; numbers have one length.
    static func name(of share: ContentShare) -> FilePath.Component? {
        FilePath.Component("\(share.padded)-of-\(share.count).json")
    }

    /// Reads those of all parts.
    ///
    /// - Parameter contentSize: of a part, in bytes.
    /// - Throws: which one is missing, or tells of another part.
    static func parts(
        in folder: FilePath, count: Int, contentSize: (ContentShare) -> UInt64
    ) throws(Complaint) -> Statistics.Parts {
        var runs: [Statistics.PartRun] = []
        for number in 1...max(1, count) {
            guard let share = ContentShare(number, of: count), let name = name(of: share) else { continue }
            runs.append(try run(of: share, contentSize(share), at: folder.appending(name)))
        }
        return Statistics.Parts(runs)
    }

    private static func read(_ path: FilePath) throws(Errno) -> [UInt8] {
        let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC
        let descriptor = FileDescriptor(rawValue: try systemCall { path.withPlatformString { open($0, flags) } })
        defer { try? descriptor.close() }
        var buffer = [UInt8](repeating: 0, count: largest)
        return Array(buffer[..<(try descriptor.fill(&buffer))])
    }

    private static func run(
        of share: ContentShare, _ contentSize: UInt64, at path: FilePath
    ) throws(Complaint) -> Statistics.PartRun {
        let bytes: [UInt8]
        do throws(Errno) { bytes = try read(path) } catch {
            throw Complaint(
                path, "can't read the statistics of \(share): \(error.sentence)",
                hint: "--stats-file=\(path.folder.printable) writes them, with --part")
        }
        guard let record = JSON.value(bytes, as: PartRecord.self),
            record.run.part == Statistics.Share(share.number, of: share.count), record.outcome == "success",
            record.contentBytes == contentSize
        else { throw Complaint(path, "does not tell of a run that made \(share), which has \(contentSize) bytes") }
        var run = Statistics.PartRun(
            part: share.number, elapsedSeconds: record.elapsedSeconds, contentBytes: record.contentBytes)
        run.cpuSeconds = record.process.userSeconds + record.process.systemSeconds
        (run.bytesIn, run.bytesOut, run.limitedBy) = (record.bytesIn, record.bytesOut, record.limitedBy)
        return run
    }
}
