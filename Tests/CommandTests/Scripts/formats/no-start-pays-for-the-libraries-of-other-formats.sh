# They are linked in (docs/decisions/foreign-formats.md): the loader does not know them.
# A script of its own, which the prelude would stop.
needs strace
env -u BASH_ENV ldd "$SLUICE" >libraries
grep -q libzstd libraries
if grep -E 'libxxhash|libz\.|liblzma|liblz4' libraries; then fail "shared libraries that most runs do not need"; fi
corpus text 10K | gzip -c >a.gz
works strace -f -qq -o trace -e trace=openat "$SLUICE" -qt a.gz
if grep -E 'libxxhash|libz\.|liblzma|liblz4' trace; then fail "a library was opened"; fi
