import Sluice

/// The front page of the library's documentation: a file is compressed, tested, and read in the middle.
@main
struct FrontPage {
    static func main() async throws {
        let (path, packed) = (CommandLine.arguments[1], CommandLine.arguments[1] + ".zst")

        let summary = try await Compression(level: 3).run(from: .file(path), to: .file(packed))
        print("\(summary.bytesIn) bytes became \(summary.bytesOut)")
        try await Decompression().run(from: .file(packed), to: .nothing)

        let file = try await CompressedFile.open(at: packed)
        let middle = file.contentSize / 2
        print("the middle is \(try file.read(middle..<middle + 10))")
    }
}
