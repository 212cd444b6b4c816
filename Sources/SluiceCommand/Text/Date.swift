import Glibc

/// The current date and time.
enum Date {
    /// In ISO 8601, local time with its offset from UTC, such as `2026-01-02T03:04:05+01:00`.
    static var now: String {
        var seconds = time(nil)
        var local = tm()
        localtime_r(&seconds, &local)
        let day = [local.tm_year + 1900, local.tm_mon + 1, local.tm_mday].map(twoDigits).joined(separator: "-")
        let hour = [local.tm_hour, local.tm_min, local.tm_sec].map(twoDigits).joined(separator: ":")
        let minutes = Int32(abs(local.tm_gmtoff) / 60)
        return "\(day)T\(hour)\(local.tm_gmtoff < 0 ? "-" : "+")\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
    }

    private static func twoDigits(_ number: Int32) -> String { "\(number)".padded(2, with: "0") }
}
