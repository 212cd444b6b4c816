#define _GNU_SOURCE
#include "CKernel.h"
#include "Children.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The supervisor: a process between ours and the command. Ours confines itself before it reads anything, and a confined
// process can't signal others (Landlock, version 6). The supervisor is not confined. It obeys nothing but the numbers
// of signals, and it outlives a SIGKILL of ours, so that no command goes on without a reader.
//
// It adopts what the command leaves behind (PR_SET_CHILD_SUBREAPER), and stays until the run has ended: if that fails,
// it ends them, too.

// Whether a signal came from the terminal, which sends it to all processes of a group.
static volatile sig_atomic_t is_from_terminal[NSIG];
// The last signal that ends a process and reached this one, as most do that reach ours.
static volatile sig_atomic_t last_signal;

static void note(int number, siginfo_t *info, void *context) {
    (void)context;
    if (info->si_code == SI_KERNEL) is_from_terminal[number] = 1;
    if (number == SIGINT || number == SIGTERM || number == SIGHUP) last_signal = number;
}

static int64_t microseconds(struct timeval time) { return (int64_t)time.tv_sec * 1000000 + time.tv_usec; }

// Starts the command with the signal mask that our caller had. The handlers of this process go with its program, and
// what our caller has ignored stays ignored.
static int start(char *const *words, const sigset_t *mask, pid_t *command) {
    posix_spawnattr_t attributes;
    int error = posix_spawnattr_init(&attributes);
    if (error != 0) return error;
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    (void)posix_spawnattr_setsigmask(&attributes, mask);
    error = posix_spawnp(command, words[0], NULL, &attributes, words, environ);
    // As execvp does: a script without a first line that names its interpreter is one for the shell.
    if (error == ENOEXEC) {
        size_t count = 0;
        while (words[count] != NULL) count++;
        char **script = malloc((count + 2) * sizeof *script);
        if (script == NULL) return ENOMEM;
        script[0] = (char *)"sh";
        memcpy(script + 1, words, (count + 1) * sizeof *script);
        error = posix_spawn(command, "/bin/sh", NULL, &attributes, script, environ);
        free(script);
    }
    (void)posix_spawnattr_destroy(&attributes);
    return error;
}

static void tell(int control, const struct sluice_command_news *news) {
    (void)send(control, news, sizeof *news, MSG_NOSIGNAL);
}

// What the supervisor knows.
struct watch {
    char *const *words;
    const sigset_t *caller_mask;
    int output, control;
    // The command; 0 before it was started, and after its end.
    pid_t command;
    bool has_ended;
    // Whether the run has ended without success, so that everything has to end.
    bool is_abandoned;
    bool is_killing;
    // When patience ends, in milliseconds; 0 if nothing was asked to end.
    int64_t deadline;
    struct sluice_signalled signalled;
};

// Takes the ends of the command, which it reports, and of what that has left behind.
//
// Returns whether no child is left.
static bool reap(struct watch *watch) {
    for (;;) {
        int status;
        struct rusage usage;
        pid_t process = wait4(-1, &status, WNOHANG, &usage);
        if (process < 0 && errno == EINTR) continue;
        if (process <= 0) return process < 0;
        if (process != watch->command) continue;
        struct sluice_command_news news = {
            .has_ended = true,
            .exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
            .user_microseconds = microseconds(usage.ru_utime),
            .system_microseconds = microseconds(usage.ru_stime),
            .peak_kilobytes = usage.ru_maxrss,
            .own_signal = last_signal,
        };
        watch->command = 0;
        watch->has_ended = true;
        tell(watch->control, &news);
    }
}

// Signals what has to end: the command by itself, or all that it has started.
static void end_what_is_left(struct watch *watch) {
    int64_t now = sluice_milliseconds();
    bool is_late = watch->deadline > 0 && now >= watch->deadline;
    if (is_late && watch->is_killing) _exit(0);
    if (is_late) {
        if (watch->command > 0) (void)kill(watch->command, SIGKILL);
        watch->is_killing = watch->is_abandoned;
        watch->deadline = watch->is_abandoned ? now + SLUICE_LAST_PATIENCE : 0;
    }
    if (!watch->is_abandoned) return;
    // The command has had its signal, and may want to end what it has started by itself.
    if (watch->is_killing) (void)sluice_signal_children(SIGKILL, false, &watch->signalled);
    else if (watch->command == 0) (void)sluice_signal_children(SIGTERM, false, &watch->signalled);
}

// Does what a byte from the process that reads says.
static void obey(struct watch *watch, unsigned char number) {
    if (number == SLUICE_START_COMMAND) {
        struct sluice_command_news news = {.error = start(watch->words, watch->caller_mask, &watch->command)};
        // The command alone has the pipe now, so that it ends with it.
        (void)close(STDOUT_FILENO);
        (void)close(watch->output);
        tell(watch->control, &news);
        if (news.error != 0) _exit(0);
    } else if (watch->command > 0) {
        bool has_it = is_from_terminal[number] && getpgid(watch->command) == getpgrp();
        if (!has_it) (void)kill(watch->command, number);
        // It may be stopped, and would not end before it goes on.
        (void)kill(watch->command, SIGCONT);
        if (watch->deadline == 0) watch->deadline = sluice_milliseconds() + SLUICE_PATIENCE;
    }
}

