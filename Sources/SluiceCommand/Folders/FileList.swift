import Sluice

/// A list of files (`--filelist`): one name per line, or if it has zero bytes, one before each.
enum FileList {
    /// The largest list, in bytes.
    private static let sizeLimit = 256 << 20

    /// Returns the names as they would be on the command line. The first empty line yields an empty path, to be
    /// reported; others are dropped.
    ///
    /// - Throws: why the list can't be read.
    static func names(in path: FilePath) throws(Complaint) -> [FilePath] {
        let (content, path) = (try read(path), Operand.name(of: path))
        guard content.count <= sizeLimit else {
            throw Complaint(path, "contains more than \(ByteCount.format(sizeLimit)) of names")
        }
        if content.isEmpty { throw Complaint(path, "contains no file names") }
        let end = content.contains(0) ? 0 : UInt8(ascii: "\n")
        let names = content.split(separator: end, omittingEmptySubsequences: false)
        let listed = content.last == end ? names.dropLast() : names[...]
        let empty = listed.firstIndex(where: \.isEmpty)
        if end == 0, empty != nil { throw Complaint(path, "is not a list of files: it has an empty name") }
        return listed.indices.filter { $0 == empty || !listed[$0].isEmpty }.map { index in
            let name = listed[index]
            // In a list, - is a name rather than standard input.
            return name.elementsEqual("-".utf8) ? "./-" : name.isEmpty ? FilePath() : FilePath(word: Array(name))
        }
    }

    private static func read(_ path: FilePath) throws(Complaint) -> [UInt8] {
        let action = "read the list"
        let isStandardInput = path == Operand.standardInput
        let descriptor = isStandardInput ? .standardInput : try AuxiliaryFile.open(path, cant: action)
        defer { if !isStandardInput { try? descriptor.close() } }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var count = buffer.count
        while count == buffer.count, content.count <= sizeLimit {
            count = try Complaint.about(Operand.name(of: path), cant: action, descriptor.fill(&buffer))
            content += buffer[..<count]
        }
        return content
    }
}
