source "$SCRIPTS/formats/make.bash"
corpus text 100K >a
pack a
mv a wanted
for format in "${formats[@]}"; do
    works "$SLUICE" -d "a.$format"
    same a wanted
    rm a
done
for name in gz.tgz xz.txz lzma.tlz lz4.tlz4; do
    cp "a.${name%.*}" "b.${name#*.}"
    works "$SLUICE" -d "b.${name#*.}"
    same b.tar wanted
    rm b.tar
done
# The data says what it is, the name only what its output is called.
cp a.xz c.gz
works "$SLUICE" -d c.gz
same c wanted
cp a.gz d.log
fails "$SLUICE" -d d.log
says 'd.log: unknown suffix'
says '.zst .zstd .tzst .gz .tgz .xz .txz .lzma .tlz .lz4 .tlz4'
works "$SLUICE" -d d.log -o d
same d wanted
# With --rm the source goes when the output is there; several are done by their workers, small frames among them.
mkdir many
for index in {1..20}; do cp a.gz "many/$index.gz" && cp a.zst "many/z$index.zst" && cp a.lz4 "many/l$index.lz4"; done
works "$SLUICE" -d --rm many/*
absent many/*.gz many/*.zst many/*.lz4
for name in many/*; do same "$name" wanted; done
[ "$(find many -type f | wc -l)" = 60 ]
fails "$SLUICE" -d --rm a.gz a.xz
says 'has the same output'
# What is damaged stays, and has no output.
head -c 1000 a.gz >cut.gz
fails "$SLUICE" -d --rm cut.gz wanted.gz
says 'cut.gz: unexpected end of input at byte 1000: the gzip data is truncated'
[ -s cut.gz ]
absent cut
no_leftovers
