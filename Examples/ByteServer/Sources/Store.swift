import Hummingbird
import Sluice

/// A folder of compressed files.
struct Store {
    let folder: FilePath

    /// Compresses a body while it comes.
    func keep(_ body: RequestBody, as name: String) async throws -> Summary {
        // A view of a buffer is a collection of its bytes: nothing is copied before the run takes it.
        let buffers = body.map { $0.readableBytesView }
        return try await Compression(level: 3).run(from: buffers, to: .file(try path(name), isReplacing: true))
    }

    /// Opens what was kept.
    func open(_ name: String) async throws -> CompressedFile {
        do {
            return try await CompressedFile.open(at: try path(name))
        } catch let error as Failure where error.code == .notFound {
            throw HTTPError(.notFound)
        }
    }

    /// A name from outside is a name in the folder, and no way out of it.
    private func path(_ name: String) throws -> FilePath {
        guard let component = FilePath.Component(name), component.kind == .regular, !name.hasPrefix(".") else {
            throw HTTPError(.badRequest)
        }
        return folder.appending(component.string + ".zst")
    }
}
