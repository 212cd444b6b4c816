import SluiceEngine

/// The parts that the completions of all shells share.
enum Completion {
    /// Suffixes of files that can be decompressed, without their dots, between bars.
    static var suffixes: String { FileName.knownSuffixes.map { String($0.dropFirst()) }.joined(separator: "|") }

    /// A regular expression for the words that choose an operation on compressed files: letters, or a name.
    static var decoding: String {
        let flags = Flag.operations.filter { flag in
            guard let operation = flag.operation else { return false }
            return operation.activity.content == .output && !operation.optionGroups.contains(.measuring)
        }
        let letters = flags.compactMap(\.letter).map { String(decoding: [$0], as: UTF8.self) }.joined()
        let names = flags.flatMap { [$0.name] + $0.aliases }.map { "--" + $0 }.joined(separator: "|")
        return "^(-[A-Za-z0-9]*[\(letters)][A-Za-z0-9]*|\(names))$"
    }

    /// A command that prints the names of an archive's members, except names with characters that JSON escapes. It has
    /// a time limit, because a file without an index may take long.
    static func members(of file: String) -> String {
        "timeout 3 sluice -ql --members --json -- \(file) 2>/dev/null | sed -n 's/.*\"name\":\"\\([^\"\\\\]*\\)\".*/\\1/p'"
    }

    /// The words of these options, between bars; letters only of options that take a path.
    static func words(of flags: [Flag]) -> String {
        flags.flatMap { flag in
            (flag.argument.isPath ? [flag.shortSpelling].compactMap(\.self) : []) + flag.longNames.map { "--" + $0 }
        }.joined(separator: "|")
    }
}

enum BashCompletion {
    static var text: String {
        """
        # Completion of sluice for bash, made by sluice --generate=complete-bash.
        # The words from a place on are another command and its arguments.
        _sluice_command() {
            if declare -F _command_offset >/dev/null; then
                _command_offset "$1"
                return
            fi
            compopt -o filenames 2>/dev/null
            local kind=-f
            if ((COMP_CWORD == $1)); then kind=-c; fi
            mapfile -t COMPREPLY < <(compgen $kind -- "${COMP_WORDS[COMP_CWORD]}")
        }
        _sluice() {
            local cur=${COMP_WORDS[COMP_CWORD]} option= start= word= place
            if [[ " ${COMP_WORDS[*]:0:COMP_CWORD} " == *' --from-command '* ]]; then
                for ((place = 1; place < COMP_CWORD; place++)); do
                    if [[ ${COMP_WORDS[place]} == -- ]]; then
                        _sluice_command $((place + 1))
                        return
                    fi
                done
            fi
            # bash cuts words at =, unless COMP_WORDBREAKS has none.
            if [[ $cur == = ]]; then
                option=${COMP_WORDS[COMP_CWORD - 1]} cur=
            elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then
                option=${COMP_WORDS[COMP_CWORD - 2]}
            elif [[ $cur == --*=* ]]; then
                option=${cur%%=*} start=${cur%%=*}= cur=${cur#*=}
            elif [[ ${COMP_WORDS[COMP_CWORD - 1]} =~ ^(\(Self.apart))$ ]]; then
                option=${COMP_WORDS[COMP_CWORD - 1]}
            fi
            COMPREPLY=()
            case $option in
        \(Self.cases)
            "")
                if [[ $cur == -* ]]; then
                    mapfile -t COMPREPLY < <(compgen -W '\(Self.offered)' -- "$cur")
                    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
                    return
                fi
                compopt -o filenames 2>/dev/null
                for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                    if [[ $word =~ \(Completion.decoding) ]]; then
                        mapfile -t COMPREPLY < <(compgen -d -- "$cur"
                            compgen -f -X '!*.@(\(Completion.suffixes))' -- "$cur")
                        return
                    fi
                done
                mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
            esac
            if [[ -n $start ]]; then COMPREPLY=("${COMPREPLY[@]/#/$start}"); fi
        }
        shopt -s extglob
        complete -F _sluice sluice
        """
    }

    /// Options whose value may be the next word.
    private static var apart: String {
        Completion.words(of: Flag.all.filter { $0.argument.presence == .required })
    }

    /// The completions after a dash; an option that requires a value ends in =.
    private static var offered: String {
        Flag.all.flatMap { flag in
            flag.longNames.map { "--" + $0 + (flag.argument.presence == .required ? "=" : "") }
                + (flag.argument.standard == nil ? [] : ["--\(flag.name)="])
        }.joined(separator: " ")
    }

