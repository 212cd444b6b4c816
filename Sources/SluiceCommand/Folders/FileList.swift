import Glibc
import SluiceEngine

/// A list of files (`--filelist`): one name per line, or if it has zero bytes, one before each.
enum FileList {
    /// The largest list, in bytes.
    private static let sizeLimit = 256 << 20

    /// Returns the names as they would be on the command line. The first empty line yields an empty path, to be
    /// reported; others are dropped.
    ///
    /// - Parameter makePath: makes a path of a name.
    /// - Throws: why the list can't be read.
    static func names(
        in path: FilePath, _ makePath: ([UInt8]) throws(Complaint) -> FilePath = { FilePath(word: $0) }
    ) throws(Complaint) -> [FilePath] {
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
        let known = listed.indices.filter { $0 == empty || !listed[$0].isEmpty }
        return try known.map { index throws(Complaint) in
            let name = listed[index]
            // In a list, - is a name rather than standard input.
            return name.elementsEqual("-".utf8) ? "./-" : name.isEmpty ? FilePath() : try makePath(Array(name))
        }
    }

    private static func read(_ path: FilePath) throws(Complaint) -> [UInt8] {
        let action = "read the list"
        let isStandardInput = path.isStandardInput
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

/// The entries of a directory, sorted by name.
///
/// The whole directory is read before its first file is processed, so that files created by then don't appear. An entry
/// takes its name's length and ten more bytes.
struct FolderListing {
    /// Each name, preceded by a byte for its kind and terminated by zero.
    private var names: [UInt8] = []
    /// The offsets of the names in `names`, in order.
    private var starts: [Int] = []
    private var position = 0

    /// - Throws: why the directory can't be read completely.
    init(_ folder: Folder) throws(Errno) {
        let descriptor = try FileDescriptor(opening: ".", in: folder.descriptor, O_RDONLY | O_DIRECTORY)
        guard let stream = fdopendir(descriptor.rawValue) else {
            let error = Errno(rawValue: errno)
            try? descriptor.close()
            throw error
        }
        defer { closedir(stream) }
        errno = 0
        while let entry = readdir(stream) {
            add(entry, folder.descriptor)
            errno = 0
        }
        if errno != 0 { throw Errno(rawValue: errno) }
        sort()
    }

    /// Returns the next entry; nil at the end.
    mutating func next() -> (name: FilePath, kind: FileIdentity.Kind)? {
        guard position < starts.count else { return nil }
        let start = starts[position]
        position += 1
        let name = names.withUnsafeBytes { bytes in
            bytes.baseAddress.map { FilePath(platformString: ($0 + start).assumingMemoryBound(to: CChar.self)) }
        }
        return (name ?? FilePath(), FileIdentity.Kind(rawValue: names[start - 1]) ?? .other)
    }

    private mutating func add(_ entry: UnsafeMutablePointer<dirent>, _ folder: FileDescriptor) {
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return }
        let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
        if strcmp(name, ".") == 0 || strcmp(name, "..") == 0 { return }
        names.append(Self.kind(entry.pointee.d_type, name, folder).rawValue)
        starts.append(names.count)
        names += UnsafeRawBufferPointer(start: name, count: strlen(name) + 1)
    }

    /// - Parameter type: the type in the `dirent`, which some file systems leave unknown.
    private static func kind(
        _ type: UInt8, _ name: UnsafePointer<CChar>, _ folder: FileDescriptor
    ) -> FileIdentity.Kind {
        switch Int(type) {
        case Int(DT_REG): return .file
        case Int(DT_DIR): return .directory
        case Int(DT_LNK): return .link
        case Int(DT_UNKNOWN):
            let path = FilePath(platformString: name)
            // Opening it will report the problem.
            return (try? FileIdentity(at: path, in: folder, followingLinks: false))?.kind ?? .file
        default: return .other
        }
    }

    private mutating func sort() {
        names.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
            starts.sort { strcmp(start + $0, start + $1) < 0 }
        }
    }
}
