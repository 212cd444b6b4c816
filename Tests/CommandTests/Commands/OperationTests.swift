import Glibc
import SystemPackage
import Testing

/// What the command can be told to do, each in a process of its own.
@Suite(.timeLimit(.minutes(4))) struct OperationTests {
    /// Words of many lines, which compress.
    static let text = (0..<40_000).map { "line \($0) of many\n" }.joined()

    @Test func `what is compressed is tested, listed, and comes back`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            try folder.write(OperationTests.text, to: "a")
            #expect(try Call("-q -B64K a", in: folder).code == 0)
            #expect(folder.names == ["a", "a.zst"])
            #expect(try Call("-q -t a.zst", in: folder).code == 0)
            let list = try Call("-l a.zst", in: folder)
            #expect(list.code == 0)
            #expect(String(decoding: list.output, as: UTF8.self).contains("a.zst"))
            #expect(try Call("-l -v a.zst", in: folder).output.count > list.output.count)
            let object = try Call("-l --json a.zst", in: folder)
            #expect(object.code == 0)
            #expect([UInt8(ascii: "{"), UInt8(ascii: "[")].contains(object.output.first))
            #expect(try Call("-q -d a.zst -o b", in: folder).code == 0)
            #expect(folder.content("b") == folder.content("a"))
            #expect(try Call("-q -dc a.zst", in: folder).output == folder.content("a"))
            let damaged = Array((folder.content("a.zst") ?? []).dropLast(100))
            try folder.write(damaged, to: "bad.zst")
            for words in ["-q -t bad.zst", "-q -dc bad.zst", "-l bad.zst", "-q -d bad.zst"] {
                let call = try Call(words, in: folder)
                #expect(call.code == 1)
                #expect(call.messages.contains("bad.zst"))
            }
            #expect(!folder.names.contains("bad"))
        }
    }

    @Test func `filters read standard input and write standard output`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            let content = Array(OperationTests.text.utf8)
            let compressed = try Call("-q", input: content, in: folder)
            #expect(compressed.code == 0)
            #expect(try Call("-q -d", input: compressed.output, in: folder).output == content)
            #expect(try Call("-q --copy", input: content, in: folder).output == content)
            #expect(try Call("-q --copy -o c", input: content, in: folder).code == 0)
            #expect(folder.content("c") == content)
            let single = try Call("-q --single-frame --adapt", input: content, in: folder)
            #expect(try Call("-q -d", input: single.output, in: folder).output == content)
            #expect(try Call("-q -d", input: Array("no frame at all".utf8), in: folder).code == 1)
        }
    }

    @Test func `a part of a content is taken by where it stands`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            try folder.write(OperationTests.text, to: "a")
            _ = try Call("-q -B32K a", in: folder)
            let content = Array(OperationTests.text.utf8)
            let part = try Call("-q -dc --offset=100000 --length=500 a.zst", in: folder)
            #expect(part.code == 0)
            #expect(part.output == Array(content[100_000..<100_500]))
            #expect(try Call("-q -dc --tail=77 a.zst", in: folder).output == Array(content.suffix(77)))
            #expect(try Call("-q -dc --offset=99M a.zst", in: folder).code == 1)
        }
    }

    @Test func `parts are made by several and joined, both ways`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            try folder.write(OperationTests.text, to: "a")
            _ = try Call("-q -B32K a -o whole.zst", in: folder)
            for number in 1...3 { #expect(try Call("-q -B32K --part=\(number)/3 a", in: folder).code == 0) }
            let parts = folder.names.filter { $0.contains("of-3") }
            #expect(parts.count == 3)
            #expect(try Call("-q --join \(parts[0]) \(parts[2]) -o a.zst", in: folder).code == 1)
            #expect(!folder.names.contains("a.zst"))
            #expect(try Call("-q --join \(parts.reversed().joined(separator: " ")) -o a.zst", in: folder).code == 0)
            #expect(folder.content("a.zst") == folder.content("whole.zst"))
            for number in [2, 1] { #expect(try Call("-q -d --part=\(number)/2 whole.zst", in: folder).code == 0) }
            let shares = try #require(folder.content("whole.1-of-2")) + #require(folder.content("whole.2-of-2"))
            #expect(shares == folder.content("a"))
            #expect(try Call("-q -d --join whole.zst -o back", in: folder).code == 1)
        }
    }

    @Test func `what is added to a file stands behind what it had`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            try folder.write(OperationTests.text, to: "a")
            try folder.write("and more", to: "b")
            #expect(try Call("-q --append a -o log.zst", in: folder).code == 0)
            #expect(try Call("-q --append b -o log.zst", in: folder).code == 0)
            #expect(try Call("-q -dc log.zst", in: folder).output == Array((OperationTests.text + "and more").utf8))
            let before = folder.content("log.zst")
            #expect(try Call("-q --append missing -o log.zst", in: folder).code == 1)
            #expect(folder.content("log.zst") == before)
            #expect(try Call("-q --append a -o b", in: folder).code == 1)
            #expect(folder.content("b") == Array("and more".utf8))
        }
    }

    @Test func `what is whole of a damaged file is recovered, and the loss is told`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            try folder.write(OperationTests.text, to: "a")
            _ = try Call("-q -B32K a", in: folder)
            var bytes = folder.content("a.zst") ?? []
            bytes[bytes.count / 2] ^= 0x55
            try folder.write(bytes, to: "bad.zst")
            let call = try Call("-q -d --recover bad.zst -o back", in: folder)
            #expect(call.code == 1)
            #expect(call.messages.contains("bad.zst"))
            let (content, back) = (Array(OperationTests.text.utf8), folder.content("back") ?? [])
            #expect(back.count == content.count)
            // One frame is lost, and in its place are zeros.
            let different = zip(content, back).count { $0 != $1 }
            #expect(different > 0 && different <= 32 << 10)
            #expect(try Call("-q -d --recover a.zst -o whole", in: folder).code == 0)
            #expect(folder.content("whole") == content)
            let told = try Call("-q -d --recover --json -f bad.zst -o back", in: folder)
            #expect(told.code == 1 && !told.output.isEmpty)
        }
    }

    @Test func `a dictionary is trained, and goes both ways with the frames that refer to it`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            let names = (0..<60).map { "s\($0)" }
            for (number, name) in names.enumerated() {
                let lines = (0..<40).map {
                    "{\"user\": \($0 * number), \"name\": \"somebody\", \"kind\": \"sample\"}\n"
                }
                try folder.write(lines.joined(), to: name)
            }
            #expect(try Call("-q --train \(names.joined(separator: " ")) -o dict --maxdict=4K", in: folder).code == 0)
            #expect(try Call("-q -D dict s1", in: folder).code == 0)
            #expect(try Call("-q -D dict -dc s1.zst", in: folder).output == folder.content("s1"))
            #expect(try Call("-q -dc s1.zst", in: folder).code == 1)
            #expect(try Call("-q --patch-from=s1 s2 -o patch.zst", in: folder).code == 0)
            #expect(try Call("-q -dc --patch-from=s1 patch.zst", in: folder).output == folder.content("s2"))
            #expect(try Call("-q --train s1 -o other", in: folder).code == 1)
            #expect(!folder.names.contains("other"))
        }
    }

    @Test func `a content is proved by a hash, a file, and itself`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            try folder.write("abc", to: "a")
            let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            let made = try Call("-q --hash --verify a", in: folder)
            #expect(made.code == 0)
            #expect(String(decoding: made.output, as: UTF8.self) == "\(hash)  a\n")
            #expect(try Call("-q -f --verify=file a", in: folder).code == 0)
            #expect(try Call("-q -t --against=a a.zst", in: folder).code == 0)
            try folder.write("abd", to: "b")
            #expect(try Call("-q -t --against=b a.zst", in: folder).code == 1)
        }
    }

    @Test func `what levels cost is measured`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            try folder.write(OperationTests.text, to: "a")
            let call = try Call("-b1 -e2 -i0 a", in: folder)
            #expect(call.code == 0)
            #expect(!call.output.isEmpty || call.messages.contains("a"))
        }
    }
}
