import Glibc
import StreamTestSupport
import Testing

@testable import Archives

@Suite(.timeLimit(.minutes(4)))
struct WildcardsTests {
    /// `FNM_LEADING_DIR` of <fnmatch.h>.
    private static let leadingFolder: Int32 = 1 << 3

    private static func matches(_ pattern: String, _ name: [UInt8]) -> Bool {
        Wildcards(Array(pattern.utf8)).match(name.span.bytes)
    }

    /// The C library's own answer, in the locale C.
    private static func isMatchInC(_ pattern: String, _ name: String) -> Bool {
        fnmatch(pattern, name, leadingFolder) == 0
    }

    @Test(arguments: 0..<40)
    func `patterns match as the C library says`(seed: Int) {
        var random = SeededNumbers(seed: UInt64(seed))
        func text(_ pieces: [String], _ most: Int) -> String {
            (0..<Int.random(in: 0...most, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }
                .joined()
        }
        let letters = "ab/.-]!^".map(String.init)
        let pieces =
            letters + ["*", "*", "*", "?", "?", "\\*", "\\a", "[ab]", "[!a]", "[^/]", "[a-b]", "[]a]", "[a-]", "[/-b]"]
            + ["[[:alpha:]]", "[![:punct:]b]", "[[:digit:]-]", "[\\]a]", "[b-a]", "[[.a.]]", "[[=b=]x]", "[", "[["]
        for _ in 0..<1000 {
            let (pattern, name) = (text(pieces, 7), text(letters + ["[", "*", "\\"], 9))
            #expect(
                Self.matches(pattern, Array(name.utf8)) == Self.isMatchInC(pattern, name), "\(pattern) and \(name)")
        }
    }

    @Test(
        arguments: [
            ("?", "ä", true), ("??", "ä", false), ("*??", "ä", false), ("a?c", "aäc", true), ("[äö]x", "öx", true),
            ("[ä-ü]", "ö", true), ("[!ä]", "ä", false), ("[!a]b", "äb", true), ("[[:alpha:]]", "ä", true),
            ("*ö?", "äöü/x", true), ("[[=ä=]]", "ä", true), ("a\\", "a", false), ("[[:x:]]", "x", false),
        ])
    func `a character is one of UTF-8`(pattern: String, name: String, isMatch: Bool) {
        #expect(Self.matches(pattern, Array(name.utf8)) == isMatch)
    }

    @Test func `a byte that belongs to no character is one by itself`() {
        #expect(Self.matches("a??b", [0x61, 0xC3, 0xA4 & 0x3F | 0x80 ^ 0x40, 0x62]))
        #expect(Self.matches("?*?", [0xFF, 0xFE]) && !Self.matches("???", [0xFF, 0xFE]))
        #expect(Self.matches("[!a]", [0xFF]) && !Self.matches("[ÿ]", [0xFF]))
        #expect(Self.matches("x?", [0x78, 0]))
    }

    /// Each star of the C library's function would multiply the time by the size of the name.
    @Test(arguments: ["*a*a*a*a*a*a*b", "*/a/*/a/*/?/*/b", "*[ab]*[!b]*[a]*c", "*aaaaaaaaaaaaaaaab"])
    func `many stars take time for the size of a name and not for its square`(pattern: String) {
        for name in [[UInt8](repeating: 97, count: 1 << 20), Array(String(repeating: "/a", count: 1 << 19).utf8)] {
            let start = secondsOfThread()
            #expect(!Self.matches(pattern, name))
            #expect(secondsOfThread() - start < 10)
        }
    }
}

/// The processor's time that this thread has taken.
func secondsOfThread() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
