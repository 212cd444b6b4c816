import Glibc
import Sluice

/// Lists the frames of files from their headers.
struct List: Command {
    let activity = Statistics.Activity("list", noun: "listing", content: .output, hasOutput: false)
    let heeds: HeededOptions = [.json, .archives, .endings]

    func run(_ settings: Settings, _ console: Console) -> Int32 {
        let queue = OperandQueue(settings, console)
        var listings: [NamedListing] = []
        var failures = 0
        while let operand = queue.next() {
            do throws(Complaint) {
                let listing = try list(operand, settings)
                listings.append(NamedListing(listing: listing, name: operand.path))
            } catch {
                failures += 1
                console.error(error)
            }
        }
        let verbosity = settings.reporting.verbosity
        if settings.reporting.isJSON {
            print(JSON.page(["version": 2, "files": listings.map(\.object)] as [String: Any]))
        } else if settings.followsZstd {
            print(ZstdListing(verbosity: verbosity).text(listings, isSum: queue.count > 1), terminator: "")
        } else if !listings.isEmpty {
            print(ListingTable(isVerbose: verbosity > 0).text(listings))
        }
        queue.warn()
        return failures + queue.failures == 0 ? 0 : 1
    }

    private func list(_ operand: Operand, _ settings: Settings) throws(Complaint) -> Listing {
        let (path, isStandardInput) = (Operand.name(of: operand.path), operand.path == Operand.standardInput)
        if !isStandardInput, let identity = try? operand.identity(followingLinks: true), identity.kind != .file {
            throw Complaint(path, "is not a file: its frames can't be listed")
        }
        let isLink = operand.folder == nil || settings.input.isForced
        let descriptor = try Complaint.about(
            path, cant: "open", isStandardInput ? .standardInput : operand.open(isLink: isLink, O_NONBLOCK))
        defer { if !isStandardInput { try? descriptor.close() } }
        var source = try Complaint.about(source: path, Source(descriptor))
        source.ignoresZeros = settings.input.ignoresZeros
        guard source.isFile else { throw Complaint(path, "is not a file: its frames can't be listed") }
        return try Complaint.about(source: path, Listing(of: source))
    }
}

struct NamedListing {
    let listing: Listing
    let name: FilePath

    /// As docs/listing.schema.json describes it.
    var object: [String: Any?] {
        [
            "name": name.string, "nameBase64": JSON.base64(name), "frames": listing.frames,
            "skippableFrames": listing.skippableFrames, "compressedBytes": listing.compressedSize,
            "contentBytes": listing.contentSize, "windowBytes": listing.largestWindow,
            "dictionaryID": listing.dictionaryIdentifier, "checksums": listing.frames > 0 && listing.hasChecksums,
            "xxh64": listing.checksumDigits, "seekTable": listing.hasSeekTable,
        ]
    }
}

extension Listing {
    /// The checksum of a single frame, as eight hexadecimal digits.
    var checksumDigits: String? { checksum.map { String($0, radix: 16).padded(8, with: "0") } }
    /// 0 for an empty file; nil if the content's size is unknown.
    var ratio: Double? { contentSize.map { compressedSize > 0 ? Double($0) / Double(compressedSize) : 0 } }
}

extension [NamedListing] {
    /// The sum of all listings.
    var sum: Listing { dropFirst().reduce(first?.listing ?? Listing()) { $0 + $1.listing } }
}
