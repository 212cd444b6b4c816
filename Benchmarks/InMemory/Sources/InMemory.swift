import CAllocations
import CZstd
import FoundationEssentials
import Glibc
import Sluice

/// Compresses and decompresses many small buffers in one process, beside libzstd called directly with contexts that are
/// kept: what a call costs, what it allocates, and whether memory and descriptors stay as they are.
///
///     InMemory [CALLS [BYTES]]
///
/// Both take turns, a hundred calls at a time, and the time is that of the thread: other programs hardly disturb it.
@main
struct InMemory {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let (calls, size) = (words.first ?? 10_000, words.dropFirst().first ?? 64 << 10)
        let work = try Work(size: size)
        try work.turn()
        let before = Usage()
        var times = Times()
        for _ in 0..<max(1, calls / 100) { times.add(try work.turn()) }
        let after = Usage()
        print("\(calls) buffers of \(size) bytes, level 3, with checksums")
        print("compress     \(times.compression(calls: calls))")
        print("decompress   \(times.decompression(calls: calls))")
        print("memory       \(before.resident >> 10) KiB before, \(after.resident >> 10) KiB after")
        print("descriptors  \(before.descriptors) before, \(after.descriptors) after")
        for _ in 0..<100 { try await work.passThroughSequences() }
        let buffers = Usage()
        for _ in 0..<max(1, calls / 10) { try await work.passThroughSequences() }
        let end = Usage()
        print("sequences    \(calls / 10) runs each way: memory \(buffers.resident >> 10) KiB before, ", terminator: "")
        print("\(end.resident >> 10) KiB after; descriptors \(buffers.descriptors) before, \(end.descriptors) after")
    }
}

/// What the process has.
struct Usage {
    let resident: Int
    let descriptors: Int

    init() {
        let words = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        resident = (words.count > 1 ? Int(words[1]) ?? 0 : 0) * sysconf(Int32(_SC_PAGESIZE))
        descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
    }
}

/// What calls took: ours, and libzstd's own.
struct Times {
    private(set) var ours = Call.Cost(), libzstd = Call.Cost()
    private var back = (ours: Call.Cost(), libzstd: Call.Cost())

    mutating func add(_ turn: (Call.Cost, Call.Cost, Call.Cost, Call.Cost)) {
        ours += turn.0
        libzstd += turn.1
        back.ours += turn.2
        back.libzstd += turn.3
    }

    func compression(calls: Int) -> String { Self.line(ours, libzstd, calls) }
    func decompression(calls: Int) -> String { Self.line(back.ours, back.libzstd, calls) }

    private static func line(_ ours: Call.Cost, _ libzstd: Call.Cost, _ calls: Int) -> String {
        let ratio = Double(ours.nanoseconds) / Double(libzstd.nanoseconds)
        return """
            \(ours.nanoseconds / calls) ns a call, libzstd \(libzstd.nanoseconds / calls) ns: \
            \(Double(Int(ratio * 1000)) / 1000) times; \
            \(Double(ours.allocations) / Double(calls)) allocations of \(ours.bytes / calls) bytes a call, \
            libzstd \(Double(libzstd.allocations) / Double(calls))
            """
    }
}
