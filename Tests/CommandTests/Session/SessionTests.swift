import Glibc
import SystemPackage
import Testing

/// One call with its operands: what one of them does to the others, what is said, and what is left.
@Suite(.timeLimit(.minutes(4))) struct SessionTests {
    @Test func `an operand that fails keeps none of the others from being done`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            for name in ["a", "b", "c"] { try folder.write("content of \(name)", to: name) }
            let call = try Call("a missing b .. c", in: folder)
            #expect(call.code == 1)
            #expect(folder.names == ["a", "a.zst", "b", "b.zst", "c", "c.zst"])
            #expect(call.messages.contains("missing"))
            #expect(call.messages.contains("3 of 5 files"))
            // All of them are there now.
            let again = try Call("-q a b", in: folder)
            #expect(again.code == 1)
            #expect(again.messages.contains("a.zst") && again.messages.contains("b.zst"))
            #expect(try Call("-q -f a b", in: folder).code == 0)
            #expect(try Call("-qq a b", in: folder).messages.isEmpty)
        }
    }

    @Test func `several become one output, whole or not at all`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            for name in ["a", "b"] { try folder.write("content of \(name)", to: name) }
            #expect(try Call("a b -o both.zst", in: folder).code == 1)
            #expect(try Call("-f a missing -o both.zst", in: folder).code == 1)
            #expect(folder.names == ["a", "b"])
            #expect(try Call("-f --rm a b -o both.zst", in: folder).code == 0)
            // The sources stay, for the names are lost.
            #expect(folder.names == ["a", "b", "both.zst"])
            #expect(try Call("-dc both.zst", in: folder).output == Array("content of acontent of b".utf8))
            // Standard output takes what there is.
            let some = try Call("-q -c a missing b", in: folder)
            #expect(some.code == 1)
            #expect(try Call("-d", input: some.output, in: folder).output == Array("content of acontent of b".utf8))
            for words in ["-f a b -o a", "-f a -o a", "-f a b -o b"] {
                #expect(try Call(words, in: folder).code == 1)
            }
            #expect(folder.content("a") == Array("content of a".utf8))
        }
    }

    @Test func `a source goes only when its output is there`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            try folder.write("content", to: "a")
            let taken = try Folder(in: folder, "b.zst")
            try folder.write("other", to: "b")
            #expect(try Call("-q --rm a b", in: folder).code == 1)
            #expect(folder.names == ["a.zst", "b"])
            #expect(try Call("-q --rm -c b", in: folder).code == 0)
            #expect(folder.names == ["a.zst", "b"])
            #expect(try Call("-q -d --rm a.zst", in: folder).code == 0)
            #expect(folder.names == ["a", "b"])
            // Two sources with one output would lose one of them.
            try folder.write("x", to: "x.tar")
            _ = try Call("-q x.tar -o x.tar.zst", in: folder)
            _ = try Call("-q x.tar -o x.tzst", in: folder)
            #expect(try Call("-q -d -f --rm x.tar.zst x.tzst", in: folder).code == 1)
            #expect(folder.names.contains("x.tar.zst") && folder.names.contains("x.tzst"))
            #expect(taken.names == [])
        }
    }

    @Test func `hundreds of files are done in batches, in folders and lists too`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            let (tree, out) = (try Folder(in: folder, "tree"), try Folder(in: folder, "out"))
            for number in 0..<400 { try tree.write("content \(number)", to: "f\(number)") }
            #expect(try Call("-q -r --rm --no-sync tree", in: folder).code == 0)
            #expect(tree.names.count == 400 && tree.names.allSatisfy { $0.hasSuffix(".zst") })
            #expect(try Call("-q -t -r tree", in: folder).code == 0)
            let list = try Call("-l -r tree", in: folder)
            #expect(list.code == 0 && list.output.count { $0 == UInt8(ascii: "\n") } > 400)
            let read = try Call("-q -d -r --no-sync --output-dir-flat=out tree", in: folder)
            #expect(read.code == 0, "\(read.messages)")
            #expect(out.names.count == 400)
            #expect(out.content("f123") == Array("content 123".utf8))
            try folder.write("out/f1\nout/f2\nout/missing\n", to: "list")
            #expect(try Call("-q --no-sync --filelist list", in: folder).code == 1)
            #expect(out.names.count == 402)
            // Twice as many with what is there: it is not done again.
            #expect(try Call("-q -r --no-sync --exclude-compressed -f out", in: folder).code == 0)
            #expect(out.names.count == 800)
            // What is beside them has no suffix to take off, and is left out.
            #expect(try Call("-q -d -r --rm -f --no-sync out", in: folder).code == 0)
            #expect(out.names.count == 400)
            #expect(tree.names.count == 400)
        }
    }

    @Test func `what a run was is told to people and programs`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            try folder.write(String(repeating: "some words\n", count: 100_000), to: "a")
            let loud = try Call("-v --stats --stats-file=s.json --report=r.html --trace=t.json -B64K a", in: folder)
            #expect(loud.code == 0)
            #expect(loud.messages.contains("a"))
            for name in ["s.json", "r.html", "t.json"] { #expect((folder.content(name) ?? []).count > 500) }
            let lines = try Call("-q -f --progress=json a", in: folder)
            #expect(lines.code == 0)
            #expect(try Call("-q -f --stats=json a", in: folder).messages.contains("{"))
            // Where that can't be written, nothing is begun.
            #expect(try Call("-q -f --stats-file=nowhere/s.json a -o b.zst", in: folder).code == 1)
            #expect(!folder.names.contains("b.zst"))
            #expect(try Call("-q -f --report=a a", in: folder).code == 1)
            #expect(folder.content("a")?.count == 1_100_000)
        }
    }

    @Test func `limits of rate and memory change no byte`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            try folder.write(String(repeating: "some words\n", count: 100_000), to: "a")
            let plain = try Call("-q -B256K -c a", in: folder).output
            try folder.write("1G\n", to: "rate")
            for words in ["--limit-rate=1G", "--limit-rate=@rate", "-M200M", "--buffer=4M"] {
                let call = try Call("-q -B256K \(words) -c a", in: folder)
                #expect(call.code == 0, "\(words): \(call.messages)")
                #expect(call.output == plain, "\(words)")
            }
            #expect(try Call("-q -B256K --resume --no-sync a -o resumed.zst", in: folder).code == 0)
            #expect(folder.content("resumed.zst") == plain)
            #expect(try Call("-q -M1M -c a", in: folder).code == 1)
        }
    }

    @Test func `links, pipes and what is no file are read or refused by their kind`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            try folder.write("content", to: "a")
            symlink("a", "\(folder.path)/link")
            symlink("nowhere", "\(folder.path)/dangling")
            defer { for name in ["link", "dangling", "fifo"] { unlink("\(folder.path)/\(name)") } }
            let skipped = try Call("link", in: folder)
            #expect(skipped.code == 1 && folder.names == ["a"])
            #expect(try Call("-q link a", in: folder).code == 0)
            #expect(folder.names == ["a", "a.zst"])
            #expect(try Call("-q -f link", in: folder).code == 0)
            #expect(folder.names == ["a", "a.zst", "link.zst"])
            #expect(try Call("-q -f dangling", in: folder).code == 1)
            for words in ["/dev/null", ".", "-d a", "-d a -o b", "a/b", "-o nowhere/b a", "-o . a"] {
                let call = try Call(words, in: folder)
                #expect(call.code == 1, "\(words)")
                #expect(call.messages.hasPrefix("sluice: "), "\(words): \(call.messages)")
            }
            #expect(try Call("-q -f /dev/null -c", in: folder).code == 0)
            #expect(folder.names == ["a", "a.zst", "link.zst"])
        }
    }
}
