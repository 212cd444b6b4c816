// What a command of ours has started and left behind: a process that adopts it finds and ends it. Of both that start
// commands, for the input of a run (InputCommand.c) and for a short output (Program.c).
#ifndef CHILDREN_H
#define CHILDREN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    // How long what was asked to end may take for that, in milliseconds.
    SLUICE_PATIENCE = 2000,
    // How long to wait for processes that were killed, which the kernel may not let go, in milliseconds.
    SLUICE_LAST_PATIENCE = 1000,
};

int64_t sluice_milliseconds(void);

// From now on, what a child leaves behind becomes a child of this process.
void sluice_adopt_orphans(void);

// The processes that have had their signal. Those for which there is no room may get it again.
struct sluice_signalled {
    pid_t processes[1024];
    size_t count;
};

// Sends a signal to all children, once to each unless it is SIGKILL. It allocates nothing, so that it works after a
// fork in a process with other threads. Without /proc it finds none.
//
// - spares_daemons: whether those are passed over that have a session of their own.
//
// Returns how many there are, without those.
size_t sluice_signal_children(int number, bool spares_daemons, struct sluice_signalled *signalled);

#endif
