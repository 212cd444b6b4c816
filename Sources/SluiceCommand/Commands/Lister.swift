import Glibc
import Sluice

/// The format of a listing.
enum ListingForm {
    /// Verbose tables have sizes in bytes, and the largest window, the checksum and the dictionary.
    case table(isVerbose: Bool)
    /// The output of zstd 1.5.4, which programs parse.
    case zstd(verbosity: Int)
    case json
}

/// Lists operands for `--list`.
struct Lister {
    let console: Console
    let form: ListingForm
    let followsLinks: Bool

    func run(_ operands: OperandQueue) -> Int32 {
        var listings: [NamedListing] = []
        var failures = 0
        while let operand = operands.next() {
            do throws(Complaint) {
                listings.append(NamedListing(listing: try list(operand), name: operand.path))
            } catch {
                failures += 1
                console.error(error)
            }
        }
        switch form {
        case .json: print(JSON.page(["version": 2, "files": listings.map(\.object)] as [String: Any]))
        case .table where listings.isEmpty: break
        case .table(let isVerbose): print(ListingTable(isVerbose: isVerbose).text(listings))
        case .zstd(let verbosity):
            print(ZstdListing(verbosity: verbosity).text(listings, isSum: operands.count > 1), terminator: "")
        }
        operands.warn()
        return failures + operands.failures == 0 ? 0 : 1
    }

    private func list(_ operand: Operand) throws(Complaint) -> Listing {
        let path = operand.path
        let isStandardInput = path == Operand.standardInput
        if !isStandardInput, let identity = try? operand.identity(followingLinks: true), identity.kind != .file {
            throw Complaint(path, "is not a file: its frames can't be listed")
        }
        let isLink = operand.folder == nil || followsLinks
        let descriptor = try Complaint.about(
            path, cant: "open", isStandardInput ? .standardInput : operand.open(isLink: isLink))
        defer { if !isStandardInput { try? descriptor.close() } }
        let source = try Complaint.about(source: path, Source(descriptor))
        guard source.isFile else { throw Complaint("standard input is not a file: its frames can't be listed") }
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
}

extension [NamedListing] {
    /// The sum of all listings.
    var sum: Listing { dropFirst().reduce(first?.listing ?? Listing()) { $0 + $1.listing } }
}
