# A library that passes the trials, and later makes tables that no codes make: zlib can't take over from those.
"$SLUICE" -V -v | grep -q '^libisal [0-9.]* (loaded for gzip)$' || skip 'there is no libisal2'
needs gcc
real=$(gcc -print-file-name=libisal.so.2)
[ "$real" != libisal.so.2 ] || skip 'gcc does not find libisal2'
cat >false.c <<'END'
#include "IsalState.h"
#include <dlfcn.h>
#include <string.h>

enum { MOST = 500000, INVALID_BLOCK = -1 };
static void (*init)(struct isal_inflate_state *), (*reset)(struct isal_inflate_state *);
static int (*inflate)(struct isal_inflate_state *);

__attribute__((constructor)) static void load(void) {
    void *library = dlopen(REAL, RTLD_NOW | RTLD_LOCAL);
    *(void **)&init = dlsym(library, "isal_inflate_init");
    *(void **)&reset = dlsym(library, "isal_inflate_reset");
    *(void **)&inflate = dlsym(library, "isal_inflate");
}

void isal_inflate_init(struct isal_inflate_state *state) { init(state); }
void isal_inflate_reset(struct isal_inflate_state *state) { reset(state); }

int isal_inflate(struct isal_inflate_state *state) {
    if (state->total_out > MOST) return state->avail_in > 0 ? INVALID_BLOCK : 0;
    int code = inflate(state);
    if (state->total_out > MOST) memset(&state->lengths, 0x5A, sizeof state->lengths);
    return code;
}
END
# A confined process could not read it, and would load the other one.
mkdir false
works gcc -shared -fPIC -I"$ROOT/Sources/CIsal" -DREAL="\"$real\"" -o false/libisal.so.2 false.c -ldl
# Larger than what is decoded as a whole.
{ corpus text 3M && corpus random 5M; } >a
gzip -k a
corpus text 400K | gzip -c >small.gz
LD_LIBRARY_PATH=$PWD/false "$SLUICE" -V -v | grep -q '^libisal [0-9].*(loaded for gzip)$' || fail 'the library does not pass the trials'
LD_LIBRARY_PATH=$PWD/false works "$SLUICE" --no-sandbox -qt small.gz
for way in file pipe; do
    if [ $way = file ]; then
        LD_LIBRARY_PATH=$PWD/false fails "$SLUICE" --no-sandbox -qdc a.gz >out
    else
        LD_LIBRARY_PATH=$PWD/false fails "$SLUICE" --no-sandbox -qdc <a.gz >out
    fi
    says "libisal refuses it, and zlib can't go on from there"
    if grep -q damaged "$messages"; then fail 'it is called damaged'; fi
    prefix_of out a
    [ "$(size out)" -gt 500000 ] || fail 'what was decoded before is missing'
done
LD_LIBRARY_PATH=$PWD/false fails "$SLUICE" --no-sandbox -qdk -o b a.gz
absent b
# Where the input ends is not a question for zlib.
cut=$(corpus text 700K | gzip -c | wc -c)
head -c "$cut" a.gz >cut.gz
LD_LIBRARY_PATH=$PWD/false fails "$SLUICE" --no-sandbox -qdc cut.gz >out
says 'truncated'
prefix_of out a
