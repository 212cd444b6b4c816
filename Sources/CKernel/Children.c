#define _GNU_SOURCE
#include "Children.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int64_t sluice_milliseconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void sluice_adopt_orphans(void) { (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

// The parent of a process; 0 if there is no such process, or no /proc.
static pid_t parent_of(pid_t process) {
    char path[64], text[512];
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, sizeof text - 1);
    (void)close(file);
    text[count > 0 ? count : 0] = '\0';
    // The name in parentheses may hold anything; a blank, a letter and another blank follow.
    const char *name_end = strrchr(text, ')');
    return name_end != NULL && strlen(name_end) > 4 ? (pid_t)strtol(name_end + 4, NULL, 10) : 0;
}

// Whether the process is noted now, and was not before.
static bool note_once(struct sluice_signalled *signalled, pid_t process) {
    for (size_t index = 0; index < signalled->count; index++) {
        if (signalled->processes[index] == process) return false;
    }
    if (signalled->count < sizeof signalled->processes / sizeof *signalled->processes)
        signalled->processes[signalled->count++] = process;
    return true;
}

size_t sluice_signal_children(int number, bool spares_daemons, struct sluice_signalled *signalled) {
    int processes = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (processes < 0) return 0;
    const pid_t self = getpid(), session = getsid(0);
    size_t found = 0;
    // Not `readdir`, which allocates.
    _Alignas(struct dirent64) char entries[4096];
    for (long size; (size = syscall(SYS_getdents64, processes, entries, sizeof entries)) > 0;) {
        for (long place = 0; place < size;) {
            const struct dirent64 *entry = (const void *)(entries + place);
            place += entry->d_reclen;
            pid_t process = (pid_t)strtol(entry->d_name, NULL, 10);
            if (process <= 0 || parent_of(process) != self) continue;
            if (spares_daemons && getsid(process) != session) continue;
            found++;
            // Its number can't belong to another process before this one has waited for it.
            if (number != SIGKILL && !note_once(signalled, process)) continue;
            (void)kill(process, number);
            (void)kill(process, SIGCONT);
        }
    }
    (void)close(processes);
    return found;
}
