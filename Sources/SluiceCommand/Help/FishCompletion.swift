enum FishCompletion {
    static var text: String {
        ([
            """
            # Completion of sluice for fish, made by sluice --generate=complete-fish.
            function __sluice_decodes
                string match -qr -- '\(Completion.decoding)' \
            (commandline -opc)[2..-1]
            end
            function __sluice_compressed
                __fish_complete_path (commandline -ct) | string match -r -- '.*(?:/|\\.(?:\(Completion.suffixes)))(?:\\t.*)?$'
            end
            function __sluice_members
                for word in (commandline -o)[2..-1]
                    test -f $word; or continue
                    \(Completion.members(of: "$word"))
                    return
                end
            end
            complete -c sluice -n __sluice_decodes -f -a '(__sluice_compressed)'
            """
        ] + Flag.all.flatMap(lines)).joined(separator: "\n")
    }

    private static func lines(_ flag: Flag) -> [String] {
        flag.longNames.map { name in
            let short = name == flag.name ? flag.shortSpelling.map { " -s \($0.dropFirst())" } ?? "" : ""
            let value = name.hasPrefix("no-") ? "" : value(flag.argument)
            return "complete -c sluice\(short) -l \(name)\(value) -d '\(flag.help.exchanging("'", for: "\\'"))'"
        }
    }

    /// An optional value only stands after =, which is what fish does with options that need none.
    private static func value(_ argument: FlagArgument) -> String {
        let words = argument.choices().isEmpty ? "" : " -f -a '\(argument.choices().joined(separator: " "))'"
        if argument.presence == .none { return "" }
        return switch argument.kind {
        case .file: " -r -F"
        case .member: " -x -a '(__sluice_members)'"
        case .folder: " -x -a '(__fish_complete_directories (commandline -ct))'"
        case .text, .words, .size: argument.presence == .required ? " -x" + words : words
        }
    }
}
