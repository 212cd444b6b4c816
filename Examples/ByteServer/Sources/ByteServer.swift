import Hummingbird
import Sluice

/// Stores uploads compressed, and serves any range of their bytes from the frames that hold it.
///
///     ByteServer 8080 FOLDER
///     curl -T big.tar http://localhost:8080/big.tar
///     curl -r 1000000-1000099 http://localhost:8080/big.tar
///
/// An upload gets its name when all of it is on the disk: one that breaks off leaves nothing.
@main
struct ByteServer {
    static func main() async throws {
        guard CommandLine.arguments.count == 3, let port = Int(CommandLine.arguments[1]) else {
            fatalError("usage: ByteServer PORT FOLDER")
        }
        let folder = FilePath(CommandLine.arguments[2])
        let router = Router()
        router.put(":name") { request, context in
            // A view of a buffer is a collection of its bytes: nothing is copied before the run takes it.
            let summary = try await Compression(level: 3).run(
                from: request.body.map(\.readableBytesView), to: .file(path(context, folder), isReplacing: true))
            return Response(status: .created, body: .init(byteBuffer: .init(string: "\(summary.bytesOut) bytes\n")))
        }
        router.get(":name") { request, context in
            do {
                let file = try await CompressedFile.open(at: path(context, folder))
                return answer(request.headers[.range], file)
            } catch let error as Failure where error.code == .notFound {
                throw HTTPError(.notFound)
            }
        }
        let address = BindAddress.hostname("127.0.0.1", port: port)
        try await Application(router: router, configuration: .init(address: address)).runService()
    }

    /// A name from outside is a name in the folder, and no way out of it.
    static func path(_ context: BasicRequestContext, _ folder: FilePath) throws -> FilePath {
        let name = try context.parameters.require("name")
        guard let component = FilePath.Component(name), component.kind == .regular, !name.hasPrefix(".") else {
            throw HTTPError(.badRequest)
        }
        return folder.appending(component.string + ".zst")
    }

    /// The whole content, or the one range that a header asks for.
    static func answer(_ header: String?, _ file: CompressedFile) -> Response {
        let size = file.contentSize
        let asked = header.flatMap { requested($0, of: size) }
        let range = asked ?? 0..<size
        var headers: HTTPFields = [.acceptRanges: "bytes", .contentType: "application/octet-stream"]
        if asked?.isEmpty == true {
            headers[.contentRange] = "bytes */\(size)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
        if asked != nil { headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)" }
        let body = ResponseBody(contentLength: range.count) { writer in
            for try await region in file.buffers(in: range) { try await writer.write(ByteBuffer(bytes: region)) }
            try await writer.finish(nil)
        }
        return Response(status: asked == nil ? .ok : .partialContent, headers: headers, body: body)
    }

    /// What `bytes=FIRST-LAST`, `bytes=FIRST-` or `bytes=-COUNT` (RFC 9110, 14.1.2) asks for: empty if none of it is
    /// there, nil for any other header.
    static func requested(_ header: String, of size: Int) -> Range<Int>? {
        guard let words = header.wholeMatch(of: /bytes=(\d{0,18})-(\d{0,18})/) else { return nil }
        let (first, end): (Int, Int)
        switch (Int(words.1), Int(words.2)) {
        case (let from?, let last?) where from <= last: (first, end) = (from, min(last, size - 1) + 1)
        case (let from?, nil): (first, end) = (from, size)
        case (nil, let count?): (first, end) = (max(0, size - count), size)
        default: return nil
        }
        return first < end ? first..<end : size..<size
    }
}
