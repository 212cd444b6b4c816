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
ZSTD_NBTHREADS=-1 works "$SLUICE" -c a >b
says 'ZSTD_NBTHREADS=-1'
same b three
ZSTD_NBTHREADS=1 works "$SLUICE" -c a >b
silent
same b three
