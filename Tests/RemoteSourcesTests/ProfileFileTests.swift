import ByteStreams
import Foundation
import StreamTestSupport
import SystemPackage
import Testing

@testable import RemoteSources

/// Profiles as AWS's tools read them: beside the parser of botocore, which `aws` has, and Python's `shlex`.
@Suite(.timeLimit(.minutes(4)))
struct ProfileFileTests {
    /// Where the scripts' tests install moto, which needs botocore.
    static let programs =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path + "/.build/python/bin"
    static let hasBotocore = FileManager.default.isExecutableFile(atPath: programs + "/moto_server")

    /// Reads each file of a folder, and writes a line for each: what is in it, in hexadecimal, or that it is refused.
    private static let reader = """
        import os, shlex, sys
        from botocore import configloader, exceptions
        folder, out = sys.argv[1:]
        def hexed(text): return text.encode().hex()
        def told(sections):
            return " ".join(hexed(name) + "{" + ",".join(sorted(
                hexed(key) + "=" + hexed(value) for key, value in values.items() if isinstance(value, str))) + "}"
                for name, values in sorted(sections.items(), key=lambda item: item[0].encode()))
        with open(out, "w") as lines:
            for number in range(int(len(os.listdir(folder)))):
                path = f"{folder}/{number}"
                try:
                    raw = configloader.raw_config_parse(path)
                    lines.write(told(raw) + "|" + told(configloader.build_profile_map(raw)["profiles"]) + "|")
                except exceptions.ConfigParseError:
                    lines.write("refused|refused|")
                try:
                    words = shlex.split(open(path, newline="", encoding="utf-8").read())
                    lines.write(" ".join(hexed(word) for word in words) + "\\n")
                except ValueError:
                    lines.write("refused\\n")
        """

    private static func hex(_ text: some Sequence<UInt8>) -> String {
        text.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func told(_ sections: [(name: String, values: [String: String])]) -> String {
        sections.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map { name, values in
            let pairs = values.map { "\(hex($0.key.utf8))=\(hex($0.value.utf8))" }.sorted()
            return "\(hex(name.utf8)){\(pairs.joined(separator: ","))}"
        }.joined(separator: " ")
    }

    private static func file(_ random: inout SeededNumbers) -> String {
        let pieces = [
            "[default]", "[profile a]", "[profile \"a b\"]", "[profile 'c", "[profilex d]", "[a]", "[DEFAULT]", "[",
            "]", "[]",
            "[profile a b]", "[sso-session s]", "[x]y]", "aws_access_key_id", "Region", "k", "=", " = ", ":", "v",
            "v # no comment",
            "# a comment", "; another", "s3 =", " ", "  ", "\t", "\n", "\n", "\n", "\n", "\r\n", "\r", "ä", "\\", "\"",
            "'",
            "x = y", "  nested = 1", "\u{0B}", "=x", "\u{1F}", "%(x)s", "\n[b]\nq = r\n",
        ]
        return (0..<Int.random(in: 0...14, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }
            .joined()
    }

    /// Files that are mostly right: they have what people write.
    private static func likelyFile(_ random: inout SeededNumbers) -> String {
        let lines = [
            "# comment", "", "  ; indented comment", "region = eu-west-1", "aws_access_key_id=A", "  continued", "s3 =",
            "    addressing_style = path", "endpoint_url: http://h:1", "output =", "credential_process = a 'b c'",
            "  # comment within", "x = a = b", "Y=1 ; 2",
        ]
        var (text, names) = (
            "", ["[default]", "[profile a]", "[profile \"b c\"]", "[services x]", "[other]"].shuffled(using: &random)
        )
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard let name = names.popLast() else { break }
            text += name + "\n"
            for line in lines.shuffled(using: &random).prefix(Int.random(in: 0...8, using: &random)) {
                text += line + "\n"
            }
        }
        return text
    }

    @Test(.enabled(if: hasBotocore)) func `a thousand files are read as botocore and shlex read them`() async throws {
        let python = Self.programs + "/python3"
        let disagreements = try await within(120) {
            let scratch = try Scratch()
            let (folder, out) = (scratch.path.appending("files"), scratch.path.appending("out"))
            try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder.string) }
            var random = SeededNumbers(seed: 76)
            let files = (0..<1000).map { $0 % 2 == 0 ? Self.file(&random) : Self.likelyFile(&random) }
            for (number, file) in files.enumerated() {
                try Data(file.utf8).write(to: URL(filePath: "\(folder.string)/\(number)"))
            }
            let words = [python, "-c", Self.reader, folder.string, out.string].map { Array($0.utf8) }
            let output = ProgramOutput.of(words, within: 100, unless: { false })
            guard case .bytes = output else { return ["python: \(output)"] }
            let lines = try String(contentsOfFile: out.string, encoding: .utf8).split(separator: "\n")
            return zip(files, lines).compactMap { file, line in
                let own = Self.line(of: file)
                return own == line ? nil : "\(file.debugDescription): \(own), and not \(line)"
            } + (lines.count == files.count ? [] : ["\(lines.count) lines"])
        }
        #expect(disagreements.count == 0, "\(disagreements.prefix(3))")
    }

    private static func line(of file: String) -> String {
        var parts = ["refused", "refused"]
        if let read = try? ProfileFile(Array(file.utf8)) {
            let words = read.sections.compactMap { ShellWords.split(Array($0.name.utf8))?.last }
            let names = Set(words.map { String(decoding: $0, as: UTF8.self) } + ["default"])
            let profiles = names.compactMap { name in read.profile(name).map { (name: name, values: $0) } }
            parts = [told(read.sections), told(profiles)]
        }
        let words = ShellWords.split(Array(file.utf8))
        return (parts + [words?.map(hex).joined(separator: " ") ?? "refused"]).joined(separator: "|")
    }

    @Test func `any bytes are settings or refused`() {
        var (random, count) = (SeededNumbers(seed: 1), 0)
        for _ in 0..<20_000 {
            var bytes = Array(Self.file(&random).utf8)
            if !bytes.isEmpty, Bool.random(using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if (try? ProfileFile(bytes)) != nil { count += 1 }
        }
        #expect(count > 1000)
    }
}
