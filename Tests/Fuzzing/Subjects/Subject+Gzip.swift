internal import ForeignCodec
internal import TestSupport

extension Subject {
    /// ISA-L and zlib make the same of a member, however it comes: what one refuses, the other refuses, after the same
    /// content. What is known to be accepted by ISA-L alone has proved itself by its checksum (`isIncompleteCode`).
    package static let gzip = Subject("gzip") { input in
        guard IsalLibrary.isUsable else { return }
        var bytes = input
        let (part, room) = (Int(bytes.takeNumber(UInt16.self)) + 1, Int(bytes.takeNumber(UInt16.self)) + 1)
        let isBare = bytes.takeNumber(UInt8.self) & 1 == 0
        let member = isBare ? gzipMember(ofDeflated: Array(bytes), mostContent: mostContent) : Array(bytes)
        let truth = try decoded(member, by: .zlib, part: member.count, room: 1 << 16)
        guard truth.content.count <= mostContent else { return }
        let ours = try decoded(member, by: .isal, part: part, room: room)
        if ours == truth { return }
        try promise(isIncompleteCode(zlibMessage(of: member)), "\(ours) is not \(truth)")
        try promise(ours.content.starts(with: truth.content), "the content before what zlib refuses is another")
        if ours.size != nil { try promise(zlibChecksum(of: ours.content) == ours.stated, "the checksum is another") }
    }

    /// Sets of codes to which patterns of bits belong that say nothing. ISA-L refuses them where they are used.
    private static func isIncompleteCode(_ message: String?) -> Bool {
        ["invalid code lengths set", "invalid literal/lengths set", "invalid distances set"].contains(message)
    }

    private struct Decoded: Equatable, CustomStringConvertible {
        var content: [UInt8] = []
        /// The bytes of the member, if it has ended, and the checksum that it states.
        var size: Int?
        var stated: UInt32?
        var failure: ForeignFailure?

        var description: String {
            "\(content.count) bytes, \(size.map { "of \($0)" } ?? failure?.description ?? "cut")"
        }
    }

    private static func decoded(_ bytes: [UInt8], by library: GzipLibrary, part: Int, room: Int) throws -> Decoded {
        let decoder = try library.makeDecoder()
        var (memory, result, place) = ([UInt8](repeating: 0, count: room), Decoded(), 0)
        try decoder.begin(at: nil)
        repeat {
            let end = min(place + part, bytes.count)
            var rest = bytes[place..<end].span.bytes
            do {
                var isFull = true
                while isFull || !rest.isEmpty {
                    let hasEnded = try memory.withUnsafeMutableBytes { memory in
                        var room = memory
                        defer {
                            result.content += memory.prefix(memory.count - room.count)
                            isFull = room.isEmpty
                        }
                        if try decoder.decode(&rest, into: &room, offset: 0) { return true }
                        guard end == bytes.count, rest.isEmpty, !room.isEmpty else { return false }
                        return try decoder.drain(into: &room, offset: 0)
                    }
                    if hasEnded {
                        let size = end - rest.byteCount
                        var trailer = bytes[..<size].suffix(8)
                        (result.size, result.stated) = (size, trailer.takeNumber(UInt32.self))
                        return result
                    }
                    if result.content.count > mostContent { return result }
                }
            } catch let failure as ForeignFailure {
                result.failure = failure
                return result
            }
            place = end
        } while place < bytes.count
        return result
    }
}
