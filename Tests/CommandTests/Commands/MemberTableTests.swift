import Testing

@testable import Archives
@testable import SluiceCommand
@testable import SluiceEngine

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

    private static func object(_ member: ArchiveMember) -> String {
        var table = MemberTable(isJSON: true)
        table.append(member)
        return String(decoding: table.take(), as: UTF8.self)
    }

    @Test func `a line of JSON has what a member has, and names that are not UTF-8 as Base64`() {
        var link = ArchiveMember(path: Array("a\"\\\n\u{202E}é/".utf8) + [0xFF], kind: .symbolicLink)
        (link.link, link.mode, link.isSparse) = ([0xFE], 0o777, true)
        link.owner = .init(user: -1, group: 12, userName: Array("me".utf8), groupName: [0xFF])
        link.modified = .init(seconds: .min, nanoseconds: 999_999_999)
        (link.contentSize, link.storedSize, link.start, link.data) = (1 << 40, .max, 10, 522)
        #expect(
            Self.object(link)
                == #"{"bytes":1099511627776,"dataBytes":18446744073709551615,"dataOffset":522,"gid":12,"#
                + "\"group\":\"\u{FFFD}\",\"headerOffset\":10,\"link\":\"\u{FFFD}\","
                + #""linkBase64":"/g==","mode":511,"modified":-9223372036854775808,"modifiedNanoseconds":999999999,"#
                + "\"name\":\"a\\\"\\\\\\n\\u202eé/\u{FFFD}\","
                + #""nameBase64":"YSJcCuKArsOpL/8=","sparse":true,"type":"symbolic link","uid":-1,"user":"me"}"# + "\n")
    }

    @Test func `a device has its numbers, and no entry for what it does not have`() {
        var device = ArchiveMember(path: [97], kind: .blockDevice)
        device.device = .init(major: 8, minor: 1)
        #expect(
            Self.object(device)
                == #"{"bytes":0,"dataBytes":0,"dataOffset":0,"gid":0,"headerOffset":0,"major":8,"minor":1,"mode":0,"#
                + #""modified":0,"modifiedNanoseconds":0,"name":"a","type":"block device","uid":0}"# + "\n")
    }
}
