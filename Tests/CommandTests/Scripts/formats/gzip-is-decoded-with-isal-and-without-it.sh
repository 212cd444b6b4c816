# ISA-L is loaded when a member of gzip comes, and only then; where it is missing or broken, zlib decodes the same.
"$SLUICE" -V -v | grep -q '^libisal [0-9.]* (loaded for gzip)$' || skip 'there is no libisal2'
corpus text 3M >a
corpus random 200K >>a
gzip -k a
gzip -nc a a >several.gz
{ head -c 500000 a.gz && corpus random 1000 && tail -c +501001 a.gz; } >damaged.gz
head -c 700000 a.gz >cut.gz
# A member of which a bit of the checksum is another.
{ head -c -8 a.gz && printf '\1' && tail -c 7 a.gz; } >sum.gz
mkdir none
: >none/libisal.so.2
for file in a several damaged cut sum; do
    for way in file pipe; do
        for library in isal zlib; do
            path=
            [ $library = isal ] || path=$PWD/none
            # A confined process could not read the broken one, and would load the next.
            set -- "$SLUICE" --no-sandbox -qdc
            code=0
            if [ $way = file ]; then
                LD_LIBRARY_PATH=$path "$@" $file.gz >$library 2>$library.error || code=$?
            else
                LD_LIBRARY_PATH=$path "$@" <$file.gz >$library 2>$library.error || code=$?
            fi
            echo "code $code" >>$library.error
        done
        same isal zlib
        same isal.error zlib.error
    done
done
LD_LIBRARY_PATH=$PWD/none "$SLUICE" -V -v | grep -q '^libisal not found (loaded for gzip)$' || fail 'a broken library is used'
needs strace
works zstd -q a
works strace -f -qq -o trace -e trace=openat "$SLUICE" -qt a.gz
grep -q 'libisal.so.2.*= [0-9]' trace || fail 'it was not loaded'
# From a pipe, nobody knows before.
for way in name pipe; do
    if [ $way = name ]; then
        works strace -f -qq -o trace -e trace=openat "$SLUICE" -qt a.zst
    else
        works strace -f -qq -o trace -e trace=openat "$SLUICE" -qt <a.zst
    fi
    if grep 'libisal' trace | grep -v O_PATH >&9; then fail 'a file of Zstandard pays for it'; fi
done
