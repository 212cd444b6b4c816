import Sluice

/// The output of `-l --json`, described by docs/listing.schema.json.
struct ListingObject: Encodable {
    struct File: Encodable {
        let name: String
        /// The bytes of a name that is not UTF-8.
        let nameBase64: String?
        let frames: Int
        let skippableFrames: Int
        let compressedBytes: UInt64
        /// Nil if a frame does not declare it.
        let contentBytes: UInt64?
        let windowBytes: UInt64
        let dictionaryID: UInt32
        /// Whether every frame has one.
        let checksums: Bool
        /// The checksum of a single frame, in hexadecimal.
        let xxh64: String?
        let seekTable: Bool
    }

    let version = 2
    let files: [File]

    init(_ listings: [NamedListing]) {
        files = listings.map { named in
            let listing = named.listing
            return File(
                name: named.name.string, nameBase64: JSON.base64(named.name), frames: listing.frames,
                skippableFrames: listing.skippableFrames,
                compressedBytes: listing.compressedSize, contentBytes: listing.contentSize,
                windowBytes: listing.largestWindow, dictionaryID: listing.dictionaryIdentifier,
                checksums: listing.frames > 0 && listing.hasChecksums, xxh64: listing.checksumDigits,
                seekTable: listing.hasSeekTable)
        }
    }
}

extension Listing {
    /// The checksum of a single frame, as eight hexadecimal digits.
    var checksumDigits: String? { checksum.map { String($0, radix: 16).padded(8, with: "0") } }
}
