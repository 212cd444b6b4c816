# advice OPTION: the command that is said to do what zstd's option does.
advice() {
    fails "$SLUICE" "$1"
    advice=$(sed -n 's/^sluice: hint: //p' "$messages")
}
# made FOLDER SUBFOLDER: a.zst is in the one and b c.zst in the other, and they are right.
made() {
    zstd -dcq "$1/a.zst" | cmp - in/a
    zstd -dcq "$2/b c.zst" | cmp - 'in/sub/b c'
}
mkdir tools in in/sub out
ln -s "$SLUICE" tools/sluice
PATH=$PWD/tools:$PATH
corpus text 10K >in/a
corpus text 20K >'in/sub/b c'
advice -r
works eval "${advice/FOLDER/in}"
made in in/sub
rm in/a.zst in/sub/*.zst
touch in/b.zst in/c.gz
advice --exclude-compressed
works eval "${advice/FOLDER/in}"
made in in/sub
absent in/b.zst.zst in/c.gz.zst
rm in/a.zst in/b.zst in/c.gz in/sub/*.zst
advice --filelist
printf '%s\n' in/a 'in/sub/b c' >names
works eval "${advice/LIST/names}"
made in in/sub
rm in/a.zst in/sub/*.zst
advice --output-dir-flat
advice=${advice/FILES/in\/a \'in\/sub\/b c\'}
works eval "${advice/FOLDER/out}"
made out out
advice --output-dir-mirror
advice=${advice//COPY/copy}
advice=${advice/FOLDER/in}
works eval "$advice"
made copy copy/sub
absent copy/a 'copy/sub/b c'
