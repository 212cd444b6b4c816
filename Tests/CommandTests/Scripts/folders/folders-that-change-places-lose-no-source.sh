# Whoever lets two folders change their names, and change them back, makes paths lead elsewhere: what has the name is
# looked at in the folder where it is given.
mkdir -p t/u t/w
echo 'content of u/f' >t/u/f
echo 'content of w/a' >t/w/a
echo 'content of w/f' >t/w/f
cat >exchange.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
static void exchange(void) { renameat2(AT_FDCWD, "t/u", AT_FDCWD, "t/w", RENAME_EXCHANGE); }
int openat(int folder, const char *path, int flags, ...) {
    static int done;
    va_list rest;
    va_start(rest, flags);
    int mode = va_arg(rest, int);
    va_end(rest);
    if (!strcmp(path, "a") && !done++) exchange();
    return ((int (*)(int, const char *, int, int))dlsym(RTLD_NEXT, "openat"))(folder, path, flags, mode);
}
int syncfs(int descriptor) {
    static int done;
    if (!done++) exchange();
    return ((int (*)(int))dlsym(RTLD_NEXT, "syncfs"))(descriptor);
}
C
cc -shared -fPIC -o exchange.so exchange.c -ldl
code=0
LD_PRELOAD=$PWD/exchange.so timeout 60 "$SLUICE" -T1 -q -r -f --rm --no-sandbox t 2>said || code=$?
for content in u/f w/a w/f; do
    found=$(find t -type f -exec zstd -qdcf {} \; | grep -cx "content of $content" || true)
    [ "$found" -ge 1 ] || fail "the content of $content is lost, exit code $code: $(cat said)"
done
