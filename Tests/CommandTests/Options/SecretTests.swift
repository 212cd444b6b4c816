import SluiceEngine
import Testing

@testable import SluiceCommand

/// A URL may be typed wherever a command line takes a word. What is printed has none of its secrets: no message, and no
/// path, of which statistics, traces and reports are made.
@Suite(.timeLimit(.minutes(4)))
struct SecretTests {
    private static let urls = [
        "https://user:HIDDEN@host/a.zst", "https://user:HIDDEN@host/a.zst?HIDDEN#HIDDEN", "ftp://user:HIDDEN@host/a",
        "http://user:a/HIDDEN@host/a", "http://user:a?HIDDEN@host/a", "http://user:a#HIDDEN@host",
        "http://h:1x/HIDDEN@a/b",
        "http://user\u{0D4E}:HIDDEN\u{0D4E}@host/a\u{0D4E}?HIDDEN", "s3a://key:HIDDEN@bucket/k", "gs://bucket/k?HIDDEN",
        "http://user:HIDDEN@host:99999/a", "http://[/HIDDEN@a:b@c", "http://user:HIDDEN HIDDEN@host/a",
        "x://u:HIDDEN@h/a",
    ]

    /// All that words become that is printed.
    private static func text(of words: [[UInt8]], environment: @escaping @Sendable (String) -> String? = { _ in nil })
        -> String
    {
        do throws(Complaint) {
            let request = try Request(words, environment: environment)
            var settings = try request.settled()
            let operands = settings.operands
            var text = settings.warnings.joined(separator: "\n")
            // The URLs themselves are what the servers get.
            settings.input.remote = RemoteInputs()
            dump(settings, to: &text)
            for path in operands { text += "\n" + path.spelled + path.printable }
            return text
        } catch {
            return [error.sentence, error.hint ?? ""].joined(separator: "\n")
        }
    }

    @Test(arguments: Flag.all.filter { $0.argument.presence != .none }.map(\.name))
    func `no option tells the secrets of a URL that is its value`(name: String) throws {
        let flag = try #require(Flag.named(name.utf8)?.0)
        for url in Self.urls {
            let long = Array("--\(name)=\(url)".utf8)
            var calls = [[long], [long, Array("file".utf8)], [Array("-d".utf8), long, Array("file".utf8)]]
            calls.append([Array("-t".utf8), long, Array("file".utf8)])
            if let letter = flag.letter {
                calls.append([[UInt8(ascii: "-"), letter], Array(url.utf8), Array("file".utf8)])
                calls.append([[UInt8(ascii: "-"), letter] + Array(url.utf8)])
            }
            // A line of a header is meant to be a secret, which only servers get; it is no setting that is printed.
            if name == "http-header" { calls.removeLast(calls.count - 1) }
            for words in calls {
                #expect(
                    !Self.text(of: words).contains("HIDDEN"), "\(words.map { String(decoding: $0, as: UTF8.self) })")
            }
        }
    }

    @Test(arguments: urls)
    func `no operand, unknown option or variable tells the secrets of a URL`(url: String) {
        let word = Array(url.utf8)
        for words in [
            [word], [Array("-d".utf8), word], [Array("-l".utf8), word, word], [Array("--".utf8), word],
            [Array("--nothing=".utf8) + word], [Array("--".utf8) + word], [Array("-".utf8) + word],
            [Array("--http-header=@".utf8) + word, Array("file".utf8)],
            [Array("--from-command".utf8), Array("--".utf8), word],
        ] {
            #expect(!Self.text(of: words).contains("HIDDEN"), "\(words.map { String(decoding: $0, as: UTF8.self) })")
        }
        #expect(!Self.text(of: [Array("file".utf8)]) { _ in url }.contains("HIDDEN"))
        #expect(!InputCommand.name(of: word).printable.contains("HIDDEN"))
    }
}
