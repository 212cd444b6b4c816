# shellcheck disable=SC2016 # expanded by the other shell
mkdir folder
touch report.txt 'with space'
"$ROOT/scripts/completion" bash "$SLUICE" >bash.completion
# complete WORD...: what bash offers for the last word.
complete_words() {
    env -u BASH_ENV bash -c '. ./bash.completion; COMP_WORDS=(sluice "$@"); COMP_CWORD=$#; COMP_LINE="sluice $*"
        COMP_POINT=${#COMP_LINE}; _sluice sluice "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"; printf "%s\n" "${COMPREPLY[@]}"' bash "$@" 2>&9
}
offers() {
    local wanted=$1
    shift
    complete_words "$@" >offered
    grep -qxF -- "$wanted" offered || fail "no $wanted for $*: $(cat offered)"
}
offers report.txt rep
offers folder -d fo
offers 'with space' -d with
offers report.txt -o rep
offers report.txt --stats-file rep
offers --decompress --deco
offers json --stats j
complete_words he >offered
if grep -q help offered; then fail 'a subcommand that is not there is offered'; fi
"$ROOT/scripts/completion" zsh "$SLUICE" >_sluice
"$ROOT/scripts/completion" fish "$SLUICE" >sluice.fish
if command -v zsh; then
    zsh -n _sluice
    grep -q "'\*:file:_files'" _sluice
fi
if command -v fish; then
    export HOME=$PWD
    fish -c 'source sluice.fish; complete -C "sluice rep"' >offered 2>&9
    grep -q '^report.txt' offered || fail "fish offers $(cat offered)"
    fish -c 'source sluice.fish; complete -C "sluice --stats "' >offered 2>&9
    grep -q '^json' offered || fail "fish offers $(cat offered)"
    fish -c 'source sluice.fish; complete -C "sluice --deco"' >offered 2>&9
    grep -q '^--decompress' offered || fail "fish offers $(cat offered)"
fi
