import Sluice

/// The exact output of zstd 1.5.4 for `-l` and `-lv`, which programs parse.
struct ZstdListing {
    /// The number of -v options: one prints a paragraph for each file, two print sizes in bytes.
    let verbosity: Int

    /// - Parameter isSum: whether a sum of all files follows.
    func text(_ listings: [NamedListing], isSum: Bool) -> String {
        if verbosity > 0 { return listings.map(paragraph).joined() }
        var text = "Frames  Skips  Compressed  Uncompressed  Ratio  Check  Filename\n"
        for listing in listings {
            let check = listing.listing.hasAnyChecksum ? "XXH64" : "None"
            text += row(listing.listing, check: check) + Operand.name(of: listing.name).printable + "\n"
        }
        guard isSum else { return text }
        let isChecked = listings.allSatisfy { $0.listing.hasAnyChecksum }
        text += String(repeating: "-", count: 65) + " \n"
        return text + row(listings.sum, check: isChecked ? "XXH64" : "") + "\(listings.count) files\n"
    }

    private func row(_ listing: Listing, check: String) -> String {
        let size = listing.contentSize.map {
            "\(number($0).padded(8))\(unit($0).padded(4))  \(ByteCount.fixed(listing.ratio ?? 0, digits: 3))"
        }
        let compressed = listing.compressedSize
        let cells = [
            "\(listing.frames + listing.skippableFrames)".padded(6), "\(listing.skippableFrames)".padded(5),
            number(compressed).padded(6) + unit(compressed).padded(4),
            size ?? "".padded(19), check.padded(5),
        ]
        return cells.joined(separator: "  ") + "  "
    }

    private func paragraph(_ named: NamedListing) -> String {
        let listing = named.listing
        var lines = ["\(Operand.name(of: named.name).printable) ", "# Zstandard Frames: \(listing.frames)"]
        if listing.skippableFrames > 0 { lines.append("# Skippable Frames: \(listing.skippableFrames)") }
        lines += [
            "DictID: \(listing.dictionaryIdentifier)", "Window Size: " + both(listing.lastWindow),
            "Compressed Size: " + both(listing.compressedSize),
        ]
        if let size = listing.contentSize, let ratio = listing.ratio {
            lines += ["Decompressed Size: " + both(size), "Ratio: " + ByteCount.fixed(ratio, digits: 4)]
        }
        lines.append(
            "Check: " + (listing.hasAnyChecksum ? "XXH64" : "None") + (listing.checksumDigits.map { " " + $0 } ?? ""))
        return lines.joined(separator: "\n") + "\n\n"
    }

    private func both(_ bytes: UInt64) -> String { "\(number(bytes))\(unit(bytes)) (\(bytes) B)" }

    /// The power of 1024 that zstd scales a size by (`UTIL_makeHumanReadableSize`).
    private func scale(_ bytes: UInt64) -> Int {
        // With two -v, zstd prints bytes, and mebibytes of what a Double doesn't hold to the byte.
        if verbosity > 1 { return bytes < 1 << 53 ? 0 : 2 }
        return max(0, UInt64.bitWidth - 1 - bytes.leadingZeroBitCount) / 10
    }

    private func unit(_ bytes: UInt64) -> String {
        " " + (ByteCount.units + ["EiB"])[scale(bytes)]
    }

    private func number(_ bytes: UInt64) -> String {
        let value = Double(bytes) / Double(UInt64(1) << UInt64(10 * scale(bytes)))
        if verbosity > 1 { return ByteCount.fixed(value, digits: scale(bytes)) }
        let digits = value >= 100 || scale(bytes) == 0 ? 0 : value >= 10 ? 1 : value > 1 ? 2 : 3
        return ByteCount.fixed(value, digits: digits)
    }
}
