import Hummingbird
import Sluice

/// Stores what is uploaded, compressed while it comes, and serves any bytes of it.
///
///     ByteServer 8080 FOLDER
///     curl -T big.tar http://localhost:8080/big.tar
///     curl -r 1000000-1000099 http://localhost:8080/big.tar
///
/// An upload has its name when all of it is on the disk: one that breaks off leaves nothing. A part is served from the
/// frames that hold it.
@main
struct ByteServer {
    static func main() async throws {
        guard CommandLine.arguments.count == 3, let port = Int(CommandLine.arguments[1]) else { throw Usage() }
        let store = Store(folder: FilePath(CommandLine.arguments[2]))
        let router = Router()
        router.put(":name") { request, context in
            let summary = try await store.keep(request.body, as: try context.parameters.require("name"))
            return Response(
                status: .created, body: .init(byteBuffer: ByteBuffer(string: "\(summary.bytesOut) bytes\n")))
        }
        router.get(":name") { request, context in
            let file = try await store.open(try context.parameters.require("name"))
            return answer(request.headers[.range], file)
        }
        let address = BindAddress.hostname("127.0.0.1", port: port)
        try await Application(router: router, configuration: .init(address: address)).runService()
    }

    /// All of the content, or the one range that a header asks for.
    static func answer(_ header: String?, _ file: CompressedFile) -> Response {
        let size = file.contentSize
        var headers: HTTPFields = [.acceptRanges: "bytes", .contentType: "application/octet-stream"]
        guard let header, let request = RangeRequest(header) else {
            return Response(status: .ok, headers: headers, body: body(file, 0..<size))
        }
        guard let range = request.range(of: size) else {
            headers[.contentRange] = "bytes */\(size)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
        headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
        return Response(status: .partialContent, headers: headers, body: body(file, range))
    }

    private static func body(_ file: CompressedFile, _ range: Range<Int>) -> ResponseBody {
        ResponseBody(contentLength: range.count) { writer in
            for try await region in file.buffers(in: range) { try await writer.write(ByteBuffer(bytes: region)) }
            try await writer.finish(nil)
        }
    }
}

/// What is wrong with the command line.
struct Usage: Error, CustomStringConvertible {
    let description = "usage: ByteServer PORT FOLDER"
}
