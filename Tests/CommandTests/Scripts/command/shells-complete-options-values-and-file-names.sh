needs fish zsh
# shellcheck disable=SC2016 # expanded by the other shell
mkdir folder
touch report.txt 'with space'
"$SLUICE" --generate=complete-bash >bash.completion
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
offers 'with space' with
offers report.txt -o rep
offers report.txt --stats-file rep
offers --decompress --deco
offers --stats=json --stats=j
# As bash has cut it.
offers json --stats = j
offers plain --progress = pl
offers lzma --format lz
# An optional value is one word with its option, and what is apart is a file.
touch auto.txt
offers auto.txt --progress au
touch data.txt
# After -- come another command and its arguments.
offers data.txt --from-command -o report.txt -- cat data
offers gzip --from-command -- gzi
offers report.txt --from-command rep
# What can be decompressed is offered to be, and where it may be.
touch data.zst data.txt data.tar.gz
mkdir data.d
complete_words -d data | sort >offered
printf '%s\n' data.d data.tar.gz data.zst >wanted
same offered wanted
complete_words data | sort >offered
printf '%s\n' data.d data.tar.gz data.txt data.zst >wanted
same offered wanted
# Each option that is offered is known.
complete_words -- >options
[ "$(wc -l <options)" -gt 100 ]
while read -r option; do
    "$SLUICE" "${option%=}" -V >/dev/null 2>said </dev/null || true
    if grep -q 'unknown option' said; then fail "$option is offered and unknown"; fi
done <options
"$SLUICE" --generate=complete-zsh >_sluice
"$SLUICE" --generate=complete-fish >sluice.fish
if command -v zsh; then
    zsh -n _sluice
    grep -q "'\*:file:_sluice_files'" _sluice
fi
if command -v fish; then
    export HOME=$PWD
    fish -c 'source sluice.fish; complete -C "sluice rep"' >offered 2>&9
    grep -q '^report.txt' offered || fail "fish offers $(cat offered)"
    fish -c 'source sluice.fish; complete -C "sluice --stats="' >offered 2>&9
    grep -q '^--stats=json' offered || fail "fish offers $(cat offered)"
    fish -c 'source sluice.fish; complete -C "sluice --progress "' >offered 2>&9
    if grep -q '^auto$' offered; then fail 'fish offers a value that is refused'; fi
    fish -c 'source sluice.fish; complete -C "sluice -d data"' | cut -f 1 | sort >offered 2>&9
    printf '%s\n' data.d/ data.tar.gz data.zst >wanted
    same offered wanted
    fish -c 'source sluice.fish; complete -C "sluice --deco"' >offered 2>&9
    grep -q '^--decompress' offered || fail "fish offers $(cat offered)"
    fish -c 'source sluice.fish; complete -C "sluice --from-command -- gzi"' >offered 2>&9
    grep -q '^gzip' offered || fail "fish offers $(cat offered)"
    fish -c 'source sluice.fish; complete -C "sluice --from-command -- cat rep"' >offered 2>&9
    grep -q '^report.txt' offered || fail "fish offers $(cat offered)"
fi
