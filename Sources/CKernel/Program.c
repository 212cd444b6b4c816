#define _GNU_SOURCE
#include "CKernel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// How often whoever waits looks whether to go on, in milliseconds.
enum { step = 20 };

static int64_t milliseconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Starts the program without our input, which may be data, and with the signals of a new program.
static int start(char *const *words, int output, pid_t *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error != 0) {
        (void)posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    sigset_t none, usual;
    (void)sigemptyset(&none);
    (void)sigemptyset(&usual);
    (void)sigaddset(&usual, SIGPIPE);
    (void)sigaddset(&usual, SIGCHLD);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    (void)posix_spawnattr_setsigdefault(&attributes, &usual);
    error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (error == 0) error = posix_spawnp(process, words[0], &actions, &attributes, words, environ);
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

// Reads what is there without waiting. Returns whether more may come.
static bool take_output(int output, unsigned char *memory, size_t capacity, struct sluice_program_end *end) {
    while (end->count < capacity) {
        ssize_t count = read(output, memory + end->count, capacity - end->count);
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
    // Someone else may have waited for it, as where SIGCHLD is ignored: then nothing is known about its end.
    if (found < 0 && errno != EINTR) end->exit_status = -1;
    if (found == process) {
        end->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    }
    return found == process || (found < 0 && errno != EINTR);
}

static bool is_gone(int control) {
    struct pollfd entry = {.fd = control, .events = 0};
    return control >= 0 && poll(&entry, 1, 0) > 0;
}

void sluice_run_program(
    char *const *words, unsigned char *memory, size_t capacity, int limit, int control,
    bool (*is_cancelled)(void *), void *context, struct sluice_program_end *end) {
    *end = (struct sluice_program_end){0};
    int ends[2];
    pid_t process = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        end->error = errno;
        return;
    }
    end->error = start(words, ends[1], &process);
    (void)close(ends[1]);
    if (end->error != 0) {
        (void)close(ends[0]);
        return;
    }
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
    int64_t deadline = milliseconds() + limit;
    bool is_open = true, is_over = false;
    while (!is_over) {
        // It may end while something that it has started keeps the pipe: what it wrote before has come then.
        is_over = has_ended(process, end);
        if (is_open) is_open = take_output(ends[0], memory, capacity, end);
        if (is_over || end->is_long) break;
        int64_t left = deadline - milliseconds();
        end->is_late = left <= 0;
        end->is_cancelled = is_gone(control) || (is_cancelled != NULL && is_cancelled(context));
        if (end->is_late || end->is_cancelled) break;
        struct pollfd entry = {.fd = is_open ? ends[0] : -1, .events = POLLIN};
        (void)poll(&entry, 1, left < step ? (int)left : is_open ? step : 1);
    }
    (void)close(ends[0]);
    if (is_over) return;
    (void)kill(process, SIGKILL);
    struct sluice_program_end last;
    const struct timespec pause = {.tv_nsec = 1000000};
    for (int tries = 0; tries < 1000 && !has_ended(process, &last); tries++) (void)nanosleep(&pause, NULL);
}

// What the helper is asked, and what it answers.
struct question { uint32_t number; int32_t limit; };
struct answer {
    uint32_t number;
    struct sluice_program_end end;
    unsigned char output[SLUICE_PROGRAM_OUTPUT];
};

static _Noreturn void serve(char *const *words, int control) {
    // Whoever reads our output must not wait for this process.
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(nothing, STDOUT_FILENO) < 0) _exit(1);
    (void)signal(SIGCHLD, SIG_DFL);
    static struct answer answer;
    for (;;) {
        struct question question;
        ssize_t count = recv(control, &question, sizeof question, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count != (ssize_t)sizeof question) _exit(0);
        answer.number = question.number;
        sluice_run_program(
            words, answer.output, sizeof answer.output, question.limit, control, NULL, NULL, &answer.end);
        (void)send(control, &answer, offsetof(struct answer, output) + answer.end.count, MSG_NOSIGNAL);
        memset(answer.output, 0, sizeof answer.output);
    }
}

int sluice_prepare_program(char *const *words, int *control, int *helper) {
    int talk[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, talk) != 0) return errno;
    *helper = fork();
    int error = errno;
    if (*helper == 0) {
        (void)close(talk[0]);
        serve(words, talk[1]);
    }
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
    const struct question question = {.number = number, .limit = limit};
    if (send(control, &question, sizeof question, MSG_NOSIGNAL) != (ssize_t)sizeof question) {
        end->error = errno;
        return;
    }
    // The helper ends the program by itself when that is late.
    int64_t deadline = milliseconds() + limit + 2000;
    struct answer answer;
    for (;;) {
        struct pollfd entry = {.fd = control, .events = POLLIN};
        end->is_late = milliseconds() >= deadline;
        end->is_cancelled = is_cancelled != NULL && is_cancelled(context);
        if (end->is_late || end->is_cancelled) return;
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
        return;
    }
}

void sluice_dismiss_program(int control, int helper) {
    (void)close(control);
    const struct timespec pause = {.tv_nsec = 1000000};
    for (int tries = 0; tries < 1500; tries++) {
        pid_t process = waitpid(helper, NULL, WNOHANG);
        if (process == helper || (process < 0 && errno != EINTR)) return;
        (void)nanosleep(&pause, NULL);
    }
}
