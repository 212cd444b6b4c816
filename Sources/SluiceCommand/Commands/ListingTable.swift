import Sluice

/// The table of `--list`: a line for each file.
struct ListingTable {
    /// Whether sizes are in bytes, with the largest window, the checksum and the dictionary.
    let isVerbose: Bool

    private var titles: [String] {
        ["Frames", "Skips", "Compressed", "Uncompressed", "Ratio", "Check", "Table"]
            + (isVerbose ? ["Window", "DictID"] : [])
    }

    private func cells(_ listing: Listing) -> [String] {
        let size = listing.contentSize
        let cells = [
            "\(listing.frames)", "\(listing.skippableFrames)", format(listing.compressedSize),
            size.map(format) ?? "", listing.ratio.map { ByteCount.fixed($0, digits: 3) } ?? "",
            check(listing), listing.hasSeekTable ? "yes" : "no",
        ]
        return isVerbose ? cells + [format(listing.largestWindow), "\(listing.dictionaryIdentifier)"] : cells
    }

    /// Verbose tables have the checksum of a single frame.
    private func check(_ listing: Listing) -> String {
        guard listing.hasChecksums, listing.frames > 0 else { return "None" }
        return "XXH64" + (isVerbose ? listing.checksumDigits.map { " " + $0 } ?? "" : "")
    }

    private func format(_ bytes: UInt64) -> String { isVerbose ? "\(bytes)" : ByteCount.format(bytes) }

    /// Lines for the titles, each file, and the sum of several.
    func text(_ listings: [NamedListing]) -> String {
        var rows = [titles + ["Filename"]] + listings.map { cells($0.listing) + [Operand.name(of: $0.name).printable] }
        if listings.count > 1 { rows.append(cells(listings.sum) + ["\(listings.count) files"]) }
        let widths = titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { row in
            zip(row, widths).map { $0.padded($1) }.joined(separator: "  ") + "  " + row[titles.count]
        }
        if listings.count > 1 { lines.insert(String(repeating: "-", count: 65), at: lines.count - 1) }
        return lines.joined(separator: "\n")
    }
}
