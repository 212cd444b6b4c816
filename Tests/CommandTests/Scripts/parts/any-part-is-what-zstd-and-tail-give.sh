needs pzstd
. "$SCRIPTS/statistics/tools.bash"
corpus text 3M >plain
"$SLUICE" -q -B200K plain -o own.zst
"$SLUICE" -q -B1K -1 plain -o tiny.zst
pzstd -q -1 -p 2 plain -o pzstd.zst
# Frames that say their size, frames that do not, and one with a table of its own in the middle.
{ zstd -qc plain; zstd -qc <plain; cat own.zst; } >mixed.zst
files=(own.zst tiny.zst pzstd.zst mixed.zst)
for name in "$FIXTURES"/*.zst; do
    case ${name##*/} in empty-file.zst | needs-dictionary.zst | window-2GiB.zst) ;; *) files+=("$name") ;; esac
done
python "$SCRIPTS/parts/laws.py" "$SLUICE" 1 5 "${files[@]}"
