import Sluice
import SystemPackage
import Testing

@testable import SluiceCommand

/// What is written is what Foundation's encoder wrote, byte for byte.
@Suite struct JSONTests {
    private struct Value {
        var text = "a/\"\\\n\r\t\u{8}\u{C}\u{1}\u{7F}\u{85}\u{202E}\u{E0001}é<"
        var none: Int?
        var list: [String?] = ["b", nil]
        var empty: [Int] = []
        var isSo = true
        var largest = UInt64.max
        var numbers = [1.0, 0.1, -0.0, 1e-7, 1e16, 1.5e300, .infinity, -.infinity, .nan]
        var ending = Statistics.Ending.success
        var activity: Statistics.Activity? = Statistics.Activity("copy", noun: "copying", content: .both)
    }

    @Test func `a line has the properties in the order of their names, and what is nil only in lists`() {
        #expect(
            JSON.line(Value())
                == #"{"activity":"copy","empty":[],"ending":"success","isSo":true,"largest":18446744073709551615,"#
                + #""list":["b",null],"numbers":[1,0.1,-0,1e-07,1e+16,1.5e+300,"inf","-inf","nan"],"#
                + #""text":"a/\"\\\n\r\t\b\f\u0001\u007f\u0085\u202e\udb40\udc01é<"}"#)
    }

    @Test func `a page is indented by two, with a space on either side of a colon`() {
        let entries: [String: Any?] = ["b": [1, 2], "a": [Int](), "none": Int?.none, "c": ["d": true]]
        #expect(
            JSON.page(entries)
                == """
                {
                  "a" : [

                  ],
                  "b" : [
                    1,
                    2
                  ],
                  "c" : {
                    "d" : true
                  }
                }
                """)
    }

    @Test(arguments: [("f\u{FF}", "Zv8="), ("fo\u{FF}", "Zm//"), ("foo\u{FF}", "Zm9v/w==")])
    func `a name that is not UTF-8 is told in Base64`(name: String, base64: String) {
        let bytes = name.unicodeScalars.map { CChar(bitPattern: UInt8($0.value)) } + [0]
        #expect(JSON.base64(FilePath(platformString: bytes)) == base64)
        #expect(JSON.base64("foo") == nil)
    }

    @Test func `an object that was read has numbers, counts and texts by name`() {
        guard let object = JSONObject(Array(#"{"a": {"b": 1.5, "c": 2}, "d": -1, "e": "f", "g": "1"}"#.utf8)) else {
            Issue.record("it is an object")
            return
        }
        let numbers = [
            object.number("a", "b"), object.number("a", "c"), object.number("g"), object.number("e", "x"),
            object.number("x"),
        ]
        #expect(numbers == [1.5, 2, nil, nil, nil])
        let counts = [object.count("a", "c"), object.count("a", "b"), object.count("d"), object.count("e")]
        #expect(counts == [2, nil, nil, nil])
        let texts = [object.text("e"), object.text("d"), object.text("a"), object.text("x")]
        #expect(texts == ["f", nil, nil, nil])
    }

    @Test(arguments: ["", "{", "[1]x", #"{"a": 18446744073709551616}"#, String(repeating: "[", count: 100_000)])
    func `what is no JSON is refused`(text: String) {
        let isRefused = JSONObject(Array(text.utf8)) == nil
        #expect(isRefused)
    }
}
