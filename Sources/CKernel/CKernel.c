#define _GNU_SOURCE
#include "CKernel.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <wchar.h>

#include <sched.h>
#include <linux/magic.h>
// Not sys/stat.h, whose statx may lack what the kernel has.
#include <linux/stat.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>

// Errors by which a file system, or a sandbox, reports that it does not support an operation at all.
static bool is_refusal(int error) {
    return error == EPERM || error == EACCES || error == ENOSYS || error == EOPNOTSUPP;
}

void sluice_start_writeback(int descriptor, int64_t offset, int64_t length) {
    (void)sync_file_range(descriptor, offset, length, SYNC_FILE_RANGE_WRITE);
}

bool sluice_takes_direct_writes(int descriptor, uint32_t alignment) {
    bool takes = false;
#ifdef STATX_DIOALIGN
    struct statx status;
    struct rlimit limit;
    int flags = fcntl(descriptor, F_GETFL);
    // At the limit, a write would end in the middle of a page.
    takes = flags >= 0 && (flags & (O_APPEND | O_DIRECT)) == 0 &&
            getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY &&
            syscall(SYS_statx, descriptor, "", AT_EMPTY_PATH, STATX_DIOALIGN, &status) == 0 &&
            (status.stx_mask & STATX_DIOALIGN) && status.stx_dio_mem_align > 0 && status.stx_dio_offset_align > 0 &&
            alignment % status.stx_dio_mem_align == 0 && alignment % status.stx_dio_offset_align == 0;
#else
    (void)descriptor; (void)alignment;
#endif
    return takes;
}

int sluice_set_direct_writes(int descriptor, bool are_direct) {
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0) return flags;
    return fcntl(descriptor, F_SETFL, are_direct ? flags | O_DIRECT : flags & ~O_DIRECT);
}

// For tmpfs, overlayfs and others without RWF_NOWAIT. For files we neither own nor may write, mincore always reports
// "resident".
static bool is_resident(int descriptor, int64_t offset) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char state = 0;
    void *memory = mmap(NULL, page, PROT_READ, MAP_SHARED, descriptor, offset - offset % (int64_t)page);
    if (memory != MAP_FAILED) {
        if (mincore(memory, page, &state) != 0) state = 0;
        munmap(memory, page);
    }
    return state & 1;
}

int64_t sluice_seek_data(int descriptor, int64_t offset) { return lseek(descriptor, offset, SEEK_DATA); }
int64_t sluice_seek_hole(int descriptor, int64_t offset) { return lseek(descriptor, offset, SEEK_HOLE); }

int64_t sluice_copy_range(int from, int64_t offset, int to, size_t count) {
    return copy_file_range(from, &offset, to, NULL, count, 0);
}

bool sluice_is_cached(int descriptor, int64_t offset) {
    char byte;
    struct iovec piece = {&byte, 1};
    ssize_t got = preadv2(descriptor, &piece, 1, offset, RWF_NOWAIT);
    return got < 0 && errno != EAGAIN ? is_resident(descriptor, offset) : got == 1;
}

int sluice_affinity_count(void) {
    // The mask must be as long as the kernel's, whose length is unknown: start with 1024 CPUs, then double.
    for (size_t cpus = 1024; cpus <= (1u << 20); cpus *= 2) {
        cpu_set_t *set = CPU_ALLOC(cpus);
        if (set == NULL) return 0;
        size_t bytes = CPU_ALLOC_SIZE(cpus);
        int failed = sched_getaffinity(0, bytes, set);
        int count = failed ? 0 : CPU_COUNT_S(bytes, set);
        CPU_FREE(set);
        if (!failed) return count;
        if (errno != EINVAL) return 0;
    }
    return 0;
}

// Runs on a thread that no longer shares its umask with the others, because `umask` changes it briefly.
static void *look_at_mode_mask(void *mask) {
    *(int *)mask = unshare(CLONE_FS) == 0 ? (int)syscall(SYS_umask, 0) : -1;
    return NULL;
}

int sluice_mode_mask(void) {
    int mask = -1;
    pthread_t thread;
    int error = pthread_create(&thread, NULL, look_at_mode_mask, &mask);
    if (error == 0) error = pthread_join(thread, NULL);
    if (error != 0) errno = error;
    return mask;
}

