import Glibc
import SluiceEngine

/// Lists the frames of files from their headers.
struct List: Command {
    let activity = Activity("list", noun: "listing", content: .output, hasOutput: false)
    let optionGroups: OptionGroups = [.json, .archives, .endings, .listing]

    func run(_ settings: Settings, _ console: Console) -> Int32 {
        let queue = OperandQueue(settings, console)
        var listings: [NamedListing] = []
        var failures = 0
        while let operand = queue.next() {
            do throws(Complaint) {
                listings.append(try list(operand, settings, console))
            } catch {
                failures += 1
                console.error(error)
            }
        }
        let verbosity = settings.reporting.verbosity
        if settings.reporting.isJSON {
            print(JSON.page(FileReports(files: listings, version: 4)))
        } else if settings.followsZstd {
            print(ZstdListing(verbosity: verbosity).text(listings, isSum: queue.count > 1), terminator: "")
        } else if !listings.isEmpty {
            print(ListingTable(isVerbose: verbosity > 0).text(listings))
        }
        for listing in settings.reporting.isJSON ? [] : listings {
            guard let frames = listing.frameList else { continue }
            if listings.count > 1 { print("\n" + Operand.name(of: listing.name).printable) }
            print(FrameTable.text(frames))
        }
        queue.warn()
        return failures + queue.failures == 0 ? 0 : 1
    }

    private func list(_ operand: Operand, _ settings: Settings, _ console: Console) throws(Complaint) -> NamedListing {
        if let location = settings.input.remote[operand.path] {
            let source = try settings.input.remote.open(operand.path, location)
            if let stream = source.stream {
                let listing = try list(operand, stream, settings)
                console.warnOfReading(operand.path, Int(clamping: listing.listing.compressedSize))
                return listing
            }
            return try Complaint.about(
                source: operand.path, NamedListing(of: source, named: operand.path, settings))
        }
        let (path, isStandardInput) = (Operand.name(of: operand.path), operand.path.isStandardInput)
        // zstd lists files only.
        let kind = isStandardInput ? nil : (try? operand.identity(followingLinks: true))?.kind
        let isPipe = kind == .fifo && !settings.followsZstd
        if let kind, kind != .file, !isPipe { throw Complaint(path, "is not a file: its frames can't be listed") }
        let isLink = operand.folder == nil || settings.input.isForced
        let flags = isPipe ? 0 : O_NONBLOCK
        let descriptor = try Complaint.about(
            path, cant: "open", isStandardInput ? .standardInput : operand.open(isLink: isLink, flags))
        defer { if !isStandardInput { try? descriptor.close() } }
        var source = try Complaint.about(source: path, Source(descriptor))
        source.ignoresZeros = settings.input.ignoresZeros
        if source.isFile {
            return try Complaint.about(source: path, NamedListing(of: source, named: operand.path, settings))
        }
        let isTerminal = isStandardInput && StandardDescriptors.isTerminal(.standardInput)
        guard !settings.followsZstd, !isTerminal else {
            throw Complaint(path, "is not a file: its frames can't be listed")
        }
        return try list(operand, Complaint.about(source: path, DescriptorSource(source)), settings)
    }

    /// Lists what comes only once.
    private func list(
        _ operand: Operand, _ stream: any ByteSource, _ settings: Settings
    ) throws(Complaint) -> NamedListing {
        // What can't be listed is not read to its end, but a server may still send it.
        defer { stream.cancel() }
        let path = Operand.name(of: operand.path)
        if settings.reporting.listsFrames { throw Complaint(path, "can't be read at any place: --frames needs that") }
        return NamedListing(
            listing: try Complaint.about(source: path, Listing(reading: stream)), name: operand.path)
    }
}

struct NamedListing {
    let listing: Listing
    let name: FilePath
    /// Each frame, if that was asked for.
    var frameList: [ListedFrame]?
}

extension NamedListing {
    fileprivate init(of source: Source, named name: FilePath, _ settings: Settings) throws(Failure) {
        var listing = try Listing(of: source)
        // A description, the last set and the description again.
        if source.descriptor != nil, listing.skippableFrames >= 3 {
            listing.paritySize = try ParityTest.paritySize(of: source)
        }
        (self.listing, self.name) = (listing, name)
        let reporting = settings.reporting
        // With -v a file with too many of them still has its line.
        let isVerbose = reporting.verbosity > 0 && !reporting.isJSON && !settings.followsZstd
        let showsFrames = isVerbose && listing.frames + listing.skippableFrames <= ListedFrame.most
        if reporting.listsFrames || showsFrames { frameList = try ListedFrame.all(of: source) }
    }
}

