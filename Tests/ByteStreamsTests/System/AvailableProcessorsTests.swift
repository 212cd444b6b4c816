import Testing

@testable import ByteStreams

struct AvailableProcessorsTests {
    static func quota(_ groups: String, _ files: [String: String]) -> Int? {
        ControlGroups { $0 == "/proc/self/cgroup" ? groups : files[$0] ?? "" }.processors
    }

    @Test(
        arguments: [
            ("max 100000\n", nil), ("100000 100000\n", 1), ("150000 100000\n", 2), ("50000 100000\n", 1),
            ("1000 100000\n", 1),
            ("800000 100000", 8), ("100001 100000", 2), ("", nil), ("nonsense", nil), ("-1 100000", nil),
            ("100000 0", nil),
            ("9223372036854775807 1", Int.max), ("99999999999999999999 1", nil),
        ] as [(String, Int?)])
    func `a quota of version 2 is rounded up`(text: String, processors: Int?) {
        #expect(Self.quota("0::/a\n", ["/sys/fs/cgroup/a/cpu.max": text]) == processors)
    }

    @Test(
        arguments: [
            ("-1\n", "100000\n", nil), ("200000\n", "100000\n", 2), ("250000\n", "100000\n", 3), ("", "100000", nil),
            ("200000", "", nil),
        ] as [(String, String, Int?)])
    func `a quota of version 1 is rounded up`(quota: String, period: String, processors: Int?) {
        let files = ["/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us": quota, "/sys/fs/cgroup/cpu/a/cpu.cfs_period_us": period]
        #expect(Self.quota("7:memory:/m\n4:cpu,cpuacct:/a\n", files) == processors)
        #expect(Self.quota("7:memory:/a\n4:cpuset:/a\n", files) == nil)
    }

    @Test(arguments: [("", 3), ("/a", 3), ("/a/b", 2), ("/a/b/c", 2)])
    func `the smallest of the groups around counts`(path: String, processors: Int) {
        let files = [
            "/sys/fs/cgroup/cpu.max": "300000 100000", "/sys/fs/cgroup/a/cpu.max": "max 100000",
            "/sys/fs/cgroup/a/b/cpu.max": "200000 100000", "/sys/fs/cgroup/a/b/c/cpu.max": "400000 100000",
        ]
        #expect(Self.quota("0::\(path)/\n", files) == processors)
    }

    @Test func `a container sees its own group as the root`() {
        #expect(Self.quota("0::/../../x\n", ["/sys/fs/cgroup/cpu.max": "100000 100000"]) == 1)
    }

    @Test(arguments: ["", "\n", "nonsense", "0:", "::", "0::", "1:cpu"])
    func `no text is a trap`(groups: String) {
        #expect(Self.quota(groups, [:]) == nil)
    }

    @Test func `there is at least one processor here`() {
        #expect(availableProcessors() >= 1)
        #expect(readText("/proc/self/cgroup/none") == "")
        #expect(readText("/proc/self/status").hasPrefix("Name:"))
    }
}
