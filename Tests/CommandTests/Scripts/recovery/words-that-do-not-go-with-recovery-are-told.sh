corpus text 100K >a
"$SLUICE" -q a
fails "$SLUICE" --recover a
says 'sluice: --recover is for what is decompressed'
fails "$SLUICE" -d --recover --rm a.zst -o b
says 'what is lost today may be had of the file tomorrow'
fails "$SLUICE" -d --recover --tail=10 a.zst
says 'takes all of the content'
fails "$SLUICE" -d --recover zeros a.zst
says '--recover=zeros'
fails "$SLUICE" -d --recover=holes a.zst
fails "$SLUICE" -d --json a.zst
says '--json goes with -l, or with --recover'
cat a.zst | fails "$SLUICE" -d --recover -o b
says 'standard input: it is no file: frames are looked for back and forth'
fails "$SLUICE" -d --recover a -o b
says 'a: not in Zstandard format'
absent b
no_leftovers
