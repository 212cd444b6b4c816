# Nor does a failure of the C library under it send a request elsewhere.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
needs gcc
# FAILS is the name of the function, and AT which of its calls by the program fails.
cat >failing.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_due(const char *name) {
    static atomic_int calls;
    const char *failing = getenv("FAILS"), *at = getenv("AT");
    return failing && at && strcmp(failing, name) == 0 && atomic_fetch_add(&calls, 1) + 1 == atoi(at);
}

static int (*add)(void *, void *);
static int failing_add(void *multi, void *easy) {
    enum { OUT_OF_MEMORY = 3 };
    return is_due("curl_multi_add_handle") ? OUT_OF_MEMORY : add(multi, easy);
}

void *dlsym(void *library, const char *name) {
    static void *(*find)(void *, const char *);
    if (!find) *(void **)&find = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
    void *found = find(library, name);
    if (!found || strcmp(name, "curl_multi_add_handle") != 0) return found;
    *(void **)&add = found;
    return (void *)failing_add;
}

// libcurl has its own use for it.
char *strdup(const char *text) {
    static char *(*copy)(const char *);
    if (!copy) *(void **)&copy = dlvsym(RTLD_NEXT, "strdup", "GLIBC_2.2.5");
    Dl_info caller;
    bool is_of_library = dladdr(__builtin_return_address(0), &caller) && strstr(caller.dli_fname, ".so");
    return !is_of_library && strncmp(text, "http", 4) == 0 && is_due("strdup") ? NULL : copy(text);
}
END
[ "$(uname -m)" = x86_64 ] || skip 'the versions of the symbols are those of another machine'
works gcc -shared -fPIC -o failing.so failing.c -ldl
mkdir web
corpus random 3M >plain
works "$SLUICE" -q -B128K plain -o web/a.zst
serve web
preloading() { env LD_PRELOAD="$PWD/failing.so" "$@"; }
# Each request of a run. None is there to fail behind the last.
count=0
while count=$((count + 1)); do
    [ $count -le 30 ] || fail "$count requests"
    if preloading FAILS=curl_multi_add_handle AT=$count "$SLUICE" -T1 -dqk "$url/a.zst" 2>"$messages"; then break; fi
    says 'emory'
    absent a
    no_leftovers
done
same a plain
[ $count -gt 2 ] || fail "only $count requests"
rm a
asking "redirect=$url/a.zst" a.zst
works preloading "$SLUICE" -dqk -o a "$asked"
same a plain
rm a
asking "redirect=$url/a.zst" a.zst
requests web >/dev/null
fails preloading FAILS=strdup AT=1 "$SLUICE" -dqk -o a "$asked"
asked=$(requests web)
[ "${asked%% *}" = 1 ] || fail "there were other requests: $asked"
absent a
no_leftovers
