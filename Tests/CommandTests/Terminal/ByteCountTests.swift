import Testing

@testable import SluiceCommand

@Suite struct ByteCountTests {
    @Test(
        arguments: [
            ("0", 0), ("1", 1), ("512", 512), ("1K", 1024), ("1KB", 1024), ("1KiB", 1024), ("8M", 8_388_608),
            ("8m", 8_388_608),
            ("128MB", 134_217_728), ("128MiB", 134_217_728), ("2G", 2_147_483_648),
            ("1T", 1_099_511_627_776), ("007K", 7168),
            ("18446744073709551615", UInt64.max), ("16777215T", 18_446_742_974_197_923_840),
        ] as [(String, UInt64)])
    func `suffixes are powers of 1024`(_ text: String, _ bytes: UInt64) {
        #expect(ByteCount.parse(text) == bytes)
    }

    @Test(arguments: [
        "", "K", "M8", "8X", "8MM", "8 M", " 8", "8iB", "8MBx", "-1", "+1", "1.5M", "0x10", "18446744073709551616",
        "16777216T", "99999999999999999999999", "١",
    ])
    func `anything else is not a number of bytes`(_ text: String) {
        #expect(ByteCount.parse(text) == nil)
    }

    @Test(
        arguments: [
            (0, "0 B"), (1, "1 B"), (999, "999 B"), (1000, "0.98 KiB"), (1024, "1.00 KiB"), (10_240, "10.0 KiB"),
            (102_400, "100 KiB"), (1_023_999, "0.98 MiB"), (1_048_576, "1.00 MiB"), (1_363_148_800, "1.27 GiB"),
            (5_497_558_138_880, "5.00 TiB"), (UInt64.max, "16384 PiB"),
        ] as [(UInt64, String)])
    func `three digits and a unit are shown`(_ bytes: UInt64, _ text: String) {
        #expect(ByteCount.format(bytes) == text)
    }

    @Test(
        arguments: [
            (0, "0:00"), (7.9, "0:07"), (60, "1:00"), (3599, "59:59"), (3600, "1:00:00"), (3723, "1:02:03"),
            (-5, "0:00"), (360_000, "100:00:00"), (.infinity, "99999:59:59"),
        ] as [(Double, String)])
    func `times are hours, minutes and seconds`(_ seconds: Double, _ text: String) {
        #expect(ByteCount.formatTime(seconds) == text)
    }

    @Test func `strange numbers do not trap`() {
        for number in [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -1, -0.0, 1e15] {
            #expect(!ByteCount.formatRate(number).isEmpty)
            #expect(!ByteCount.fixed(number, digits: 2).isEmpty)
        }
        #expect(ByteCount.fixed(1.005, digits: 0) == "1")
        #expect(ByteCount.fixed(2.996, digits: 2) == "3.00")
        #expect(ByteCount.fixed(-0.001, digits: 2) == "0.00")
        #expect(ByteCount.fixed(-1.5, digits: 1) == "-1.5")
    }
}
