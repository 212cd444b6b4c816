import Glibc
import Sluice
import SystemPackage

@testable import SluiceCommand

/// A call of the command in the process that makes it: as `SluiceTool` does it, but for the sandbox, which can't be
/// left.
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
        code = Self.run(words.split(separator: " ").map { Array($0.utf8) })
        fflush(nil)
        for (number, file) in before.enumerated() {
            dup2(file, Int32(number))
            close(file)
        }
        output = try Self.content(of: files[1])
        messages = String(decoding: try Self.content(of: files[2]), as: UTF8.self)
        for file in files { try file.close() }
    }

    private static func run(_ words: [[UInt8]]) -> Int32 {
        do {
            let request = try Request(words)
            var settings = try request.settled { _ in nil }
            let console = Console(quietness: settings.reporting.quietness)
            let operands = try settings.operands(request.operands)
            settings.references = try References(for: operands, settings)
            try settings.verification.loadHash()
            for warning in settings.warnings(for: operands) { console.warn(warning) }
            do throws(Complaint) {
                return try settings.command.run(operands, settings, console)
            } catch {
                console.error(error.sentence, hint: error.hint)
                return error.exitCode
            }
        } catch {
            Console(quietness: 0).error("\((error as? Complaint)?.sentence ?? "\(error)")")
            return 1
        }
    }

    private static func file(_ content: [UInt8]) throws -> FileDescriptor {
        var path = Array("/tmp/sluice.XXXXXX".utf8CString)
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
