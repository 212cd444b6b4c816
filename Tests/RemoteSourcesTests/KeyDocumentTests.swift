import ByteStreams
import StreamTestSupport
import Testing

@testable import RemoteSources

/// What services and commands answer that give keys.
@Suite(.timeLimit(.minutes(4)))
struct KeyDocumentTests {
    private static let answer = """
        <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
          <AssumeRoleWithWebIdentityResult>
            <SubjectFromWebIdentityToken>x</SubjectFromWebIdentityToken>
            <AssumedRoleUser><Arn>a</Arn><AssumedRoleId>b</AssumedRoleId></AssumedRoleUser>
            <Credentials>
              <SessionToken>to/k+en==</SessionToken>
              <SecretAccessKey>sec/ret</SecretAccessKey>
              <Expiration>2026-11-28T20:34:11Z</Expiration>
              <AccessKeyId> ASIA </AccessKeyId>
            </Credentials>
          </AssumeRoleWithWebIdentityResult>
        </AssumeRoleWithWebIdentityResponse>
        """
    private static let key = AccessKey(
        identifier: "ASIA", secret: "sec/ret", token: "to/k+en==", expiration: 1_795_898_051)

    @Test func `four tags of the token service are a key`() throws {
        #expect(try KeyDocument.key(xml: Array(Self.answer.utf8), from: "x") == Self.key)
    }

