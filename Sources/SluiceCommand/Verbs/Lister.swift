import Glibc
import Sluice
import SystemPackage

/// How listings are printed.
enum ListingForm {
    /// Verbosely, sizes are told to the byte, with the largest window, the checksum and the dictionary.
    case table(isVerbose: Bool)
    /// As by zstd 1.5.4, which programs parse.
    case zstd(verbosity: Int)
    case json
}

/// Prints what `--list` finds.
struct Lister {
    let console: Console
    let form: ListingForm

    func run(_ operands: [FilePath]) -> Int32 {
        var listings: [NamedListing] = []
        var failures = 0
        for operand in operands {
            do throws(Complaint) {
                listings.append(NamedListing(listing: try list(operand), name: operand.printable))
            } catch {
                failures += 1
                console.error(error.sentence, hint: error.hint)
            }
        }
        switch form {
        case .json: print(JSON.page(ListingObject(listings)))
        case .table where listings.isEmpty: break
        case .table(let isVerbose): print(ListingTable(isVerbose: isVerbose).text(listings))
        case .zstd(let verbosity):
            print(ZstdListing(verbosity: verbosity).text(listings, isSum: operands.count > 1), terminator: "")
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
}

struct NamedListing {
    let listing: Listing
    let name: String
}
