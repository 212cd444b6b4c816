import Glibc
import SluiceEngine

/// Parses and formats numbers of bytes and seconds.
enum ByteCount {
    /// Each is 1024 of the one before.
    static let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]

    /// Parses digits with an optional suffix K, M, G or T, each with an optional `iB`, `i` or `B`: powers of 1024.
    static func parse(_ text: String) -> UInt64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = UInt64(digits) else { return nil }
        var rest = text.dropFirst(digits.count)
        var unit: UInt64 = 1
        if let initial = rest.first?.uppercased(),
            let power = units[1...4].firstIndex(where: { $0.hasPrefix(initial) })
        {
            unit = 1 << (10 * power)
            rest = rest.dropFirst()
            if rest == "iB" || rest == "i" || rest == "B" { rest = "" }
        }
        guard rest.isEmpty else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit)
        return overflow ? nil : product
    }

    /// Three significant digits and a unit, such as `1.27 GiB`.
    static func format(_ bytes: some BinaryInteger) -> String {
        format(Double(bytes), units: units)
    }

    /// Bytes per second, such as `512 MiB/s`.
    static func formatRate(_ bytesPerSecond: Double) -> String {
        format(bytesPerSecond, units: units) + "/s"
    }

    /// Seconds in a unit that fits, such as `1.27 s`, `3.5 ms` or `80.0 us`.
    static func formatSeconds(_ seconds: Double) -> String {
        if seconds >= 1 || seconds == 0 { return fixed(seconds, digits: 2) + " s" }
        if seconds >= 0.001 { return fixed(seconds * 1000, digits: 1) + " ms" }
        return fixed(seconds * 1_000_000, digits: 1) + " us"
    }

    /// Seconds in about three digits, such as `1.27 s`, `381 ms`, `80 us` or `168 h`.
    static func formatBriefly(seconds: Double) -> String {
        if seconds >= 99_999.5 { return fixed(seconds / 3600, digits: 0) + " h" }
        return seconds > 0 ? format(seconds * 1e6, units: ["us", "ms", "s"], step: 1000) : "0 s"
    }

    /// Hours, minutes and seconds, such as `0:07` or `1:02:03`.
    static func formatTime(_ seconds: Double) -> String {
        let whole = Int(clamping: min(max(0, seconds), 359_999_999))
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        let end = "\(rest)".padded(2, with: "0")
        return hours > 0 ? "\(hours):\("\(minutes)".padded(2, with: "0")):\(end)" : "\(minutes):\(end)"
    }

    /// A number with this many digits after the decimal point, at most 20, rounded as `printf` rounds it; `-` if it is
    /// not finite, or larger than any ratio of two sizes.
    static func fixed(_ number: Double, digits: Int) -> String {
        guard number.isFinite, abs(number) < 1e20 else { return "-" }
        // The C library's digits are exact. A product with a power of ten is not, and may not fit an integer.
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 48) { buffer in
            withVaList([Int32(min(max(0, digits), 20)), abs(number)]) {
                _ = vsnprintf(buffer.baseAddress, buffer.count, "%.*f", $0)
            }
            return buffer.baseAddress.map { String(cString: $0) } ?? ""
        }
        return number < 0 && text.contains { $0 != "0" && $0 != "." } ? "-" + text : text
    }

    private static func format(_ number: Double, units: [String], step: Double = 1024) -> String {
        var number = max(0, number)
        var unit = 0
        while number >= 999.5, unit < units.count - 1 {
            number /= step
            unit += 1
        }
        let digits = unit == 0 || number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2
        return fixed(number, digits: digits) + " " + units[unit]
    }
}

extension Double {
    /// A share as a percentage without decimals, such as `85 %`.
    var percent: String { "\(Int(clamping: (self * 100).rounded())) %" }
}

extension Duration {
    /// Seconds, with their fraction.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension UInt8 {
    /// Whether it is one of `0` to `9`.
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
