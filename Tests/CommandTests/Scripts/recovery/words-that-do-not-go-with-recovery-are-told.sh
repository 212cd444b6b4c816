corpus text 100K >a
"$SLUICE" -q a
fails "$SLUICE" --recover a
says 'sluice: --recover only works with -d'
fails "$SLUICE" -d --recover --rm a.zst -o b
says 'more of the file may be recovered another day'
fails "$SLUICE" -d --recover --tail=10 a.zst
says 'a range is only a part of the content'
fails "$SLUICE" -d --recover --part=1/2 a.zst
says '--part and --recover can'\''t be combined: --part processes a share of an intact file'
fails "$SLUICE" -d --recover zeros a.zst
says '--recover=zeros'
fails "$SLUICE" -d --recover=holes a.zst
fails "$SLUICE" -d --json a.zst
says '--json only works with -l'
says 'hint: it also works with -d --recover'
cat a.zst | fails "$SLUICE" -d --recover -o b
says 'standard input: it is not a regular file: frames are found by seeking'
fails "$SLUICE" -d --recover a -o b
says 'a: not in a supported format'
gzip -c a >a.gz
fails "$SLUICE" -d --recover a.gz -o b
says 'sluice: a.gz: is in gzip format: only Zstandard files can be recovered'
absent b
no_leftovers
