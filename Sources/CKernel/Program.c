#define _GNU_SOURCE
#include "CKernel.h"
#include "Children.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The helper: a process between ours and a program that is run for its output. It is not confined, even if ours is by
// now. It adopts what the program leaves behind, and ends that: all of it if the program has failed or nobody waits any
// more; after a success all but daemons, which have a session of their own, and were meant to stay (gpg-agent).
//
// It may be forked while the process has other threads. So until it ends it calls nothing that allocates or locks.

// How often whoever waits looks whether to go on, in milliseconds.
enum { step = 20 };

// What the helper is asked, and what it answers. The number 0 only gives up the question before.
struct question { uint32_t number; int32_t limit; };
struct answer {
    uint32_t number;
    struct sluice_program_end end;
    unsigned char output[SLUICE_PROGRAM_OUTPUT];
};

// Starts the program without our input, which may be data, and with the signals of a new program.
static int start(char *const *words, int output, pid_t *process) {
    posix_spawnattr_t attributes;
    int error = posix_spawnattr_init(&attributes);
    if (error != 0) return error;
    sigset_t none, usual;
    (void)sigemptyset(&none);
    (void)sigemptyset(&usual);
    (void)sigaddset(&usual, SIGPIPE);
    (void)sigaddset(&usual, SIGCHLD);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    (void)posix_spawnattr_setsigdefault(&attributes, &usual);
    // It inherits the output of this process, which is that pipe for the moment; the input is /dev/null.
    if (dup2(output, STDOUT_FILENO) < 0) error = errno;
    if (error == 0) error = posix_spawnp(process, words[0], NULL, &attributes, words, environ);
    (void)dup2(STDIN_FILENO, STDOUT_FILENO);
    (void)posix_spawnattr_destroy(&attributes);
    return error;
}

// Reads what is there without waiting. Returns whether more may come.
static bool take_output(int output, struct answer *answer) {
    struct sluice_program_end *end = &answer->end;
    while (end->count < sizeof answer->output) {
        ssize_t count = read(output, answer->output + end->count, sizeof answer->output - end->count);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return count < 0 && errno == EAGAIN;
        end->count += (size_t)count;
    }
    end->is_long = true;
    return false;
}

// Whether the process has ended, which is then noted.
static bool has_ended(pid_t process, struct sluice_program_end *end) {
    int status = 0;
    pid_t found = waitpid(process, &status, WNOHANG);
    if (found != process) return found < 0 && errno != EINTR;
    end->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return true;
}

// Whether whoever asked is gone, or has something else to say.
static bool is_given_up(int control) {
    struct pollfd entry = {.fd = control, .events = POLLIN};
    return poll(&entry, 1, 0) > 0;
}

// Runs the program. Returns its process if it has not ended by itself, 0 otherwise.
static pid_t run(char *const *words, int limit, int control, struct answer *answer) {
    struct sluice_program_end *end = &answer->end;
    *end = (struct sluice_program_end){0};
    int ends[2];
    pid_t process = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        end->error = errno;
        return 0;
    }
    end->error = start(words, ends[1], &process);
    (void)close(ends[1]);
    if (end->error != 0) {
        (void)close(ends[0]);
        return 0;
    }
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
    int64_t deadline = sluice_milliseconds() + limit;
    bool is_open = true, is_over = false;
    while (!is_over) {
        // It may end while something that it has started keeps the pipe: what it wrote before has come then.
        is_over = has_ended(process, end);
        if (is_open) is_open = take_output(ends[0], answer);
        if (is_over || end->is_long) break;
        int64_t left = deadline - sluice_milliseconds();
        end->is_late = left <= 0;
        end->is_cancelled = is_given_up(control);
        if (end->is_late || end->is_cancelled) break;
        struct pollfd entry = {.fd = is_open ? ends[0] : -1, .events = POLLIN};
        (void)poll(&entry, 1, left < step ? (int)left : is_open ? step : 1);
    }
    (void)close(ends[0]);
    return is_over ? 0 : process;
}

// Ends the program, if that runs, and what it has left behind.
static void end_children(pid_t program, bool spares_daemons) {
    static struct sluice_signalled signalled;
    signalled.count = 0;
    const int64_t start = sluice_milliseconds();
    const struct timespec pause = {.tv_nsec = 5000000};
    for (bool is_first = true;; is_first = false) {
        pid_t ended;
        while ((ended = waitpid(-1, NULL, WNOHANG)) > 0 || (ended < 0 && errno == EINTR)) {
            if (ended == program) program = 0;
        }
        int64_t passed = sluice_milliseconds() - start;
        if (ended < 0 || passed >= SLUICE_PATIENCE + SLUICE_LAST_PATIENCE) return;
        int number = passed < SLUICE_PATIENCE ? SIGTERM : SIGKILL;
        size_t found = sluice_signal_children(number, spares_daemons, &signalled);
        // Where there is no /proc, or the program has made itself a daemon.
        if (program > 0 && (is_first || number == SIGKILL)) (void)kill(program, number);
        if (found == 0 && program == 0) return;
        (void)nanosleep(&pause, NULL);
    }
}

static void close_from(unsigned first, unsigned last) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, last, 0) == 0) return;
#endif
    for (unsigned number = first; number <= last && number < 4096; number++) (void)close((int)number);
}

