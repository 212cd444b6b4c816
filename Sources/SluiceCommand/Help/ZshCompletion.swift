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
