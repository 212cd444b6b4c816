import SluiceEngine

/// The progress that a terminal shows in its tab or in the taskbar (OSC 9;4, which ConEmu began).
enum TabProgress {
    /// Removes it.
    static let removal = "\u{1B}]9;4;0;\u{1B}\\"

    /// Shows a fraction, 0 to 1; nil for progress without a known end.
    static func showing(_ fraction: Double?) -> String {
        guard let fraction else { return "\u{1B}]9;4;3;\u{1B}\\" }
        return "\u{1B}]9;4;1;\(min(100, max(0, Int(clamping: fraction * 100))))\u{1B}\\"
    }

    /// Whether the terminal is known to take it: others may show a notification instead. Within tmux and screen, which
    /// inherit the variables of the terminal around them, nothing is known.
    ///
    /// - Parameter environment: the value of a variable; nil if it is not set.
    static func isTaken(_ environment: (String) -> String?) -> Bool {
        if environment("TMUX") != nil || environment("STY") != nil { return false }
        if environment("WT_SESSION") != nil || environment("ConEmuANSI") == "ON" { return true }
        // VTE 0.80 and Konsole 26.04.
        if number(environment("VTE_VERSION")) >= 8000 || number(environment("KONSOLE_VERSION")) >= 260_400 {
            return true
        }
        let version = environment("TERM_PROGRAM_VERSION") ?? ""
        return switch environment("TERM_PROGRAM") {
        case "ghostty": true
        case "WezTerm": number(version.prefix(8)) >= 20_250_209
        case "iTerm.app": isAtLeast([3, 6, 6], version)
        default: false
        }
    }

    private static func number(_ text: (some StringProtocol)?) -> Int { text.flatMap { Int($0) } ?? 0 }

    private static func isAtLeast(_ least: [Int], _ version: String) -> Bool {
        let parts = version.split(separator: ".").map { number($0.prefix { $0.isNumber }) }
        return !parts.lexicographicallyPrecedes(least)
    }
}
