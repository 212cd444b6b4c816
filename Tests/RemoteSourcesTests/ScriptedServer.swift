import Dispatch
import Glibc
import Synchronization

/// A server of HTTP on a port of its own, for one file: each request is answered as a closure says.
final class ScriptedServer: Sendable {
    /// What is sent for a request, in pieces with pauses before them.
    typealias Answer = [(pause: Double, bytes: [UInt8])]

    let port: UInt16
    private let listening: Int32
    private let received = Mutex<[[UInt8]]>([])

    /// The header of each request, as it came.
    var requests: [[UInt8]] { received.withLock { $0 } }

    /// - Parameter answer: makes the answer to a request by its header and its number, from 0.
    init(_ answer: @escaping @Sendable ([UInt8], Int) -> Answer) throws {
        (listening, port) = try Self.listen()
        let thread = DispatchQueue(label: "scripted server", attributes: .concurrent)
        thread.async { [self] in
            while true {
                let connection = accept(listening, nil, nil)
                if connection < 0 { return }
                thread.async { self.serve(connection, answer) }
            }
        }
    }

    private enum Trouble: Error { case noSocket }

    /// A socket that listens on a port of its own.
    static func listen() throws -> (Int32, UInt16) {
        let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutableBytes(of: &address) { raw in
            guard let memory = raw.assumingMemoryBound(to: sockaddr.self).baseAddress else { return false }
            return bind(listening, memory, size) == 0 && Glibc.listen(listening, 16) == 0
                && getsockname(listening, memory, &size) == 0
        }
        guard isOpen else { throw Trouble.noSocket }
        return (listening, UInt16(bigEndian: address.sin_port))
    }

    func close() { shutdown(listening, Int32(SHUT_RDWR)) }

    private func serve(_ connection: Int32, _ answer: ([UInt8], Int) -> Answer) {
        defer { Glibc.close(connection) }
        var request: [UInt8] = []
        var byte: UInt8 = 0
        while read(connection, &byte, 1) == 1 {
            request.append(byte)
            guard request.suffix(4).elementsEqual("\r\n\r\n".utf8) else { continue }
            let number = received.withLock { received in
                received.append(request)
                return received.count - 1
            }
            for (pause, bytes) in answer(request, number) {
                usleep(UInt32(pause * 1e6))
                if send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) != bytes.count { return }
            }
            request = []
        }
    }

    /// The answer to a request for a range of a file.
    static func range(of file: [UInt8], _ request: [UInt8], lines: [[UInt8]] = []) -> [UInt8] {
        let text = String(decoding: request, as: UTF8.self).lowercased()
        let words = text.split(separator: "range: bytes=").last?.prefix { $0 != "\r\n" && $0 != "\r" } ?? ""
        let ends = words.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        var range = file.indices
        if ends.count == 2 {
            if let first = ends[0] {
                range = first..<min(file.count, (ends[1] ?? file.count - 1) + 1)
            } else if let count = ends[1] {
                range = max(0, file.count - count)..<file.count
            }
        }
        let head =
            "HTTP/1.1 206 Partial Content\r\nContent-Length: \(range.count)\r\n"
            + "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.count)\r\n"
        return Array(head.utf8) + lines.flatMap { $0 + Array("\r\n".utf8) } + Array("\r\n".utf8) + file[range]
    }
}