// Leaves nothing open but the socket and standard error: a pipe of the process must not wait for this one.
//
// Returns the socket.
static int keep_only(int control) {
    control = fcntl(control, F_DUPFD_CLOEXEC, 3);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (control < 0 || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(nothing, STDOUT_FILENO) < 0) _exit(1);
    if (control > 3) close_from(3, (unsigned)control - 1);
    close_from((unsigned)control + 1, ~0u);
    return control;
}

// The last signal that ends a process and reached this one, as most do that reach ours; 0 while the program has none.
static volatile sig_atomic_t last_signal;

static void outlive(int number) {
    if (number == SIGINT || number == SIGTERM || number == SIGHUP) last_signal = number;
}

// No handler of the process runs here. Signals that reach a whole group do not end this process before its children:
// the socket tells when the process has ended.
static void reset_signals(void) {
    static const int survived[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2};
    for (int number = 1; number < NSIG; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_IGN) continue;
        action = (struct sigaction){.sa_handler = SIG_DFL};
        (void)sigaction(number, &action, NULL);
    }
    for (size_t index = 0; index < sizeof survived / sizeof *survived; index++) {
        struct sigaction action;
        if (sigaction(survived[index], NULL, &action) != 0 || action.sa_handler == SIG_IGN) continue;
        action = (struct sigaction){.sa_handler = outlive};
        (void)sigaction(survived[index], &action, NULL);
    }
    (void)signal(SIGCHLD, SIG_DFL);
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void serve(char *const *words, int control) {
    static struct answer answer;
    control = keep_only(control);
    reset_signals();
    sluice_adopt_orphans();
    for (;;) {
        struct question question;
        ssize_t count = recv(control, &question, sizeof question, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count != (ssize_t)sizeof question) _exit(0);
        if (question.number == 0) continue;
        answer.number = question.number;
        last_signal = 0;
        pid_t program = run(words, question.limit, control, &answer);
        answer.end.own_signal = last_signal;
        struct sluice_program_end end = answer.end;
        (void)send(control, &answer, offsetof(struct answer, output) + end.count, MSG_NOSIGNAL);
        explicit_bzero(answer.output, sizeof answer.output);
        // Nobody has to wait for that.
        end_children(program, program == 0 && !end.is_long && end.exit_status == 0 && end.signal == 0);
    }
}

int sluice_prepare_program(char *const *words, int *control, int *helper) {
    int talk[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, talk) != 0) return errno;
    // No handler of ours runs in the helper.
    sigset_t all, caller;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &caller);
    *helper = fork();
    int error = errno;
    if (*helper == 0) serve(words, talk[1]);
    (void)pthread_sigmask(SIG_SETMASK, &caller, NULL);
    (void)close(talk[1]);
    if (*helper < 0) {
        (void)close(talk[0]);
        return error;
    }
    *control = talk[0];
    return 0;
}

void sluice_ask_program(
    int control, uint32_t number, unsigned char *memory, size_t capacity, int limit, bool (*is_cancelled)(void *),
    void *context, struct sluice_program_end *end) {
    *end = (struct sluice_program_end){0};
    const struct question question = {.number = number, .limit = limit}, nothing = {0};
    if (send(control, &question, sizeof question, MSG_NOSIGNAL) != (ssize_t)sizeof question) {
        end->error = errno;
        return;
    }
    // The helper ends the program by itself when that is late, and before this one what an earlier one has left.
    int64_t deadline = sluice_milliseconds() + limit + SLUICE_PATIENCE + SLUICE_LAST_PATIENCE + 2000;
    struct answer answer;
    for (;;) {
        struct pollfd entry = {.fd = control, .events = POLLIN};
        end->is_late = sluice_milliseconds() >= deadline;
        end->is_cancelled = is_cancelled != NULL && is_cancelled(context);
        if (end->is_late || end->is_cancelled) {
            (void)send(control, &nothing, sizeof nothing, MSG_NOSIGNAL);
            return;
        }
        if (poll(&entry, 1, step) <= 0) continue;
        ssize_t count = recv(control, &answer, sizeof answer, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count < (ssize_t)offsetof(struct answer, output)) {
            end->error = ECHILD;
            return;
        }
        // An earlier question may have been given up.
        if (answer.number != number) continue;
        *end = answer.end;
        if (end->count > capacity) end->count = capacity;
        memcpy(memory, answer.output, end->count);
        explicit_bzero(&answer, sizeof answer);
        // A signal may reach the group of processes, and so the program, a moment before this process acts on it.
        bool has_failed = end->exit_status != 0 || end->signal != 0;
        deadline = sluice_milliseconds() + SLUICE_SIGNAL_WAIT;
        while (has_failed && end->own_signal != 0 && !end->is_cancelled && sluice_milliseconds() < deadline) {
            (void)poll(NULL, 0, step);
            end->is_cancelled = is_cancelled != NULL && is_cancelled(context);
        }
        return;
    }
}

void sluice_dismiss_program(int control, int helper) {
    (void)close(control);
    int64_t deadline = sluice_milliseconds() + SLUICE_PATIENCE + SLUICE_LAST_PATIENCE + 500;
    const struct timespec pause = {.tv_nsec = 1000000};
    while (sluice_milliseconds() < deadline) {
        pid_t process = waitpid(helper, NULL, WNOHANG);
        if (process == helper || (process < 0 && errno != EINTR)) return;
        (void)nanosleep(&pause, NULL);
    }
}
