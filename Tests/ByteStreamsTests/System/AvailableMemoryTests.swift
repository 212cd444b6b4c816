import Testing

@testable import ByteStreams

struct AvailableMemoryTests {
    private static func memory(_ files: [String: String]) -> AvailableMemory? {
        AvailableMemory.now { files[$0] ?? "" }
    }

    private static let machine = "MemTotal:       24000000 kB\nMemFree: 1 kB\nMemAvailable:    2048 kB\n"

    @Test func `without a group it is what the machine has available`() {
        #expect(Self.memory(["/proc/meminfo": Self.machine]) == AvailableMemory(bytes: 2 << 20, isLimit: false))
    }

    @Test(
        arguments: [
            ("1000000\n", "400000\n", "anon 1\ninactive_file 50000\nactive_file 50000\n", 700_000),
            ("1000000", "400000", "", 600_000), ("1000000", "", "", 1_000_000), ("1000", "5000", "", 0),
            ("1000000", "400000", "inactive_file 99999999999999999999", 600_000),
            ("1000000", "400000", "inactive_file 18446744073709551615\nactive_file 7", 1_000_000),
            ("max\n", "400000\n", "", nil), ("", "", "", nil), ("nonsense", "1", "", nil), ("-1", "1", "", nil),
        ] as [(String, String, String, UInt64?)])
    func `a group of version 2 leaves its limit, without what it holds but for copies of files`(
        limit: String, used: String, statistics: String, left: UInt64?
    ) {
        let files = [
            "/proc/self/cgroup": "0::/a\n", "/sys/fs/cgroup/a/memory.max": limit,
            "/sys/fs/cgroup/a/memory.current": used, "/sys/fs/cgroup/a/memory.stat": statistics,
        ]
        #expect(Self.memory(files)?.bytes == left)
        #expect(Self.memory(files)?.isLimit == (left == nil ? nil : true))
    }

    @Test(
        arguments: [
            ("104857600\n", "4857600\n", 100_000_000 + 7), ("9223372036854771712\n", "1\n", nil), ("", "1", nil),
        ] as [(String, String, UInt64?)])
    func `a group of version 1 leaves its limit, without what it and those within hold`(
        limit: String, used: String, left: UInt64?
    ) {
        let folder = "/sys/fs/cgroup/memory/a"
        let files = [
            "/proc/self/cgroup": "4:memory:/a\n3:cpu:/b\n", folder + "/memory.limit_in_bytes": limit,
            folder + "/memory.usage_in_bytes": used,
            folder + "/memory.stat": "inactive_file 9\ntotal_inactive_file 3\ntotal_active_file 4\n",
        ]
        #expect(Self.memory(files)?.bytes == left)
    }

    /// Whichever of them is the tightest.
    @Test(arguments: ["", "/a", "/a/b", "/a/b/c", "/../x"], ["1000000", "3000000"])
    func `the smallest of the machine and all groups around counts`(path: String, root: String) {
        let files = [
            "/proc/meminfo": Self.machine, "/proc/self/cgroup": "0::\(path)\n", "/sys/fs/cgroup/memory.max": root,
            "/sys/fs/cgroup/a/memory.max": "max", "/sys/fs/cgroup/a/b/memory.max": "500000",
            "/sys/fs/cgroup/a/b/c/memory.max": "800000",
        ]
        let wanted = min(path.hasPrefix("/a/b") ? 500_000 : .max, UInt64(root) ?? 0, 2 << 20)
        #expect(Self.memory(files) == AvailableMemory(bytes: wanted, isLimit: wanted != 2 << 20))
    }

    @Test func `a container without /proc/self/cgroup sees its own group as the root`() {
        #expect(Self.memory(["/sys/fs/cgroup/memory.max": "7"]) == AvailableMemory(bytes: 7, isLimit: true))
    }

    @Test(arguments: ["", "nonsense", "MemAvailable:", "MemAvailable: x kB", "MemAvailable: 99999999999999999999 kB"])
    func `what is no number says nothing`(text: String) {
        #expect(Self.memory(["/proc/meminfo": text]) == nil)
    }

    @Test func `there is some here`() {
        #expect(AvailableMemory.now().map { $0.bytes > 1 << 20 } ?? true)
    }
}
