import Glibc

/// The date and the time of day, for people.
enum Date {
    static var now: String {
        var seconds = time(nil)
        var local = tm()
        localtime_r(&seconds, &local)
        let twoDigits = { (number: Int32) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(local.tm_year + 1900)-\(twoDigits(local.tm_mon + 1))-\(twoDigits(local.tm_mday)) "
            + "\(twoDigits(local.tm_hour)):\(twoDigits(local.tm_min))"
    }
}
