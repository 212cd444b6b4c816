import Testing

@testable import Sluice
@testable import SluiceCommand

/// Lines of members. The script of the command compares them with those of tar.
@Suite struct MemberTableTests {
    private static func line(_ path: [UInt8], size: UInt64 = 0) -> String {
        var (table, member) = (MemberTable(isJSON: false), ArchiveMember(path: path, kind: .file))
        member.contentSize = size
        table.append(member)
        return String(decoding: table.take(), as: UTF8.self)
    }

    @Test func `a byte that stands for something else is escaped wherever it is`() {
        for byte in UInt8(1)...UInt8.max {
            let isPlain = byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\\")
            for place in [0, 7, 8, 15, 16, 18] {
                var name = Array("a name of 19 letter".utf8)
                name[place] = byte
                let isKept = Self.line(name).hasSuffix(" \(String(decoding: name, as: UTF8.self))\n")
                #expect(isKept == isPlain, "\(byte) at \(place)")
            }
        }
    }

    @Test(arguments: [0, 1, 9, 10, 99, 100, 12345, 1 << 61, 999_999_999_999, 1_000_000_000_000] as [UInt64])
    func `a size is its decimal digits`(size: UInt64) {
        #expect(Self.line([97], size: size).contains(" \(size) 1970-"))
    }
}
