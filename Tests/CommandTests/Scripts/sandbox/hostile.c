// A decoder that a hostile file has taken over: loaded before libzstd (LD_PRELOAD), it tries what it should not, says
// on standard error what came of it, and decodes as if nothing had happened. $OUTSIDE is a folder that the run must not
// touch, $BESIDE the one of its output, if there is one; at $PORT and $ABSTRACT somebody listens.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static void tell(const char *what, int failed) {
    fprintf(stderr, "hostile: %s: %s\n", what, failed ? strerrorname_np(errno) : "done");
}

static const char *in(const char *folder, const char *name) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void opens(const char *what, const char *path, int flags) {
    int file = open(path, flags | O_CLOEXEC, 0600);
    tell(what, file < 0);
    if (file >= 0) close(file);
}

static int execute(const char *program) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        execl(program, program, (char *)NULL);
        _exit(errno);
    }
    waitpid(child, &status, 0);
    errno = WEXITSTATUS(status);
    return errno;
}

static int connect_to(int family, const void *address, socklen_t length) {
    int end = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int failed = connect(end, address, length), saved = errno;
    close(end);
    errno = saved;
    return failed;
}

static void attack(void) {
    const char *outside = getenv("OUTSIDE"), *beside = getenv("BESIDE");
    fprintf(stderr, "hostile: Landlock %ld\n", syscall(444 /* landlock_create_ruleset */, NULL, 0, 1 /* its version */));
    char secret[4096];
    // `in` has room for one path.
    snprintf(secret, sizeof secret, "%s/secret", outside);
    opens("read", secret, O_RDONLY);
    opens("write", secret, O_WRONLY);
    opens("list", outside, O_RDONLY | O_DIRECTORY);
    opens("make", in(outside, "made"), O_WRONLY | O_CREAT);
    opens("make without a name", outside, O_WRONLY | O_TMPFILE);
    char parent[64];
    snprintf(parent, sizeof parent, "/proc/%d/environ", (int)getppid());
    opens("read the parent's environment", parent, O_RDONLY);
    tell("truncate", truncate(secret, 1));
    tell("link", symlink("secret", in(outside, "linked")));
    tell("make a folder", mkdir(in(outside, "folder"), 0700));
    tell("rename", rename(secret, in(outside, "renamed")));
    tell("remove", unlink(in(outside, "victim")));
    tell("execute", execute("/bin/true"));
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(getenv("PORT")))};
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    tell("connect", connect_to(AF_INET, &server, sizeof server));
    struct sockaddr_un abstract = {.sun_family = AF_UNIX};
    size_t length = (size_t)snprintf(abstract.sun_path + 1, sizeof abstract.sun_path - 1, "%s", getenv("ABSTRACT"));
    tell("connect to an abstract socket",
         connect_to(AF_UNIX, &abstract, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length)));
    tell("signal", kill(getppid(), 0));
    if (beside == NULL) return;
    opens("make beside", in(beside, "made"), O_WRONLY | O_CREAT);
    snprintf(secret, sizeof secret, "%s/made", beside);
    tell("link out", link(secret, in(outside, "linked out")));
    tell("remove beside", unlink(in(beside, "made")));
}

static void *real(const char *name) {
    static int was_here;
    if (!__atomic_exchange_n(&was_here, 1, __ATOMIC_SEQ_CST)) attack();
    return dlsym(RTLD_NEXT, name);
}

size_t ZSTD_decompressDCtx(void *context, void *to, size_t room, const void *from, size_t count) {
    size_t (*decompress)(void *, void *, size_t, const void *, size_t) = real("ZSTD_decompressDCtx");
    return decompress(context, to, room, from, count);
}

size_t ZSTD_decompressStream(void *context, void *to, void *from) {
    size_t (*decompress)(void *, void *, void *) = real("ZSTD_decompressStream");
    return decompress(context, to, from);
}
