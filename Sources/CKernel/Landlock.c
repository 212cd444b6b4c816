#define _GNU_SOURCE
#include "CKernel.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/capability.h>
#include <linux/magic.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

// The kernel's interface never changes; Debian's linux/landlock.h has the first half of it.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

enum {
    EXECUTE = 1 << 0, WRITE_FILE = 1 << 1, READ_FILE = 1 << 2, READ_DIR = 1 << 3, REMOVE_FILE = 1 << 5,
    MAKE_DIR = 1 << 7, MAKE_REG = 1 << 8, MAKE_SYM = 1 << 12, TRUNCATE = 1 << 14, IOCTL_DEV = 1 << 15,
    // The other rights may only occur in rules about folders.
    OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV,
};

// All rights that a version can deny: REFER (renaming into another folder) came with 2, TRUNCATE with 3, IOCTL_DEV with
// 5.
static uint64_t all_rights(long version) {
    int count = version < 2 ? 13 : version < 3 ? 14 : version < 5 ? 15 : 16;
    return (UINT64_C(1) << count) - 1;
}

int sluice_create_sandbox(struct sluice_sandbox *sandbox) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
    if (version < 0) return -1;
    if (version > SLUICE_NEWEST_LANDLOCK) version = SLUICE_NEWEST_LANDLOCK;
    // Kernels of RHEL 9 claim version 6 but reject its scopes, so find out step by step what a kernel accepts.
    do {
        // Deny binding and connecting TCP sockets; abstract Unix sockets, and signals to processes outside. Zeros in
        // fields that a kernel does not know are not an error.
        struct { uint64_t files, network, scopes; } handled = {
            all_rights(version), version < 4 ? 0 : 3, version < 6 ? 0 : 3};
        sandbox->version = (int)version;
        sandbox->rights = handled.files;
        sandbox->rules = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
    } while (sandbox->rules < 0 && errno == EINVAL && --version > 0);
    return sandbox->rules < 0 ? -1 : 0;
}

// Whether a confined process might be unable to open the file, whatever the rule allows.
static bool is_out_of_reach(int file, const char *path, int access, const struct stat *status) {
    struct statfs system;
    // Some devices, and other processes' files in /proc, require privileges.
    if ((access & SLUICE_READ) && S_ISCHR(status->st_mode)) return true;
    // So do the paths there that lead to other processes' files.
    if (strncmp(path, "/proc/", 6) == 0 && strncmp(path, "/proc/self/", 11) != 0) return true;
    if (fstatfs(file, &system) != 0) return false;
    switch ((uint32_t)system.f_type) {
    case PROC_SUPER_MAGIC: return strcmp(path, "/proc") != 0;
    // Here, a file may have another inode the next time it is opened, but a rule applies to an inode.
    case V9FS_MAGIC: case SMB_SUPER_MAGIC: case 0xff534d42 /* CIFS */: case 0xfe534d42 /* SMB 2 */:
    case 0x786f4256 /* VirtualBox */: return true;
    default: return false;
    }
}

int sluice_allow(const struct sluice_sandbox *sandbox, const char *path, int access) {
    int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0) return -1;
    struct __attribute__((packed)) { uint64_t rights; int32_t file; } rule = {0, file};
    if (access & SLUICE_READ) rule.rights |= READ_FILE | IOCTL_DEV;
    if (access & SLUICE_LIST) rule.rights |= READ_DIR;
    if (access & SLUICE_WRITE) rule.rights |= WRITE_FILE | TRUNCATE | IOCTL_DEV;
    if (access & SLUICE_CREATE) rule.rights |= MAKE_REG;
    if (access & SLUICE_REMOVE) rule.rights |= REMOVE_FILE;
    if (access & SLUICE_MAKE_FOLDERS) rule.rights |= MAKE_DIR;
    if (access & SLUICE_MAKE_LINKS) rule.rights |= MAKE_SYM;
    struct stat status;
    int result = fstat(file, &status);
    if (result == 0 && is_out_of_reach(file, path, access, &status)) {
        errno = EPERM;
        result = -1;
    } else if (result == 0) {
        rule.rights &= S_ISDIR(status.st_mode) ? sandbox->rights : sandbox->rights & OF_FILES;
        if (rule.rights != 0)
            result = (int)syscall(SYS_landlock_add_rule, sandbox->rules, 1 /* LANDLOCK_RULE_PATH_BENEATH */, &rule, 0);
        // Unnamed pipes and sockets can't be denied, and need no rule.
        if (result != 0 && errno == EBADFD) result = 0;
    }
    int saved = errno;
    close(file);
    errno = saved;
    return result;
}

int sluice_allow_port(const struct sluice_sandbox *sandbox, uint16_t port) {
    if (sandbox->version < 4) return 0;
    struct { uint64_t rights, port; } rule = {2 /* LANDLOCK_ACCESS_NET_CONNECT_TCP */, port};
    return (int)syscall(SYS_landlock_add_rule, sandbox->rules, 2 /* LANDLOCK_RULE_NET_PORT */, &rule, 0);
}

// Drops those of root's privileges that open the kernel's memory and log, and other processes' memory and environment,
// all of which can be read in /proc.
static int drop_capabilities(void) {
    static const int dropped[] = {CAP_SYS_RAWIO, CAP_SYS_PTRACE, CAP_SYS_ADMIN, CAP_SYSLOG, 38 /* CAP_PERFMON */};
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
    if (syscall(SYS_capget, &header, data) != 0) return -1;
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++) {
        struct __user_cap_data_struct *half = &data[dropped[i] / 32];
        uint32_t kept = ~(UINT32_C(1) << dropped[i] % 32);
        half->effective &= kept;
        half->permitted &= kept;
        half->inheritable &= kept;
    }
    return (int)syscall(SYS_capset, &header, data);
}

int sluice_enter_sandbox(const struct sluice_sandbox *sandbox) {
    // The kernel requires this: a user without privileges must not confine a program that gains them.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || drop_capabilities() != 0) return -1;
    return (int)syscall(SYS_landlock_restrict_self, sandbox->rules, 0);
}

bool sluice_may_have_links(const char *folder) {
    DIR *entries = opendir(folder);
    if (entries == NULL) return true;
    bool has_links = false;
    for (struct dirent *entry; !has_links && (entry = readdir(entries)) != NULL;)
        has_links = entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN;
    closedir(entries);
    return has_links;
}
