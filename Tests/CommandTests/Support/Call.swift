import Glibc
import SystemPackage

@testable import SluiceCommand

/// A call of the command in the process that makes it, without the sandbox, which can't be left, and whatever the
/// environment is.
///
/// For processes of a test's own: folder, standard descriptors and signals are the process's.
struct Call {
    let code: Int32
    let output: [UInt8]
    let messages: String

    /// - Parameters:
    ///   - words: as they would be typed, with spaces between them.
    ///   - input: what is in standard input, a file.
    ///   - folder: where names begin.
    init(_ words: String, input: [UInt8] = [], in folder: Folder) throws {
        guard chdir(folder.path.string) == 0 else { throw Errno(rawValue: errno) }
        let files = try [input, [], []].map(Self.file)
        let before = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].map { dup($0) }
        for (number, file) in files.enumerated() { dup2(file.rawValue, Int32(number)) }
        let typed = ["--no-sandbox"] + words.split(separator: " ").map(String.init)
        code = SluiceTool.run(Invocation(name: Array("sluice".utf8), words: typed.map { Array($0.utf8) })) { _ in nil }
        fflush(nil)
        for (number, file) in before.enumerated() {
            dup2(file, Int32(number))
            close(file)
        }
        output = try Self.content(of: files[1])
        messages = String(decoding: try Self.content(of: files[2]), as: UTF8.self)
        for file in files { try file.close() }
    }

    private static func file(_ content: [UInt8]) throws -> FileDescriptor {
        var path = Array("\(temporaryFolder)/sluice.XXXXXX".utf8CString)
        let file = FileDescriptor(rawValue: mkstemp(&path))
        guard file.rawValue >= 0 else { throw Errno(rawValue: errno) }
        unlink(path)
        _ = try file.writeAll(toAbsoluteOffset: 0, content)
        return file
    }

    private static func content(of file: FileDescriptor) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: Int(file.seek(offset: 0, from: .end))) { memory, used in
            used = try file.read(fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(memory))
        }
    }
}

extension Folder {
    /// What a file has; nil if it is not there.
    func content(_ name: String) -> [UInt8]? {
        guard let file = try? FileDescriptor.open(path.appending(name), .readOnly) else { return nil }
        defer { try? file.close() }
        var content = [UInt8](repeating: 0, count: Int((try? file.seek(offset: 0, from: .end)) ?? 0))
        let count = content.withUnsafeMutableBytes { try? file.read(fromAbsoluteOffset: 0, into: $0) }
        return count == content.count ? content : nil
    }
}
