#define _GNU_SOURCE
#include "CStart.h"

#include <CKernel.h>

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <threads.h>
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

static int create_at_once(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context) {
    // Another library's constructor may run before ours.
    if (create_thread == NULL) find_thread_creator();
    return create_thread(thread, attributes, body, context);
}

// How long to wait until other threads end and make room, in hundredths of a second: libdispatch's own, which end after
// five seconds without work, and those that are asked to end (SpareThreads), which may have a frame to make before.
enum { patience = 700, patience_with_spare_threads = 6000 };

// - can_do_without: asked after each failure; NULL if the thread is needed in any case.
static int create_with_patience(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context,
    bool (*can_do_without)(void)) {
    int error = create_at_once(thread, attributes, body, context);
    if (error != EAGAIN) return error;
    bool has_spare = true;
    for (int tries = 0; error == EAGAIN && tries < (has_spare ? patience_with_spare_threads : patience); tries++) {
        if (can_do_without != NULL && can_do_without()) return 0;
        has_spare = sluice_want_thread();
        (void)nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
        error = create_at_once(thread, attributes, body, context);
    }
    // Others that wait ask again.
    sluice_stop_wanting_thread();
    return error;
}

// The engine calls this for its own threads (CKernel): it gets the error, and may hold locks.
int sluice_create_own_thread(pthread_t *thread, bool waits, void *(*body)(void *), void *context) {
    return waits ? create_with_patience(thread, NULL, body, context, NULL) : create_at_once(thread, NULL, body, context);
}

// libdispatch's threads for serial queues take what there is to do from one list, as soon as they have nothing else to
// do. It wants another one whenever none is idle, but can do without where it has a few: only a write to a pipe or a
// terminal keeps one for long. Such a thread is owed: one that would end goes on in its place, before there are too
// few. (No thread is owed to the global queues of other kinds: libdispatch asks for none before the last one has come.)
extern void *dispatch_get_global_queue(intptr_t priority, uintptr_t flags) __attribute__((weak));
enum { enough_pool_threads = 4, overcommit = 2 };
static void *(*_Atomic pool_body)(void *);
static atomic_int pool_threads, owed_threads;

static bool is_pool(const void *context) {
    return context != NULL && dispatch_get_global_queue != NULL && context == dispatch_get_global_queue(0, overcommit);
}

static bool take_owed_thread(void) {
    int owed = owed_threads;
    while (owed > 0 && !atomic_compare_exchange_weak(&owed_threads, &owed, owed - 1)) {}
    return owed > 0;
}

static thread_local bool is_pooled_thread;

static bool are_others_in_need(void) { return sluice_is_thread_wanted() && pool_threads > enough_pool_threads; }

// libdispatch keeps a thread for five seconds after its last work, which a bar or a timer gives each of them now and
// then. Where somebody else needs a thread, it has waited long enough.
int sem_timedwait(sem_t *semaphore, const struct timespec *deadline) {
    static int (*_Atomic wait)(sem_t *, const struct timespec *);
    if (wait == NULL) {
        void *function = dlsym(RTLD_NEXT, "sem_timedwait");
        int (*found)(sem_t *, const struct timespec *);
        memcpy(&found, &function, sizeof found);
        wait = found;
    }
    struct timespec now;
    bool is_idle = is_pooled_thread && clock_gettime(CLOCK_REALTIME, &now) == 0 && deadline->tv_sec - now.tv_sec >= 4;
    if (!is_idle || !are_others_in_need()) return wait(semaphore, deadline);
    errno = ETIMEDOUT;
    return -1;
}

static void *run_pooled(void *queue) {
    void *result;
    is_pooled_thread = true;
    do {
        pool_threads++;
        do result = pool_body(queue);
        while (pool_threads <= enough_pool_threads && take_owed_thread());
        pool_threads--;
        // Another one may be owed because this one was still counted.
    } while (pool_threads < enough_pool_threads && take_owed_thread());
    return result;
}

// Whether libdispatch can do without a thread that it does not get.
static bool owe_thread(void) {
    owed_threads++;
    // If it is no longer owed, it has come.
    return pool_threads >= enough_pool_threads || !take_owed_thread();
}

// Called by libdispatch, libzstd, libcurl's resolver and Swift's runtime, and by all else in the process but the
// engine. libdispatch can't do without the thread: after an error it sleeps for a second on the calling thread and
// tries again, forever (_dispatch_root_queue_poke_slow). So this function waits too, but not as long, and then ends the
// process with a message. The waiting thread may hold a lock around a call of libdispatch; without this function it
// would wait longer.
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context) {
    bool is_pooled = is_pool(context);
    if (is_pooled) pool_body = body;
    // libdispatch does not look at such a thread again, which is detached: it may be owed.
    int error = is_pooled ? create_with_patience(thread, attributes, run_pooled, context, owe_thread)
                          : create_with_patience(thread, attributes, body, context, NULL);
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
