import Glibc
import SystemPackage
import Testing

@testable import SluiceCommand

/// Which files a call processes, and in which order.
@Suite struct OperandQueueTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func queue(_ operands: [FilePath], _ words: [String] = []) throws -> OperandQueue {
        OperandQueue(try Settings(words, for: operands), nil)
    }

    private func names(_ operands: [Operand]) -> [String] { operands.compactMap { $0.path.lastComponent?.string } }

    @Test func `operands come in their order, as often as they are named, whether they exist or not`() throws {
        let queue = try queue(["b", "a", "missing", "a"])
        #expect(queue.count == 4)
        #expect(names(queue.next(9)) == ["b", "a", "missing", "a"])
        #expect(queue.next() == nil && queue.next(3).isEmpty)
        #expect(queue.count == 4 && queue.failures == 0)
    }

    @Test func `an empty name fails by itself, and ends nothing`() throws {
        let queue = try queue(["a", "", "b"])
        #expect(names(queue.next(9)) == ["a", "b"])
        #expect(queue.failures == 1 && queue.count == 3)
    }

    @Test func `operands that are put back come again before all others, and count once`() throws {
        let queue = try queue(["a", "b", "c", "d"])
        let first = queue.next(3)
        queue.putBack(first.dropFirst())
        #expect(queue.count == 4)
        #expect(names(queue.next(9)) == ["b", "c", "d"])
        #expect(queue.count == 4)
    }

    @Test(arguments: [1, 1023, 1024, 2048, 5000]) func `every operand is in one batch, and the last ones are smaller`(
        count: Int
    ) throws {
        let queue = try queue((0..<count).map { FilePath("f\($0)") })
        var batches: [Int] = []
        var all: [String] = []
        while case let batch = queue.nextBatch(4096), !batch.isEmpty {
            batches.append(batch.count)
            all += names(batch)
        }
        #expect(all == (0..<count).map { "f\($0)" })
        #expect(batches.dropLast().allSatisfy { (1024...4096).contains($0) })
        #expect(batches == batches.sorted(by: >))
    }

    @Test func `a directory is walked only with -r, when its turn comes`() throws {
        let tree = try Folder(in: folder, "tree")
        for name in ["b", "a"] { try tree.write(name, to: name) }
        #expect(names(try queue(["x", tree.path]).next(9)) == ["x", "tree"])
        let queue = try queue(["x", tree.path, "y"], ["-r"])
        #expect(queue.next()?.path == "x")
        try tree.write("late", to: "c")
        #expect(names(queue.next(2)) == ["a", "b"])
        // What is created once the walk has begun is not part of it.
        try tree.write("later", to: "d")
        #expect(names(queue.next(9)) == ["c", "y"])
        #expect(queue.failures == 0 && queue.count == 5)
    }

    @Test func `what can't be walked fails by itself`() throws {
        let (tree, empty) = (try Folder(in: folder, "tree"), try Folder(in: folder, "empty"))
        try tree.write("a", to: "a")
        let loop = tree.path.appending("loop")
        try #require(symlink(tree.path.string, loop.string) == 0)
        // Without -f a link is left out; with it the walk would never end.
        let plain = try queue([tree.path, empty.path], ["-r"])
        #expect(names(plain.next(9)) == ["a"])
        #expect(plain.failures == 0)
        let forced = try queue([tree.path, "z"], ["-r", "-f"])
        #expect(names(forced.next(9)) == ["a", "z"])
        #expect(forced.failures == 1)
    }

    @Test(arguments: [([], false), (["--exclude-compressed"], true), (["--exclude-compressed", "-d"], false)])
    func `compressed files are left out when they would be compressed, and only if asked`(
        _ words: [String], isLeftOut: Bool
    ) throws {
        let queue = try queue(["a.zst", "b", "c.jpeg"], words)
        #expect(names(queue.next(9)) == (isLeftOut ? ["b"] : ["a.zst", "b", "c.jpeg"]))
        #expect(queue.failures == 0)
    }

    @Test func `a second call on a tree leaves out what the first one has made, -d what has no known suffix`() throws {
        let tree = try Folder(in: folder, "tree")
        for name in ["a", "a.zst", "b.tzst", "c.gz", "d.zstd", "zst"] { try tree.write(name, to: name) }
        let found = { words in Set(names(try queue([tree.path], ["-r"] + words).next(9))) }
        #expect(try found([]) == ["a", "c.gz", "zst"])
        #expect(try found(["-f"]) == ["a", "c.gz", "zst"])
        #expect(try found(["-d"]) == ["a.zst", "b.tzst", "c.gz", "d.zstd"])
        // Where names don't matter, none is left out.
        #expect(try found(["-c"]).count == 6 && found(["-t"]).count == 6)
    }

    @Test func `a file that is named is never left out`() throws {
        for words in [[], ["-r"], ["-d"], ["-d", "-r"]] {
            #expect(names(try queue(["a.zst", "b"], words).next(9)) == ["a.zst", "b"], "\(words)")
        }
    }
}
