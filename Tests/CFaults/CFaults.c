#define _GNU_SOURCE
#include "CFaults.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const uint32_t numbers[] = {
    [FAULTS_OPEN] = SYS_openat,
    [FAULTS_CHMOD] = SYS_fchmod,
    [FAULTS_CHOWN] = SYS_fchown,
    [FAULTS_TIMES] = SYS_utimensat,
    [FAULTS_LINK] = SYS_linkat,
    [FAULTS_RENAME] = SYS_renameat,
    [FAULTS_RENAME_EXCLUSIVELY] = SYS_renameat2,
    [FAULTS_REMOVE] = SYS_unlinkat,
    [FAULTS_SYNC] = SYS_fsync,
    [FAULTS_SYNC_FILE_SYSTEM] = SYS_syncfs,
    [FAULTS_WRITE] = SYS_write,
    [FAULTS_CUT] = SYS_ftruncate,
    [FAULTS_SEEK] = SYS_lseek,
    [FAULTS_DUPLICATE] = SYS_dup,
    [FAULTS_CLOSE] = SYS_close,
    [FAULTS_LOOK] = SYS_newfstatat,
    [FAULTS_LIST_ATTRIBUTES] = SYS_flistxattr,
    [FAULTS_SET_ATTRIBUTE] = SYS_fsetxattr,
    [FAULTS_GET_ATTRIBUTE] = SYS_fgetxattr,
    [FAULTS_REMOVE_ATTRIBUTE] = SYS_fremovexattr,
    [FAULTS_LOCK] = SYS_flock,
};

int faults_refuse(enum faults_call call, int error, int argument, uint32_t mask, uint32_t bits) {
    uint32_t offset = offsetof(struct seccomp_data, args) + (uint32_t)argument * sizeof(uint64_t);
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, numbers[call], 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, bits, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

int faults_become(uint32_t user, uint32_t group) {
    // The C library would do it for all threads.
    if (syscall(SYS_setgroups, 0, NULL) != 0) return -1;
    (void)setfsgid(group);
    (void)setfsuid(user);
    return (uint32_t)setfsgid((gid_t)-1) == group && (uint32_t)setfsuid((uid_t)-1) == user ? 0 : -1;
}
