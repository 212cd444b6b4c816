#define _GNU_SOURCE
#include "CKernel.h"

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

// How long the command may take to end after it was asked to, in milliseconds.
enum { patience = 2000 };

// Whether a signal came from the terminal, which sends it to all processes of a group.
static volatile sig_atomic_t is_from_terminal[NSIG];
// The last signal that ends a process and reached this one, as most do that reach ours.
static volatile sig_atomic_t last_signal;

static void note(int number, siginfo_t *info, void *context) {
    (void)context;
    if (info->si_code == SI_KERNEL) is_from_terminal[number] = 1;
    if (number == SIGINT || number == SIGTERM || number == SIGHUP) last_signal = number;
}

static int64_t milliseconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
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
    // Standard output is that of the command from here on: a reader of ours must not wait for this process.
    if (dup2(output, STDOUT_FILENO) < 0) _exit(1);

    pid_t command = 0;
    int64_t deadline = 0;
    bool is_watched = true;
    for (;;) {
        int status;
        struct rusage usage;
        if (command > 0 && wait4(command, &status, WNOHANG, &usage) == command) {
            struct sluice_command_news news = {
                .has_ended = true,
                .exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                .user_microseconds = microseconds(usage.ru_utime),
                .system_microseconds = microseconds(usage.ru_stime),
                .peak_kilobytes = usage.ru_maxrss,
                .own_signal = last_signal,
            };
            tell(control, &news);
            _exit(0);
        }
        int64_t rest = deadline > 0 ? deadline - milliseconds() : 0;
        if (deadline > 0 && rest <= 0) {
            (void)kill(command, SIGKILL);
            deadline = 0;
        }
        struct timespec time = {.tv_sec = rest / 1000, .tv_nsec = rest % 1000 * 1000000};
        struct pollfd entry = {.fd = is_watched ? control : -1, .events = POLLIN};
        if (ppoll(&entry, 1, deadline > 0 ? &time : NULL, &waiting) <= 0) continue;
        unsigned char number = 0;
        ssize_t count = recv(control, &number, 1, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            // The process that reads has ended.
            if (command == 0) _exit(0);
            is_watched = false;
            number = SIGTERM;
        }
        if (number == 0) {
            struct sluice_command_news news = {.error = start(words, &caller, &command)};
            // The command alone has the pipe now, so that it ends with it.
            (void)close(STDOUT_FILENO);
            (void)close(output);
            tell(control, &news);
            if (news.error != 0) _exit(0);
        } else if (command > 0) {
            bool has_it = is_from_terminal[number] && getpgid(command) == getpgrp();
            if (!has_it) (void)kill(command, number);
            // It may be stopped, and would not end before it goes on.
            (void)kill(command, SIGCONT);
            if (deadline == 0) deadline = milliseconds() + patience;
        }
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
