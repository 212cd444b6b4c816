import Glibc
import Sluice
import SystemPackage

/// The table that `--list` prints.
struct Lister {
    let console: Console
    /// Whether sizes are told to the byte, and the largest window too.
    let isVerbose: Bool

    private var titles: [String] {
        ["Frames", "Skips", "Compressed", "Uncompressed", "Ratio", "Check", "Table"] + (isVerbose ? ["Window"] : [])
    }

    func run(_ operands: [FilePath]) -> Int32 {
        var listings: [(listing: Listing, name: String)] = []
        var failures = 0
        for operand in operands {
            do throws(Complaint) {
                listings.append((try list(operand), operand.printable))
            } catch {
                failures += 1
                console.error(error.sentence, hint: error.hint)
            }
        }
        if !listings.isEmpty { print(table(listings).joined(separator: "\n")) }
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

    private func cells(_ listing: Listing) -> [String] {
        let size = listing.contentSize
        let ratio = size.map { listing.compressedSize > 0 ? Double($0) / Double(listing.compressedSize) : 0 }
        let cells = [
            "\(listing.frames)", "\(listing.skippableFrames)", format(listing.compressedSize),
            size.map(format) ?? "", ratio.map { ByteCount.fixed($0, digits: 3) } ?? "",
            listing.hasChecksums ? "XXH64" : "None", listing.hasSeekTable ? "yes" : "no",
        ]
        return isVerbose ? cells + [format(listing.largestWindow)] : cells
    }

    private func format(_ bytes: UInt64) -> String { isVerbose ? "\(bytes)" : ByteCount.format(bytes) }

    /// A line for the titles, one for each file, and one for the sum of several.
    private func table(_ listings: [(listing: Listing, name: String)]) -> [String] {
        var rows = [titles + ["Filename"]] + listings.map { cells($0.listing) + [$0.name] }
        if let first = listings.first, listings.count > 1 {
            let sum = listings.dropFirst().reduce(first.listing) { $0 + $1.listing }
            rows.append(cells(sum) + ["\(listings.count) files"])
        }
        let widths = titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { row in
            let columns = zip(row, widths).map { cell, width in String(repeating: " ", count: width - cell.count) + cell
            }
            return columns.joined(separator: "  ") + "  " + row[titles.count]
        }
        if listings.count > 1 { lines.insert(String(repeating: "-", count: 65), at: lines.count - 1) }
        return lines
    }
}
