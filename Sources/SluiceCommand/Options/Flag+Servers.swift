import SluiceEngine

/// Options for operands that are URLs.
extension Flag {
    static let servers: [Flag] = [
        Flag(.httpHeader, .typed("LINE", "NAME: VALUE, or @FILE", "X-Token: 1")) {
            try $0.input.remote.options.headers += $1.headerLines()
        }
        .help("Send this line, such as a token, to the server of a URL; @FILE has such lines, and keeps secrets.")
        .manual(
            """
            With -o s3://, lines about the object, such as x-amz-storage-class, go with the request that begins it. \
            Where a run asks object stores and other servers, lines x-amz-* go to the stores only, and \
            Authorization, Cookie and Proxy-* to the others only. \
            They are not sent to other servers that it redirects to. Names and passwords are better kept in ~/.netrc. An \
            s3:// URL is asked for with the key that AWS's tools would use: of the environment, a profile (AWS_PROFILE), \
            a pod, a container or the machine; -v says which.
            """
        ),
        Flag(.timeout, .number("SECONDS", "a number of seconds, 1 to 86400", "10", in: 1...86400)) {
            $0.input.remote.options.patience = Int($1)
        }
        .help("Give up a request after SECONDS without a byte (default 30)."),
        Flag(.connections, .number("N", "a number of connections, 1 to 16", "2", in: 1...16)) {
            $0.input.remote.options.connections = Int($1)
        }
        .help("Make at most N requests to a server at the same time (default: 4 to 16, as the server allows).")
        .manual("Where a server refuses some of several requests, fewer are made without this option, too."),
        Flag(.objectVersion, .typed("ID", "the ID of a version", "3HL4kqtJlcpXroDTDmJ")) { settings, value in
            settings.input.remote.options.objectVersion = value.text
        }
        .help("Read this version of an object, of which an s3:// URL names one that has several.")
        .takes(.oneNamed),
        Flag(
            .uploadPart,
            .size("SIZE", "64M").within(
                UInt64(PartPlan.leastPart)...UInt64(PartPlan.mostPart), "a size from 5M to 1G")
        ) {
            $0.output.uploadPart = Int($1)
        }
        .help("With -o s3://: send parts of SIZE, of which an object has 10,000 at most (default: 16M to 128M).")
        .manual(
            """
            An output whose size is not known has parts of 16, 32, 64 and 128 MiB, about 1 TiB in all, and less with \
            -M, of which a warning says how much; when compressing, --stream-size or --size-hint makes the first ones \
            as large as it takes. Some stores, such as R2, want parts \
            of one size, which this option makes. Larger parts are sent on fewer connections: those under way take \
            256 MiB of memory, or a quarter of -M.
            """
        ),
    ]
}

extension FlagValue {
    /// The largest file of header lines, in bytes.
    private static let mostHeaders = 64 << 10

    /// - Throws: that it is not a line of a header, without telling it: it may be a secret.
    fileprivate func headerLines() throws(Complaint) -> [String] {
        guard text.utf8.first == UInt8(ascii: "@") else { return [try Self.headerLine(text, "--http-header")] }
        let name = Array(text.utf8.dropFirst())
        if URLParts.isMeant(by: name) { throw .unusableURL(name, of: "--http-header=@") }
        let path = FilePath(String(decoding: name, as: UTF8.self))
        let descriptor = try AuxiliaryFile.open(path, cant: "read")
        defer { try? descriptor.close() }
        var bytes = [UInt8](repeating: 0, count: Self.mostHeaders)
        let count = try Complaint.about(path, cant: "read", descriptor.fill(&bytes))
        // A line that is cut might be taken for another token.
        if count == Self.mostHeaders { throw Complaint(path, "is too large for lines of a header") }
        let lines = bytes[..<count].split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        return try lines.map { line throws(Complaint) in
            try Self.headerLine(String(decoding: line, as: UTF8.self), path.printable)
        }
    }

    private static func headerLine(_ line: String, _ origin: String) throws(Complaint) -> String {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line.utf8[..<colon].allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            line.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 9 })
        else { throw .usage("\(origin): each line is NAME: VALUE", hint: "such as Authorization: Bearer TOKEN") }
        return line
    }
}
