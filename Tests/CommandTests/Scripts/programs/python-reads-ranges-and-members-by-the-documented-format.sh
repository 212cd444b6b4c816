# Examples/python, which knows no more than docs/format.md, beside our own answers.
/usr/bin/python3 -c 'import zstandard' 2>&9 || skip 'python3-zstandard is not installed'
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
reader() { /usr/bin/python3 -B "$ROOT/Examples/python/sluice_reader.py" "$@"; }
mkdir -p tree/below
for number in {1..30}; do corpus text "$((number * number))K" >tree/below/"file $number"; done
: >tree/empty
ln tree/empty tree/hard
ln -s below tree/link
mkfifo tree/pipe
tar -cf t.tar tree
for words in '-B64K' '-B1M --no-check' '-19 -B256K'; do
    # shellcheck disable=SC2086 # several words
    "$SLUICE" -qf --members $words t.tar
    size=$(size t.tar)
    for range in '0 1' "0 $size" "100 $size" "$((size - 5)) 100" '65536 65536' '1000000 300000'; do
        # shellcheck disable=SC2086 # two words
        set -- $range
        reader t.tar.zst range $range | cmp - <(tail -c +$(($1 + 1)) t.tar | head -c "$2")
    done
    same <(reader t.tar.zst members | sed 's/^[0-9]* //' | sort) <(tar -tf t.tar | sort)
    same <(reader t.tar.zst member 'tree/below/file 17') 'tree/below/file 17'
    same <(reader t.tar.zst member tree/empty) tree/empty
done
same <(reader t.tar.zst members | awk '{ sum += $1 } END { print sum }') <(find tree -type f -name 'file*' -printf '%s\n' | awk '{ sum += $1 } END { print sum }')
# Every frame that is not the last ones is of the same file: what was cut or changed is no answer.
head -c 500000 t.tar.zst >cut.zst
reader cut.zst range 0 10 2>said && fail 'a file that was cut was read'
zstd -q t.tar -o other.zst
reader other.zst range 0 10 2>said && fail 'a file without a table was read'
grep -q 'no seek table' said
# From a server.
mkdir web
mv t.tar.zst web
serve web
same <(reader "$url/t.tar.zst" member 'tree/below/file 17') 'tree/below/file 17'