// Waits until the process that reads says something, a child ends, or patience does.
static void await_news(struct watch *watch, const sigset_t *mask) {
    int64_t rest = watch->deadline > 0 ? watch->deadline - sluice_milliseconds() : 0;
    if (rest < 0) rest = 0;
    struct timespec time = {.tv_sec = rest / 1000, .tv_nsec = rest % 1000 * 1000000};
    struct pollfd entry = {.fd = watch->is_abandoned ? -1 : watch->control, .events = POLLIN};
    if (ppoll(&entry, 1, watch->deadline > 0 ? &time : NULL, mask) <= 0) return;
    unsigned char number = 0;
    ssize_t count = recv(watch->control, &number, 1, 0);
    if (count < 0 && errno == EINTR) return;
    // What the command has left behind may stay.
    if (count > 0 && number == SLUICE_RUN_SUCCEEDED && watch->has_ended) _exit(0);
    if (count > 0 && number != SLUICE_RUN_SUCCEEDED) return obey(watch, number);
    // The run has failed, or the process that reads has ended.
    watch->is_abandoned = true;
    obey(watch, SIGTERM);
    if (watch->deadline == 0) watch->deadline = sluice_milliseconds() + SLUICE_PATIENCE;
}

static _Noreturn void supervise(char *const *words, int output, int control) {
    static const int noted[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGCHLD};
    sigset_t caller, child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    // Only `ppoll` lets it through: a command that ends just before would otherwise not wake it.
    (void)sigprocmask(SIG_BLOCK, &child, &caller);
    sigset_t waiting = caller;
    sigdelset(&waiting, SIGCHLD);
    for (size_t index = 0; index < sizeof noted / sizeof *noted; index++) {
        struct sigaction action;
        bool is_ignored = sigaction(noted[index], NULL, &action) == 0 && action.sa_handler == SIG_IGN;
        if (is_ignored && noted[index] != SIGCHLD) continue;
        action = (struct sigaction){.sa_sigaction = note, .sa_flags = SA_SIGINFO};
        (void)sigaction(noted[index], &action, NULL);
    }
    sluice_adopt_orphans();
    // Standard output is that of the command from here on: a reader of ours must not wait for this process.
    if (dup2(output, STDOUT_FILENO) < 0) _exit(1);

    struct watch watch = {.words = words, .caller_mask = &caller, .output = output, .control = control};
    for (;;) {
        bool is_alone = reap(&watch);
        if (is_alone && watch.is_abandoned) _exit(0);
        end_what_is_left(&watch);
        await_news(&watch, &waiting);
    }
}

int sluice_prepare_command(char *const *words, int *output, int *control, int *supervisor) {
    int ends[2], talk[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return errno;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, talk) != 0) {
        int error = errno;
        (void)close(ends[0]);
        (void)close(ends[1]);
        return error;
    }
    *supervisor = fork();
    int error = errno;
    if (*supervisor == 0) {
        (void)close(ends[0]);
        (void)close(talk[0]);
        supervise(words, ends[1], talk[1]);
    }
    (void)close(ends[1]);
    (void)close(talk[1]);
    if (*supervisor < 0) {
        (void)close(ends[0]);
        (void)close(talk[0]);
        return error;
    }
    *output = ends[0];
    *control = talk[0];
    return 0;
}

int sluice_signal_command(int control, int number) {
    unsigned char byte = (unsigned char)number;
    return send(control, &byte, 1, MSG_NOSIGNAL) == 1 ? 0 : errno;
}

int sluice_command_news(int control, struct sluice_command_news *news) {
    ssize_t count;
    do count = recv(control, news, sizeof *news, 0);
    while (count < 0 && errno == EINTR);
    return count < 0 ? errno : count == (ssize_t)sizeof *news ? 0 : ESRCH;
}

void sluice_dismiss_command(int control, int supervisor, bool has_succeeded, int milliseconds_at_most) {
    unsigned char byte = SLUICE_RUN_SUCCEEDED;
    if (has_succeeded) (void)send(control, &byte, 1, MSG_NOSIGNAL);
    (void)shutdown(control, SHUT_RDWR);
    int64_t deadline = sluice_milliseconds() + milliseconds_at_most;
    const struct timespec pause = {.tv_nsec = 1000000};
    for (;;) {
        pid_t process = waitpid(supervisor, NULL, WNOHANG);
        if (process == supervisor || (process < 0 && errno != EINTR)) return;
        // It may be stopped.
        if (sluice_milliseconds() >= deadline) return;
        (void)nanosleep(&pause, NULL);
    }
}
