# The run waits for the process that supervises the command, so that no zombie is left: a signal may interrupt that, and the
# supervisor may be stopped.
needs gcc
cat >waiting.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

pid_t waitpid(pid_t process, int *status, int options) {
    static pid_t (*wait_for)(pid_t, int *, int);
    static int calls;
    if (!wait_for) *(void **)&wait_for = dlsym(RTLD_NEXT, "waitpid");
    // Of the run's calls only: the supervisor asks for a status.
    if (status == NULL) {
        if (getenv("STOPPED")) return 0;
        if (calls++ < 20) {
            errno = EINTR;
            return -1;
        }
        (void)!write(2, "waited\n", 7);
    }
    return wait_for(process, status, options);
}
END
works gcc -shared -fPIC -o waiting.so waiting.c -ldl
corpus text 1M >a
works env LD_PRELOAD="$PWD/waiting.so" "$SLUICE" -q -o a.zst --from-command -- cat a
says 'waited'
zstd -dcq a.zst | cmp - a >&9
rm a.zst
works env STOPPED=1 LD_PRELOAD="$PWD/waiting.so" timeout 30 "$SLUICE" -q -o a.zst --from-command -- cat a
zstd -dcq a.zst | cmp - a >&9
