import Hummingbird
import Sluice

/// A folder of compressed files.
struct Store {
    let folder: FilePath

    /// Compresses a body while it comes.
    func keep(_ body: RequestBody, as name: String) async throws -> Summary {
        try await Compression(level: 3).run(from: body, to: .file(try path(name), isReplacing: true))
    }

    /// Opens what was kept.
    func open(_ name: String) async throws -> CompressedFile {
        let path = try path(name)
        do throws(Failure) {
            return try await CompressedFile.open(at: path)
        } catch let error where error.errno == .noSuchFileOrDirectory {
            throw HTTPError(.notFound)
        }
    }

    /// A name from outside is a name in the folder, and no way out of it.
    private func path(_ name: String) throws -> FilePath {
        guard let component = FilePath.Component(name), component.kind == .regular, !name.hasPrefix(".") else {
            throw HTTPError(.badRequest)
        }
        return folder.appending(FilePath.Component(name + ".zst") ?? component)
    }
}
