#define _GNU_SOURCE
#include "CStart.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

typedef int thread_creator(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static int word_count;
static char **words;
static thread_creator *create_thread;

int sluice_word_count(void) { return word_count; }

const char *sluice_word(int index) { return index >= 0 && index < word_count ? words[index] : NULL; }

static void ignore(int number) { (void)number; }

// A user may ask for progress before anything else has begun; by default, the signal would end the process.
static void answer_progress_requests(void) {
    struct sigaction action = {.sa_handler = ignore, .sa_flags = SA_RESTART};
    (void)sigaction(SIGUSR1, &action, NULL);
}

// The first code of the program to run: the constructors of linked libraries come after it, and take a third of the
// time until `main`.
__attribute__((used, section(".preinit_array"))) static void (*const first)(void) = answer_progress_requests;

static void find_thread_creator(void) {
    void *function = dlsym(RTLD_NEXT, "pthread_create");
    memcpy(&create_thread, &function, sizeof function);
}

__attribute__((constructor)) static void start(int count, char **arguments) {
    word_count = count;
    words = arguments;
    find_thread_creator();
}

// If libdispatch can't get a thread, it retries forever; if it can't wait for events, it traps. Its calls come here
// first, because functions of the program take precedence over those of the C library.

static void end(const char *action, int error) {
    char sentence[160];
    int length = snprintf(sentence, sizeof sentence, "sluice: can't %s: %s\n", action, strerror(error));
    if (length > 0) (void)!write(STDERR_FILENO, sentence, (size_t)length);
    _exit(1);
}

static _Atomic(sluice_shortage_handler) shortage = end;

void sluice_on_shortage(sluice_shortage_handler handler) { shortage = handler; }

static void refuse(const char *action) {
    int error = errno;
    static atomic_flag is_told = ATOMIC_FLAG_INIT;
    // One message is enough: another thread is about to end the process.
    while (atomic_flag_test_and_set(&is_told)) pause();
    shortage(action, error);
    _exit(1);
}

// The engine calls this for its own threads (CKernel): it gets the error, and may hold locks.
int sluice_create_thread_at_once(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context) {
    // Another library's constructor may run before ours.
    if (create_thread == NULL) find_thread_creator();
    return create_thread(thread, attributes, body, context);
}

// How long to wait, for libdispatch, until other threads end and make room, in hundredths of a second.
enum { thread_patience = 200 };

// Called by libdispatch, libzstd, libcurl's resolver and Swift's runtime, and by all else in the process but the
// engine. libdispatch can't do without the thread: after an error it sleeps for a second on the calling thread and
// tries again, forever (_dispatch_root_queue_poke_slow). So this function waits too, but not as long, and then ends the
// process with a message. The waiting thread may hold a lock around a call of libdispatch; without this function it
// would wait longer.
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context) {
    int error = sluice_create_thread_at_once(thread, attributes, body, context);
    for (int tries = 0; error == EAGAIN && tries < thread_patience; tries++) {
        (void)nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
        error = sluice_create_thread_at_once(thread, attributes, body, context);
    }
    errno = error;
    if (error != 0) refuse("start a thread");
    return error;
}

int epoll_create1(int flags) {
    int descriptor = (int)syscall(SYS_epoll_create1, flags);
    if (descriptor < 0) refuse("wait for events");
    return descriptor;
}

int eventfd(unsigned int value, int flags) {
    int descriptor = (int)syscall(SYS_eventfd2, value, flags);
    if (descriptor < 0) refuse("wait for events");
    return descriptor;
}

int timerfd_create(clockid_t clock, int flags) {
    int descriptor = (int)syscall(SYS_timerfd_create, clock, flags);
    if (descriptor < 0) refuse("set a timer");
    return descriptor;
}

int signalfd(int descriptor, const sigset_t *signals, int flags) {
    int result = (int)syscall(SYS_signalfd4, descriptor, signals, _NSIG / 8, flags);
    if (result < 0) refuse("wait for signals");
    return result;
}

// Whether libdispatch handles an error: files and some devices can't be waited for, and a descriptor may already be
// registered, or no longer be. For its own descriptors (events, timers, signals) none of that applies: they are refused
// for another reason, such as a system call filter.
static bool is_answered(int error, int operation, int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status) == 0) {
        bool is_own = (status.st_mode & S_IFMT) == 0;
        if (is_own && operation == EPOLL_CTL_ADD) return false;
        if (error == EPERM) return !is_own && !S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode);
    }
    return error == EEXIST || error == ENOENT || error == EBADF;
}

int epoll_ctl(int epoll, int operation, int descriptor, struct epoll_event *event) {
    int result = (int)syscall(SYS_epoll_ctl, epoll, operation, descriptor, event);
    if (result == 0) return 0;
    int error = errno;
    bool answered = is_answered(error, operation, descriptor);
    errno = error;
    if (!answered) refuse("wait for events");
    return result;
}

// Weak, so that the text of the scripts takes its place.
__attribute__((weak)) const char sluice_parts[] = "swift unknown\n";

const char *sluice_linked_parts(void) { return sluice_parts; }
