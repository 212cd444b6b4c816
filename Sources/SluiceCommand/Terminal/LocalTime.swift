import Glibc

/// A date and time in the local time zone.
struct LocalTime {
    private var fields = tm()

    private init() {}

    /// - Parameter seconds: since 1970, in UTC.
    /// - Returns: nil for a year that does not fit.
    init?(_ seconds: Int64) {
        var seconds = time_t(seconds)
        if localtime_r(&seconds, &fields) == nil { return nil }
    }

    static var now: LocalTime { LocalTime(Int64(time(nil))) ?? LocalTime() }

    /// Such as `2026-01-02`.
    var day: String {
        let year = "\(Int(fields.tm_year) + 1900)".padded(4, with: "0")
        return "\(year)-\(Self.twoDigits(fields.tm_mon + 1))-\(Self.twoDigits(fields.tm_mday))"
    }

    /// Such as `Fri`.
    var weekday: String { ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(fields.tm_wday)] }

    /// Such as `03:04`.
    var hourAndMinute: String { "\(Self.twoDigits(fields.tm_hour)):\(Self.twoDigits(fields.tm_min))" }

    /// Such as `03:04:05`.
    var clock: String { "\(hourAndMinute):\(Self.twoDigits(fields.tm_sec))" }

    /// In ISO 8601, with the offset from UTC, such as `2026-01-02T03:04:05+01:00`.
    var iso: String {
        let minutes = Int32(abs(fields.tm_gmtoff) / 60)
        let offset = "\(Self.twoDigits(minutes / 60)):\(Self.twoDigits(minutes % 60))"
        return "\(day)T\(clock)\(fields.tm_gmtoff < 0 ? "-" : "+")\(offset)"
    }

    private static func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
