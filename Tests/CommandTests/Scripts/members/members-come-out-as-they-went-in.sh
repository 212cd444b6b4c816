. "$SCRIPTS/members/tools.bash"
tree
tars
# everything ARCHIVE: what its files hold, and the rest through tar.
everything() {
    works "$SLUICE" -d --member=tree/text "$@" >text
    same text tree/text
    # Holes in all forms.
    works "$SLUICE" -d --member=tree/holes "$@" >holes
    same holes tree/holes
    works "$SLUICE" -d --member=tree/hole "$@" >holes
    same holes tree/hole
    rm -f hard
    works "$SLUICE" -d --member=tree/folder/hard "$@" -o hard
    same hard tree/folder/first
    works "$SLUICE" -d --member='*/nothing' "$@" >nothing
    same nothing /dev/null
    rm -rf got
    mkdir got
    works "$SLUICE" -d --member=tree/folder "$@" | tar -xf - -C got
    for place in . got; do
        (cd $place/tree/folder && find . -printf '%p %y %m %U %G %l\n' | sort) >found-$place
    done
    same found-. found-got
    [ got/tree/folder/first -ef got/tree/folder/hard ] || fail 'the link is none'
}
for name in gnu oldgnu pax0.0 pax0.1 pax1.0 pygnu pypax bsdgnu bsdpax; do
    [ -e $name.tar ] || continue
    works "$SLUICE" -q --members "$name.tar"
    everything "$name.tar.zst"
    # How a file without our index is read does not depend on the form of its headers: those of GNU, and one of POSIX.
    is_long || [[ $name = *gnu || $name = pax1.0 ]] || continue
    zstd -qc "$name.tar" >foreign.zst
    everything foreign.zst
    everything --index=index-$name foreign.zst
    everything --index=index-$name foreign.zst
    gzip -1c "$name.tar" >foreign.gz
    everything foreign.gz
done
# All of it is what was there, holes too.
works "$SLUICE" -d --member=tree pax1.0.tar.zst | tar -xf - -C got
cmp got/tree/holes tree/holes
[ "$(stat -c %b got/tree/holes)" -lt 1000 ] || fail 'the holes are filled'
works "$SLUICE" -d --member=tree/many pax1.0.tar.zst -o many
same many tree/many
[ "$(stat -c %b many)" -lt 5000 ] || fail 'the holes are filled in a file'
name=$(printf 'tree/a\nb\\\\c \377 \303\274')
works "$SLUICE" -d --member="$name" gnu.tar.zst >odd
[ "$(cat odd)" = odd ] || fail 'not the odd one'
works "$SLUICE" -d --as-tar --member=tree/nothing gnu.tar.zst | tar -tf - >listed
[ "$(cat listed)" = tree/nothing ] || fail "$(cat listed)"
works "$SLUICE" -d --as-tar --member=tree/folder/hard gnu.tar.zst | tar -tf - >listed
says 'tree/folder/first is written too'
# What has no content of its own.
fails "$SLUICE" -d --member=tree/folder/soft gnu.tar.zst
says 'tree/folder/soft is a symbolic link: only --as-tar writes it'
fails "$SLUICE" -d --member=tree/none gnu.tar.zst
says 'no member is named tree/none'
tar -rf gnu.tar tree/text
works "$SLUICE" -qf --members gnu.tar
works "$SLUICE" -d --member=tree/text gnu.tar.zst >text
says 'several members are named tree/text: the last one counts'