    private static var cases: String {
        var lines: [String] = []
        for (kind, words) in [(FlagArgument.Kind.file, "-f"), (.folder, "-d")] {
            let flags = Flag.all.filter { $0.argument.kind == kind }
            lines.append(
                """
                    \(Completion.words(of: flags)))
                        compopt -o filenames 2>/dev/null
                        mapfile -t COMPREPLY < <(compgen \(words) -- "$cur") ;;
                """)
        }
        lines.append(
            """
                \(Completion.words(of: Flag.all.filter { $0.argument.kind == .member })))
                    # Names are quoted as those of files are, and nothing in them is expanded.
                    compopt -o filenames 2>/dev/null
                    # Without -r, it drops the backslashes that quote what was typed.
                    read cur <<<"$cur"
                    cur=${cur#[\\\"\\\']}
                    for word in "${COMP_WORDS[@]:1}"; do
                        [[ -f $word ]] || continue
                        mapfile -t COMPREPLY < <(\(Completion.members(of: "\"$word\"")) | start=$cur awk 'index($0, ENVIRON["start"]) == 1')
                        break
                    done ;;
            """)
        for flag in Flag.all where flag.argument.kind == .words {
            let words = flag.argument.choices().joined(separator: " ")
            lines.append("    --\(flag.name)) mapfile -t COMPREPLY < <(compgen -W '\(words)' -- \"$cur\") ;;")
        }
        return lines.joined(separator: "\n")
    }
}

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
            function __sluice_runs
                set -l words (commandline -opc)
                contains -- --from-command $words; and contains -- -- $words
            end
            function __sluice_command
                set -l words (commandline -opc)
                set -e words[1..(contains -i -- -- $words)]
                complete -C (string join ' ' -- $words (commandline -ct))
            end
            complete -c sluice -n __sluice_runs -f -a '(__sluice_command)'
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

    /// An optional value can only follow =, which is what fish does with options that don't require one.
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

enum ZshCompletion {
    static var text: String {
        """
        #compdef sluice
        # Completion of sluice for zsh, made by sluice --generate=complete-zsh.
        _sluice_files() {
            local word
            for word in "${(@)words[2,CURRENT-1]}"; do
                if [[ $word =~ '\(Completion.decoding)' ]]; then
                    _files -g '*.(\(Completion.suffixes))'
                    return
                fi
            done
            _files
        }
        _sluice_members() {
            local word
            local -a names
            for word in "${(@Q)words[2,-1]}"; do
                [[ -f $word ]] || continue
                names=("${(@f)$(\(Completion.members(of: "\"$word\"")))}")
                compadd -a names
                return
            done
        }
        _sluice() {
            local place=${words[(i)--]}
            if (( place < CURRENT && ${words[(I)--from-command]} > 0 )); then
                words=("${(@)words[place+1,-1]}")
                (( CURRENT -= place ))
                _normal
                return
            fi
            _arguments -s \\
        \(Self.options.map { "        \($0) \\" }.joined(separator: "\n"))
                '*:file:_sluice_files'
        }
        if [[ ${funcstack[1]} == _sluice ]]; then _sluice "$@"; else compdef _sluice sluice; fi
        """
    }

    private static var options: [String] {
        Flag.all.flatMap { flag in
            let help = quoted(flag.help)
            var options = flag.longNames.map { name in "'*--\(name)\(value(of: flag, name))'" }
            if let short = flag.shortSpelling {
                let hasValue = flag.argument.presence != .none
                let glue = hasValue && !flag.argument.isPath ? "-" : ""
                let value = !hasValue ? "" : ":\(flag.argument.name):\(action(flag.argument))"
                options.append("'*\(short)\(glue)[\(help)]\(value)'")
            }
            return options
        }
    }

    private static func value(of flag: Flag, _ name: String) -> String {
        let help = "[\(quoted(flag.help))]"
        let value = ":\(quoted(flag.argument.placeholder)):\(action(flag.argument))"
        return switch name.hasPrefix("no-") ? .none : flag.argument.presence {
        case .none: help
        case .optional: "=-\(help):\(value)"
        case .required: "=\(help)\(value)"
        }
    }

    private static func action(_ argument: FlagArgument) -> String {
        switch argument.kind {
        case .file: "_files"
        case .folder: "_files -/"
        case .words: "(\(argument.choices().joined(separator: " ")))"
        case .member: "_sluice_members"
        case .text, .size: " "
        }
    }

    private static func quoted(_ text: String) -> String {
        text.exchanging("'", for: "'\\''").exchanging("[", for: "\\[").exchanging("]", for: "\\]")
            .exchanging(":", for: "\\:")
    }
}
