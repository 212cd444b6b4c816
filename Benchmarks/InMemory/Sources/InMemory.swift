import CAllocations
import FoundationEssentials
import Glibc

/// Compresses and decompresses many small buffers in one process, beside libzstd called directly with contexts that are
/// kept: what a call costs, what it allocates, and whether memory and descriptors stay as they are.
///
///     InMemory [CALLS [BYTES]]
///
/// The ways take turns, and the time is that of the thread: other programs hardly disturb it.
@main
struct InMemory {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let (calls, size) = (words.first ?? 10_000, words.dropFirst().first ?? 64 << 10)
        let work = Work(size: size)
        try work.turn()
        work.begin()
        let before = Usage()
        for _ in 0..<max(1, calls / 100) { try work.turn() }
        let after = Usage()
        print("\(calls) buffers of \(size) bytes, level 3, with checksums")
        report("compress", work.costs.map(\.compression), calls: calls)
        report("decompress", work.costs.map(\.decompression), calls: calls)
        print("calls        \(before.difference(to: after))")
        // As many as it takes until threads and caches have what they keep.
        for _ in 0..<2500 { try await work.passThroughSequences() }
        let buffers = Usage()
        for _ in 0..<max(1, calls / 10) { try await work.passThroughSequences() }
        print("sequences    \(calls / 10) runs each way: \(buffers.difference(to: Usage()))")
    }

    /// Prints a line for each way.
    static func report(_ work: String, _ costs: [Call.Cost], calls: Int) {
        for (name, cost) in zip(["libzstd", "Data", "ByteBuffer"], costs) {
            let ratio = Double(cost.nanoseconds) / Double(costs[0].nanoseconds)
            let label = [work, name].map { $0 + String(repeating: " ", count: 12 - $0.count) }.joined(separator: " ")
            print(
                """
                \(label) \(cost.nanoseconds / calls) ns a call, \(Double(Int(ratio * 1000)) / 1000) times libzstd; \
                \(Double(cost.allocations) / Double(calls)) allocations of \(cost.bytes / calls) bytes
                """)
        }
    }
}

/// What the process has.
struct Usage {
    /// Bytes of memory that are there, and those of them that `malloc` has given out.
    let resident: Int, inUse: Int
    let descriptors: Int

    init() {
        let words = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        resident = (words.count > 1 ? Int(words[1]) ?? 0 : 0) * sysconf(Int32(_SC_PAGESIZE))
        inUse = Int(allocatedBytesInUse())
        descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
    }

    func difference(to later: Usage) -> String {
        """
        memory \(resident >> 10) KiB before, \(later.resident >> 10) KiB after, of which in use \(inUse >> 10) KiB \
        and \(later.inUse >> 10) KiB; descriptors \(descriptors) before, \(later.descriptors) after
        """
    }
}
