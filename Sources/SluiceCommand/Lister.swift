import Glibc
import Sluice
import SystemPackage

/// The table that `--list` prints.
struct Lister {
    let console: Console

    func run(_ operands: [FilePath]) -> Int32 {
        var rows: [String] = []
        var failures = 0
        for operand in operands {
            do throws(Complaint) {
                rows.append(row(try list(operand), operand))
            } catch {
                failures += 1
                console.error(error.sentence, hint: error.hint)
            }
        }
        if !rows.isEmpty {
            print("Frames  Skips  Compressed  Uncompressed  Ratio  Check  Table  Filename")
            for row in rows { print(row) }
        }
        return failures == 0 ? 0 : 1
    }

    private func list(_ operand: FilePath) throws(Complaint) -> Listing {
        let isStandardInput = operand == Input.standardInput
        if !isStandardInput, let identity = try? FileIdentity(at: operand), identity.kind != .file {
            throw Complaint(operand, "is not a file: its frames can't be listed")
        }
        let descriptor: FileDescriptor
        do throws(Errno) {
            descriptor = isStandardInput ? .standardInput : try Input.open(operand)
        } catch {
            throw Complaint(operand, "can't open: \(error.sentence)")
        }
        defer { if !isStandardInput { try? descriptor.close() } }
        let source = try Complaint.about(source: operand, target: operand) { () throws(Failure) in
            try Source(descriptor)
        }
        guard source.isFile else { throw Complaint("standard input is not a file: its frames can't be listed") }
        return try Complaint.about(source: operand, target: operand) { () throws(Failure) in try Listing(of: source) }
    }

    private func row(_ listing: Listing, _ path: FilePath) -> String {
        let size = listing.contentSize
        let ratio = size.map { listing.compressedSize > 0 ? Double($0) / Double(listing.compressedSize) : 0 }
        let columns = [
            (String(listing.frames), 6), (String(listing.skippableFrames), 5),
            (ByteCount.format(listing.compressedSize), 10), (size.map(ByteCount.format) ?? "", 12),
            (ratio.map { ByteCount.fixed($0, digits: 3) } ?? "", 5), (listing.hasChecksums ? "XXH64" : "None", 5),
            (listing.hasSeekTable ? "yes" : "no", 5),
        ]
        return columns.map { String(repeating: " ", count: max(0, $1 - $0.count)) + $0 }.joined(separator: "  ")
            + "  " + path.printable
    }
}
