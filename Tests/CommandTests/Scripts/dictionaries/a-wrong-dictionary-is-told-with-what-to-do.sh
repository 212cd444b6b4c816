source "$SCRIPTS/dictionaries/samples.bash"
zstd -q --train samples/ad? --maxdict=3K --dictID=77 -o other
cp samples/aab b
"$SLUICE" -q -D dict samples/aaa -o a.zst
fails "$SLUICE" -d a.zst -o out
says 'sluice: a.zst: the frame at byte 0 needs dictionary '
says 'sluice: hint: name the dictionary with -D FILE'
fails "$SLUICE" -t -D other a.zst
says ', but 77 was given'
says 'sluice: hint: name the dictionary with -D FILE'
"$SLUICE" -q --no-dictID -D dict samples/aaa -o silent.zst
fails "$SLUICE" -t silent.zst
says 'its data is damaged'
says 'hint: if it needs a dictionary, name it with -D FILE'
fails "$SLUICE" -t -D other silent.zst
says 'or it was made with another dictionary'
for name in nowhere no/folder; do
    fails "$SLUICE" -D $name b
    says "sluice: $name: can't open: no such file or directory"
    says 'sluice: hint: -D takes a dictionary file'
done
fails "$SLUICE" -D samples b
says 'sluice: samples: '
{ printf '\x37\xa4\x30\xec'; head -c 500 records; } >damaged
fails "$SLUICE" -D damaged b
says 'sluice: damaged: the dictionary is damaged'
says 'sluice: hint: '
truncate -s 33M large
fails "$SLUICE" -D large b
says 'sluice: large: it is larger than 33554432 bytes'
fails "$SLUICE" -D
says 'sluice: -D needs a value'
fails "$SLUICE" -D dict --patch-from=other b
absent out b.zst
# Once, however many files it is.
"$SLUICE" -q -D dict samples/a?a
fails "$SLUICE" -t samples/*.zst
[ "$(grep -c 'hint: ' "$messages")" = 1 ]
# Any file is taken for a dictionary, as by zstd, but it may be the wrong one: without checksums nothing tells it later.
works "$SLUICE" -c -D records b >raw.zst
says 'sluice: warning: records: is no trained dictionary: all of its content is used as one'
zstd -dc -D records raw.zst | cmp - b
works "$SLUICE" -dc -D records raw.zst >out
same out b
says 'sluice: warning: records: is no trained dictionary'
works "$SLUICE" -qc -D records b >raw.zst
silent
works "$SLUICE" -c -D dict b >out
silent
: >empty
works "$SLUICE" -c -D empty b >out
silent
