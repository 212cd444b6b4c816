import Testing

@testable import SluiceCommand

@Suite struct TabProgressTests {
    private static let known: [[String: String]] = [
        ["WT_SESSION": "1"], ["ConEmuANSI": "ON"], ["TERM_PROGRAM": "ghostty"], ["VTE_VERSION": "8000"],
        ["KONSOLE_VERSION": "260400"], ["TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.6.6"],
        ["TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "4.0beta1"],
        ["TERM_PROGRAM": "WezTerm", "TERM_PROGRAM_VERSION": "20250209-182623-44866cc1"],
    ]

    @Test(arguments: known) func `a terminal that is known to take progress gets it, but not through tmux`(
        variables: [String: String]
    ) {
        #expect(TabProgress.isTaken { variables[$0] })
        for outer in ["TMUX", "STY"] { #expect(!TabProgress.isTaken { $0 == outer ? "x" : variables[$0] }) }
    }

    @Test(arguments: [
        [:], ["TERM_PROGRAM": "Apple_Terminal"], ["VTE_VERSION": "7803"], ["KONSOLE_VERSION": "251203"],
        ["ConEmuANSI": "OFF"], ["TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.6.5"],
        ["TERM_PROGRAM": "iTerm.app"], ["TERM_PROGRAM": "WezTerm", "TERM_PROGRAM_VERSION": "20240203-110809-5046fc22"],
    ]) func `another one, or an older version, does not`(variables: [String: String]) {
        #expect(!TabProgress.isTaken { variables[$0] })
    }

    @Test func `a share is a percentage, and no share a progress without an end`() {
        #expect(TabProgress.showing(0.425) == "\u{1B}]9;4;1;42\u{1B}\\")
        #expect(TabProgress.showing(1.5) == "\u{1B}]9;4;1;100\u{1B}\\")
        #expect(TabProgress.showing(nil) == "\u{1B}]9;4;3;\u{1B}\\")
    }
}
