import SluiceEngine

/// Options for the members of a compressed tar archive.
extension Flag {
    static let members: [Flag] = [
        Flag(.members) { $0.members.isAsked = true }
            .help("Index the members of a tar, so that each is found at once; with -l: list them as tar -tv does.")
            .manual(
                """
                The input has to be a tar archive. Frames end between members where that costs less than a tenth of \
                their size, and every zstd and tar reads the result. Listing a file without an index takes one pass \
                over it; --index=FILE keeps the result. With --json each member is a line.
                """
            )
            .only(with: .archives, hint: "sluice -d --member=PATH writes members")
            .excludes(
                .singleFrame, .long, .max, .patchFrom, because: "members are found by frames",
                when: .frames
            )
            .excludes(.rsyncable, .flushInterval, because: "members decide where frames end", when: .frames)
            .excludes(.part, .resume, because: "the index covers the whole archive", when: .frames)
            .excludes(.offset, .length, .tail, .range, because: "the whole archive is listed"),
        Flag(.member, .typed("PATH", "a member", "dir/file", .member)) { settings, typed in
            guard let name = typed.bytes, !name.isEmpty else { throw Complaint.usage("an empty member name") }
            settings.members.selection.patterns.append(MemberPattern(name))
        }
        .help(
            "With -d: write the members that PATH names (a path, a directory or a pattern); several are written as a tar."
        )
        .manual(
            """
            The content of one file goes to standard output, or to -o FILE. Several members, or a directory, are \
            written as a tar with their headers, so that | tar -x restores owners, links and holes; the option may \
            be given several times. The wildcards *, ? and [...] match slashes too, as with tar --wildcards; a \
            backslash makes them literal, as in --member='\\[1\\].txt', and --member=-x names -x. Only the frames \
            that are needed are read. If several members have the same name, the last one counts; from a pipe, or a \
            server without ranges, the first one, after which nothing more is read. There the content of a large \
            frame is written before the checksum at its end is compared, and is not compared with it if the last \
            member ends earlier.
            """
        )
        .asMembers(),
        Flag(.asTar) { $0.members.selection.asArchive = true }
            .help("With --member: write a tar even if there is only one member.")
            .needs(.member)
            .asMembers(),
    ]

    private consuming func asMembers() -> Flag {
        only(with: .members)
            .excludes(.offset, .length, .tail, .range, because: "a member is a range of its own")
            .excludes(.part, .recover, .join, because: "a member is only a part of the content")
            .asExcerpt("a member")
    }
}
