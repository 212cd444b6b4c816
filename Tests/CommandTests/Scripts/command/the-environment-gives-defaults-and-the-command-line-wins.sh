corpus text 400K >a
"$SLUICE" -9 -c a >nine
ZSTD_CLEVEL=9 works "$SLUICE" -c a >b
same b nine
ZSTD_CLEVEL=1 works "$SLUICE" -9 -c a >b
same b nine
"$SLUICE" -c a >three
ZSTD_CLEVEL=much works "$SLUICE" -c a >b
says 'warning: '
says 'ZSTD_CLEVEL=much'
same b three
# As with zstd, also where another value counts, or none does.
for word in much '' -4294967296; do
    ZSTD_CLEVEL=$word works "$SLUICE" -9 -c a >b
    says "warning: ignoring ZSTD_CLEVEL=$word: not a level"
    same b nine
    ZSTD_CLEVEL=$word works "$SLUICE" -t nine
    says "ZSTD_CLEVEL=$word"
done
ZSTD_CLEVEL=-4294967296 works "$SLUICE" -c a >b
says 'warning: '
same b three
ZSTD_NBTHREADS=+2 works "$SLUICE" -T1 -c a >b
says 'warning: ignoring ZSTD_NBTHREADS=+2: not a number of threads'
ZSTD_NBTHREADS=-1 works "$SLUICE" -c a >b
says 'ZSTD_NBTHREADS=-1'
same b three
ZSTD_NBTHREADS=1 works "$SLUICE" -c a >b
silent
same b three
