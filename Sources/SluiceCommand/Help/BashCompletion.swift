enum BashCompletion {
    static var text: String {
        """
        # Completion of sluice for bash, made by sluice --generate=complete-bash.
        _sluice() {
            local cur=${COMP_WORDS[COMP_CWORD]} option= start= word=
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