void sluice_refresh_attributes(int folder, const char *path) {
    struct statx status;
    (void)syscall(SYS_statx, folder, path, AT_STATX_FORCE_SYNC | AT_EMPTY_PATH, STATX_BASIC_STATS, &status);
}

bool sluice_is_append_only(int descriptor) {
    struct statx status;
    return syscall(SYS_statx, descriptor, "", AT_EMPTY_PATH, 0, &status) == 0 &&
           (status.stx_attributes & STATX_ATTR_APPEND);
}

bool sluice_syncs_as_a_whole(int descriptor) {
    // A system call filter rejects the call for any descriptor.
    if (syncfs(-1) != 0 && is_refusal(errno)) return false;
    struct statfs system;
    if (fstatfs(descriptor, &system) != 0) return false;
    switch (system.f_type) {
    case EXT4_SUPER_MAGIC:
    case XFS_SUPER_MAGIC:
    case BTRFS_SUPER_MAGIC:
    case TMPFS_MAGIC: return true;
    default: return false;
    }
}

int sluice_sync_file_system(int descriptor) { return syncfs(descriptor); }

int sluice_widen_pipe(int descriptor, int bytes) {
    int held = fcntl(descriptor, F_GETPIPE_SZ);
    if (held < 0 || held >= bytes) return held;
    int widened = fcntl(descriptor, F_SETPIPE_SZ, bytes);
    return widened < 0 ? held : widened;
}

bool sluice_is_written(int pipe) {
    int copy[2];
    if (pipe2(copy, O_CLOEXEC | O_NONBLOCK) != 0) return false;
    // tee consumes nothing. It distinguishes a pipe without a writer (0) from one whose writer is silent (EAGAIN).
    bool is_written = tee(pipe, copy[1], 1, SPLICE_F_NONBLOCK) != 0;
    (void)close(copy[0]);
    (void)close(copy[1]);
    return is_written;
}

// Exported by libdispatch, but not declared in its public headers.
void _dispatch_iocntl(uint32_t parameter, uint64_t value);

void sluice_set_largest_read(size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    _dispatch_iocntl(1 /* DISPATCH_IOCNTL_CHUNK_PAGES */, (bytes + page - 1) / page);
}

void *sluice_reserve_memory(size_t size, size_t alignment) {
    size_t more = size + alignment;
    char *place = mmap(NULL, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) return NULL;
    size_t before = (alignment - (uintptr_t)place % alignment) % alignment;
    if (before > 0) munmap(place, before);
    if (before < alignment) munmap(place + before + size, alignment - before);
    return place + before;
}

bool sluice_move_memory(void *from, void *to, size_t size) {
    // The old addresses stay reserved; otherwise another thread might get them.
    return mremap(from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, to) != MAP_FAILED;
}

void sluice_populate_memory(void *memory, size_t size) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)memory + page - 1) / page * page, end = ((uintptr_t)memory + size) / page * page;
    if (end > first) (void)madvise((void *)first, end - first, MADV_POPULATE_WRITE);
}

int sluice_open_folder(int start, const char *path, bool follows_links, bool *is_readable) {
    int flags = O_DIRECTORY | O_CLOEXEC | (follows_links ? 0 : O_NOFOLLOW);
    int folder = openat(start, path, flags | O_RDONLY);
    *is_readable = folder >= 0;
    return folder >= 0 || (errno != EACCES && errno != EPERM) ? folder : openat(start, path, flags | O_PATH);
}

bool sluice_has_unnamed_files(int folder) {
    // Only through /proc can the file be linked without a privilege. Assume that /proc is available, or not, for as
    // long as the process runs.
    static atomic_int proc_access = 1;
    if (proc_access > 0) proc_access = access("/proc/self/fd", X_OK);
    if (proc_access != 0) return false;
    // On older btrfs, fsync does not write such a file: a power cut after linking would leave it empty. So use only
    // file systems where that was tested; overlayfs does not tell what is below.
    struct statfs system;
    if (fstatfs(folder, &system) != 0) return false;
    return system.f_type == EXT4_SUPER_MAGIC || system.f_type == XFS_SUPER_MAGIC || system.f_type == TMPFS_MAGIC;
}

