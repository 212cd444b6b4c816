// Lets the kernel refuse system calls of one thread, as file systems and sandboxes do.
#ifndef SLUICE_CFAULTS_H
#define SLUICE_CFAULTS_H

#include <stdint.h>
// For descriptors of every kind, and to set attributes, which Swift's Glibc module does not show.
#include <sys/epoll.h>
#include <sys/xattr.h>

/// A system call of the kernel, as far as an output makes it; the values are those of this list.
enum faults_call {
    FAULTS_OPEN,
    FAULTS_CHMOD,
    FAULTS_CHOWN,
    FAULTS_TIMES,
    FAULTS_LINK,
    FAULTS_RENAME,
    FAULTS_RENAME_EXCLUSIVELY,
    FAULTS_REMOVE,
    FAULTS_SYNC,
    FAULTS_SYNC_FILE_SYSTEM,
    FAULTS_WRITE,
    FAULTS_CUT,
    FAULTS_SEEK,
    FAULTS_DUPLICATE,
    FAULTS_CLOSE,
    FAULTS_LOOK,
    FAULTS_LIST_ATTRIBUTES,
    FAULTS_SET_ATTRIBUTE,
    FAULTS_GET_ATTRIBUTE,
    FAULTS_REMOVE_ATTRIBUTE,
    FAULTS_LOCK,
};

/// Refuses a call on this thread from now on (seccomp), if one of its arguments has these bits under the mask; one of 0
/// stands for every call. Fails with -1 where that is not allowed.
int faults_refuse(enum faults_call call, int error, int argument, uint32_t mask, uint32_t bits);

/// Lets this thread access files as a user of one group only, from now on or until root is asked for again. Fails with
/// -1 where that is not allowed.
int faults_become(uint32_t user, uint32_t group);

#endif