    @Test(
        arguments: [
            ("<Credentials>", "<Credential>"), ("</Credentials>", ""), ("<AccessKeyId>", "<AccessKeyId><AccessKeyId>"),
            ("ASIA", ""), ("ASIA", "A SIA"), ("ASIA", "&amp;"), ("sec/ret", "ä"), ("2026-11-28T20:34:11Z", "soon"),
            ("<SessionToken>", "<SessionToken a=''>"), ("</Credentials>", "</Credentials><Credentials></Credentials>"),
            ("</SecretAccessKey>", "</SecretAccessKey><SecretAccessKey>x</SecretAccessKey>"), ("sec/ret", "<b>"),
        ])
    func `what is no answer of the service is refused, and not repeated`(_ part: String, _ other: String) {
        let pieces = Self.answer.split(separator: part, omittingEmptySubsequences: false)
        let failure = #expect(throws: Failure.self) {
            try KeyDocument.key(xml: Array(pieces.joined(separator: other).utf8), from: "the service")
        }
        #expect(failure?.message.hasPrefix("the service answered with") == true)
    }

    /// Whatever a service sends, nothing crashes, and what is taken for a key can stand in the line of a header.
    @Test func `ten thousand damaged answers are a key or an error`() {
        var (random, count) = (SeededNumbers(seed: 76), 0)
        let pieces = [
            "<", ">", "</", "&", "<Credentials>", "</Credentials>", "<AccessKeyId>", "</AccessKeyId>", "\u{0}", "\n",
            "ä",
            "<SessionToken>", "\"", "{", "}", ",", ":", "Expiration", "\\u0000", "Z", "9",
        ].map { Array($0.utf8) }
        let texts = [
            Self.answer,
            #"{"Version":1,"AccessKeyId":"a","SecretAccessKey":"b","SessionToken":"c","Expiration":"2026-11-28T20:34:11Z"}"#,
            #"{"Code":"Success","AccessKeyId":"a","SecretAccessKey":"b","Token":"c","Expiration":"2026-11-28T20:34:11Z"}"#,
        ].map { Array($0.utf8) }
        for _ in 0..<10_000 {
            let kind = Int.random(in: 0..<3, using: &random)
            var bytes = texts[kind]
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                let end = min(bytes.count, place + Int.random(in: 0...3, using: &random))
                bytes.replaceSubrange(place..<end, with: pieces.randomElement(using: &random) ?? [])
            }
            let key: AccessKey? =
                switch kind {
                case 0: try? KeyDocument.key(xml: bytes, from: "x")
                case 1: try? KeyDocument.key(json: bytes, .command, from: "x")
                default: try? KeyDocument.key(json: bytes, .machine, from: "x")
                }
            guard let key else { continue }
            count += 1
            let parts = key.identifier + key.secret + (key.token ?? "")
            #expect(parts.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
            if kind == 0 { #expect(!parts.contains("</")) }
        }
        #expect(count > 1000)
    }

    @Test(
        arguments: [
            (#"{"Version": 1, "AccessKeyId": "a", "SecretAccessKey": "b"}"#, true),
            (
                #"{"Version": 1, "AccessKeyId": "a", "SecretAccessKey": "b", "SessionToken": "c", "Expiration": "2026-11-28T20:34:11Z"}"#,
                true
            ),
            (#"{"Version": 2, "AccessKeyId": "a", "SecretAccessKey": "b"}"#, false),
            (#"{"AccessKeyId": "a", "SecretAccessKey": "b"}"#, false),
            (#"{"Version": 1, "AccessKeyId": "a"}"#, false),
            (#"{"Version": 1, "AccessKeyId": 1, "SecretAccessKey": "b"}"#, false),
            (#"{"Version": 1, "AccessKeyId": "a\r\nX: y", "SecretAccessKey": "b"}"#, false),
            (#"{"Version": 1, "AccessKeyId": "", "SecretAccessKey": "b"}"#, false),
            (#"{"Version": 1, "AccessKeyId": "a", "AccessKeyId": "c", "SecretAccessKey": "b"}"#, false),
            (#"{"Version": 1, "AccessKeyId": "a", "SecretAccessKey": "b", "Expiration": "x"}"#, false),
            ("", false), ("[1]", false), ("null", false), (String(repeating: "[", count: 60_000), false),
        ])
    func `what a command prints is a key of version 1, or refused`(_ text: String, _ isKey: Bool) {
        #expect(((try? KeyDocument.key(json: Array(text.utf8), .command, from: "x")) != nil) == isKey)
    }

    /// The parts of a key, with the names that may be missing.
    private static let documents: [(KeyDocument.Names, [String: String], optional: Set<String>)] = [
        (
            .command,
            ["Version": "1", "AccessKeyId": "a", "SecretAccessKey": "b", "SessionToken": "c", "Expiration": time],
            ["SessionToken", "Expiration"]
        ),
        (
            .machine,
            ["Code": "Success", "AccessKeyId": "a", "SecretAccessKey": "b", "Token": "c", "Expiration": time], []
        ),
        (.container, ["AccessKeyId": "a", "SecretAccessKey": "b", "Token": "c", "Expiration": time], []),
    ]
    private static let time = "2026-11-28T20:34:11Z"

    /// Each name of each document has something else in turn.
    @Test(arguments: ["null", "2.5", "true", "false", "[\"hidden\"]", "{\"hidden\": 1}", "7"])
    func `a value of a wrong type is an error that names it, and null is as good as nothing`(_ value: String) {
        for (names, parts, optional) in Self.documents {
            for name in parts.keys where !(name == "Version" && value == "7") {
                let values = parts.map { "\"\($0)\": " + ($0 == "Version" ? $1 : "\"\($1)\"") }
                let json = (values.filter { !$0.hasPrefix("\"\(name)\"") } + ["\"\(name)\": \(value)"])
                    .joined(separator: ", ")
                let found = Result { () throws(Failure) in
                    try KeyDocument.key(json: Array("{\(json)}".utf8), names, from: "x")
                }
                switch found {
                case .success(let key):
                    #expect(value == "null" && optional.contains(name))
                    #expect((name == "Expiration") == (key.expiration == nil))
                    #expect((name == "SessionToken") == (key.token == nil))
                case .failure(let failure):
                    let type = name == "Version" ? "whole number" : "string"
                    let sentence =
                        value == "null"
                        ? "x answered without \(name)"
                        : "x answered with a value of \(name) that is not a \(type)"
                    #expect(failure.message == sentence)
                }
            }
        }
    }

    @Test(arguments: [#""Code": "Success", "#, #""Code": "Failed", "#, ""])
    func `a machine says that it has a key`(_ mark: String) {
        let text =
            #"{\#(mark)"AccessKeyId": "a", "SecretAccessKey": "b", "Token": "c", "Expiration": "2026-11-28T20:34:11Z"}"#
        #expect(
            ((try? KeyDocument.key(json: Array(text.utf8), .machine, from: "x")) != nil) == mark.contains("Success"))
        #expect((try? KeyDocument.key(json: Array(text.utf8), .container, from: "x")) != nil)
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-28T20:34:11Z", 1_795_898_051),
            ("2026-11-28T20:34:11.123456Z", 1_795_898_051),
            ("2026-11-28T22:34:11+02:00", 1_795_898_051), ("2026-11-28T15:04:11-0530", 1_795_898_051),
            ("2026-11-28 20:34:11z", 1_795_898_051), ("2000-02-29T00:00:00Z", 951_782_400), ("", nil), ("2026", nil),
            ("2026-11-28T20:34:11", nil), ("2026-13-28T20:34:11Z", nil), ("2026-11-28T20:34:11ZZ", nil),
            ("99999-11-28T20:34:11Z", nil), ("2026-11-28T20:34:11+2", nil), ("-026-11-28T20:34:11Z", nil),
        ] as [(String, Int?)])
    func `the end of a key is a time of ISO 8601`(_ text: String, _ seconds: Int?) {
        #expect(KeyDocument.seconds(text) == seconds)
    }

    @Test func `an object that was read has texts and numbers by name`() throws {
        guard let object = JSONObject(Array(#"{"a": {"b": 1}, "c": 2, "d": 1.5, "e": "f", "g": "1"}"#.utf8)) else {
            Issue.record("it is an object")
            return
        }
        let (numbers, texts) = (
            try ["c", "x"].map { try object.number($0) }, try ["e", "x"].map { try object.text($0) }
        )
        #expect(numbers == [2, nil])
        #expect(texts == ["f", nil])
    }

    @Test(arguments: [
        "", "{", "[1]x", "[1]", "null", "1", #"{"a": 18446744073709551616}"#, String(repeating: "[", count: 100_000),
    ])
    func `what is not an object of JSON is refused`(text: String) {
        let isRefused = JSONObject(Array(text.utf8)) == nil
        #expect(isRefused)
    }
}