int sluice_create_unnamed(int folder, bool is_readable) {
    return openat(folder, ".", O_TMPFILE | (is_readable ? O_RDWR : O_WRONLY) | O_CLOEXEC, 0600);
}

int sluice_link_unnamed(int descriptor, int folder, const char *name) {
    // Linking by descriptor is cheaper than through /proc, but not permitted before Linux 6.10 and in some sandboxes.
    static atomic_bool links_by_descriptor = true;
    if (links_by_descriptor) {
        int result = linkat(descriptor, "", folder, name, AT_EMPTY_PATH);
        if (result == 0 || errno == EEXIST) return result;
    }
    char own[64];
    (void)snprintf(own, sizeof own, "/proc/self/fd/%d", descriptor);
    int result = linkat(AT_FDCWD, own, folder, name, AT_SYMLINK_FOLLOW);
    if (result == 0) links_by_descriptor = false;
    return result;
}

// Counts the open descriptors; a typical number where /proc is missing.
static int count_open_files(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    if (folder == NULL) return 64;
    while (readdir(folder) != NULL) count++;
    closedir(folder);
    return count;
}

int sluice_allow_open_files(int more) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
    rlim_t open = (rlim_t)count_open_files(), wanted = open + (rlim_t)more;
    if (limit.rlim_cur < wanted) {
        limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0) (void)getrlimit(RLIMIT_NOFILE, &limit);
    }
    int allowed = limit.rlim_cur >= wanted ? more : limit.rlim_cur > open ? (int)(limit.rlim_cur - open) : 0;
    // The kernel's descriptor table grows in steps, and at each step all threads that open files wait for milliseconds:
    // grow it now.
    int last = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, (int)open + allowed - 1);
    if (last >= 0) close(last);
    return allowed;
}

// For file systems without hard links: an empty file claims the name if it is free, and is then replaced.
static int replace_own(int folder, const char *from, const char *to) {
    int own = openat(folder, to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (own < 0) return -1;
    close(own);
    if (renameat(folder, from, folder, to) == 0) return 0;
    int error = errno;
    (void)unlinkat(folder, to, 0);
    errno = error;
    return -1;
}

int sluice_rename_exclusively(int folder, const char *from, const char *to) {
    if (syscall(SYS_renameat2, folder, from, folder, to, 1 /* RENAME_NOREPLACE */) == 0) return 0;
    if (errno != EINVAL && !is_refusal(errno)) return -1;
    // For file systems without this flag: a hard link never replaces a file.
    if (linkat(folder, from, folder, to, 0) == 0) {
        // The file has its name; the other one is removed now, or when the process ends.
        (void)unlinkat(folder, from, 0);
        return 0;
    }
    return is_refusal(errno) ? replace_own(folder, from, to) : -1;
}

int sluice_character_width(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

// In the command (CStart), pthread_create ends the process where there is no thread; this function does not.
int sluice_create_own_thread(pthread_t *thread, bool waits, void *(*body)(void *), void *context) __attribute__((weak));

int sluice_create_thread(bool waits, void *(*body)(void *), void *context) {
    pthread_t thread;
    int error = sluice_create_own_thread != NULL ? sluice_create_own_thread(&thread, waits, body, context)
                                                 : pthread_create(&thread, NULL, body, context);
    if (error == 0) pthread_detach(thread);
    return error;
}

static _Atomic bool is_thread_wanted, is_thread_scarce;
static _Atomic(sluice_thread_giver) thread_giver;

void sluice_on_thread_wanted(sluice_thread_giver giver) { thread_giver = giver; }

bool sluice_want_thread(void) {
    is_thread_scarce = true;
    is_thread_wanted = true;
    sluice_thread_giver giver = thread_giver;
    return giver != NULL && giver();
}

void sluice_stop_wanting_thread(void) { is_thread_wanted = false; }

bool sluice_is_thread_wanted(void) { return atomic_load_explicit(&is_thread_wanted, memory_order_relaxed); }

bool sluice_give_thread(void) { return atomic_exchange(&is_thread_wanted, false); }

bool sluice_are_threads_scarce(void) { return is_thread_scarce; }

int sluice_make_own_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK); }

void sluice_name_thread(const char *name) { (void)pthread_setname_np(pthread_self(), name); }