/// As docs/listing.schema.json describes it.
extension NamedListing: JSONValue {
    func write(to json: inout JSON) {
        json.object { json in
            json.entry("checksums", listing.frames > 0 && listing.hasChecksums)
            json.entry("compressedBytes", listing.compressedSize)
            json.entry("contentBytes", listing.contentSize)
            json.entry("dictionaryID", listing.dictionaryIdentifier)
            json.entry("frameList", frameList)
            json.entry("frames", listing.frames)
            json.entry("name", name, base64: "nameBase64")
            json.entry("parityBytes", listing.paritySize)
            json.entry("seekTable", listing.hasSeekTable)
            json.entry("skippableFrames", listing.skippableFrames)
            json.entry("windowBytes", listing.largestWindow)
            json.entry("xxh64", listing.checksumDigits)
        }
    }
}

extension Listing {
    /// The checksum of a single frame.
    var checksumDigits: String? { checksum?.checksumDigits }
    /// 0 for an empty file; nil if the content's size is unknown.
    var ratio: Double? { contentSize.map { compressedSize > 0 ? Double($0) / Double(compressedSize) : 0 } }
}

extension [NamedListing] {
    /// The sum of all listings.
    var sum: Listing { dropFirst().reduce(first?.listing ?? Listing()) { $0 + $1.listing } }
}

/// The table of `--list`: a line for each file.
struct ListingTable {
    /// Whether sizes are in bytes, with the largest window, the checksum and the dictionary.
    let isVerbose: Bool

    /// Whether one of the files has parity.
    private var hasParity = false

    init(isVerbose: Bool) { self.isVerbose = isVerbose }

    private var titles: [String] {
        ["Frames", "Skips", "Compressed", "Uncompressed", "Ratio", "Check", "Table"] + (hasParity ? ["Parity"] : [])
            + (isVerbose ? ["Window", "DictID"] : [])
    }

    private func cells(_ listing: Listing) -> [String] {
        let size = listing.contentSize
        let cells = [
            "\(listing.frames)", "\(listing.skippableFrames)", format(listing.compressedSize),
            size.map(format) ?? "", listing.ratio.map { ByteCount.fixed($0, digits: 3) } ?? "",
            check(listing), listing.hasSeekTable ? "yes" : "no",
        ]
        return cells + (hasParity ? [share(listing)] : [])
            + (isVerbose ? [format(listing.largestWindow), "\(listing.dictionaryIdentifier)"] : [])
    }

    private func share(_ listing: Listing) -> String {
        guard listing.paritySize > 0, listing.compressedSize > listing.paritySize else { return "no" }
        if isVerbose { return "\(listing.paritySize)" }
        let share = Double(listing.paritySize) / Double(listing.compressedSize - listing.paritySize)
        return ByteCount.fixed(100 * share, digits: 1) + "%"
    }

    /// Verbose tables have the checksum of a single frame.
    private func check(_ listing: Listing) -> String {
        guard listing.hasChecksums, listing.frames > 0 else { return "None" }
        return "XXH64" + (isVerbose ? listing.checksumDigits.map { " " + $0 } ?? "" : "")
    }

    private func format(_ bytes: UInt64) -> String { isVerbose ? "\(bytes)" : ByteCount.format(bytes) }

    /// Lines for the titles, each file, and the sum of several.
    func text(_ listings: [NamedListing]) -> String {
        var table = self
        table.hasParity = listings.contains { $0.listing.paritySize > 0 }
        return table.lines(listings)
    }

    private func lines(_ listings: [NamedListing]) -> String {
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

extension ListedFrame: JSONValue {
    func write(to json: inout JSON) {
        json.object { json in
            json.entry("compressedBytes", size)
            json.entry("contentBytes", contentSize)
            json.entry("contentOffset", contentOffset)
            json.entry("offset", offset)
            json.entry("xxh64", checksum?.checksumDigits)
        }
    }
}

extension UInt32 {
    /// Eight hexadecimal digits.
    fileprivate var checksumDigits: String { String(self, radix: 16).padded(8, with: "0") }
}

/// A line for each frame of a file, all in bytes.
enum FrameTable {
    static func text(_ frames: [ListedFrame]) -> String {
        let titles = ["Offset", "Compressed", "Content offset", "Content", "XXH64"]
        let rows =
            [titles]
            + frames.map { frame in
                ["\(frame.offset)", "\(frame.size)"]
                    + [frame.contentOffset, frame.contentSize].map { $0.map { "\($0)" } ?? "" }
                    + [frame.checksum?.checksumDigits ?? ""]
            }
        let widths = titles.indices.map { column in rows.map { $0[column].utf8.count }.max() ?? 0 }
        return rows.map { zip($0, widths).map { $0.padded($1) }.joined(separator: "  ") }.joined(separator: "\n")
    }
}

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
        // With two -v, zstd prints bytes, and MiB for a size that a Double can't hold exactly.
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
