// What Swift can't say to the kernel: system calls that its Glibc module does not import because they are GNU or Linux
// extensions, structures that it does not know (Landlock), and what has to run between fork and exec (the supervisor of
// a command). Most functions return the result of their system call and set errno; where one returns the error itself,
// or nothing, its comment says so. Most are documented at their callers in ByteStreams/System.
#ifndef SLUICE_CKERNEL_H
#define SLUICE_CKERNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/// sync_file_range; errors are ignored.
void sluice_start_writeback(int descriptor, int64_t offset, int64_t length);

/// statx with STATX_DIOALIGN; also F_GETFL and RLIMIT_FSIZE.
bool sluice_takes_direct_writes(int descriptor, uint32_t alignment);

/// F_SETFL with or without O_DIRECT.
int sluice_set_direct_writes(int descriptor, bool are_direct);

/// mmap with MAP_NORESERVE; null on failure.
void *sluice_reserve_memory(size_t size, size_t alignment);

/// mremap with MREMAP_DONTUNMAP.
bool sluice_move_memory(void *from, void *to, size_t size);

/// madvise with MADV_POPULATE_WRITE; errors are ignored.
void sluice_populate_memory(void *memory, size_t size);

/// openat, with O_PATH for a folder that may not be read.
int sluice_open_folder(int start, const char *path, bool follows_links, bool *is_readable);

/// fstatfs, and access to /proc/self/fd.
bool sluice_has_unnamed_files(int folder);

/// openat with O_TMPFILE.
int sluice_create_unnamed(int folder, bool is_readable);

/// linkat with AT_EMPTY_PATH, else through /proc.
int sluice_link_unnamed(int descriptor, int folder, const char *name);

/// setrlimit with RLIMIT_NOFILE, then F_DUPFD_CLOEXEC.
int sluice_allow_open_files(int more);

/// renameat2 with RENAME_NOREPLACE, else linkat and unlinkat, else openat with O_EXCL and renameat.
int sluice_rename_exclusively(int folder, const char *from, const char *to);

/// preadv2 with RWF_NOWAIT, else mincore.
bool sluice_is_cached(int descriptor, int64_t offset);

/// lseek with SEEK_DATA and SEEK_HOLE; ENXIO if there is no more data.
int64_t sluice_seek_data(int descriptor, int64_t offset);
int64_t sluice_seek_hole(int descriptor, int64_t offset);

/// copy_file_range.
int64_t sluice_copy_range(int from, int64_t offset, int to, size_t count);

/// umask, after unshare with CLONE_FS.
int sluice_mode_mask(void);

/// sched_getaffinity; returns how many CPUs, 0 on failure.
int sluice_affinity_count(void);

/// _dispatch_iocntl with DISPATCH_IOCNTL_CHUNK_PAGES.
void sluice_set_largest_read(size_t bytes);

/// F_SETPIPE_SZ where F_GETPIPE_SZ is less; returns how many bytes the pipe holds.
int sluice_widen_pipe(int descriptor, int bytes);

/// tee of one byte: true if there is one, or a writer.
bool sluice_is_written(int pipe);

/// statx with AT_STATX_FORCE_SYNC and AT_EMPTY_PATH; errors are ignored.
void sluice_refresh_attributes(int folder, const char *path);

/// statx.
bool sluice_is_append_only(int descriptor);

/// syncfs of nothing, fstatfs.
bool sluice_syncs_as_a_whole(int descriptor);

/// syncfs.
int sluice_sync_file_system(int descriptor);

/// Attributes of a file that could not be copied to another one, as in `OutputFile.Losses`.
enum { SLUICE_LOST_ATTRIBUTES = 1, SLUICE_LOST_ACCESS_LIST = 2 };

/// flistxattr, fgetxattr, fsetxattr, fremovexattr, and for an access control list fchmod; returns what was lost. The
/// copy has no list that its folder gave it.
///
/// - keeps_list: false to lose the list of the source.
/// - common: the rights (0 to 7) that all but the owner have by the mode of the source; replaced by those that they
///   have by its list.
int sluice_copy_attributes(int from, int to, bool keeps_list, unsigned *common);

/// fgetxattr of the access control list: the rights (0 to 7) that it gives to all but the owner; none if it can't be
/// read, all without one.
unsigned sluice_common_rights(int file);

/// The most that the mode of a new file in a folder allows, as its default access control list says; -1 without one.
int sluice_inherited_mode(int folder);

/// fremovexattr of the access control list, if there is one; false if it stays.
bool sluice_remove_access_list(int file);

/// The number of columns of a character in the locale of the process (wcwidth); -1 if it can't be printed.
int sluice_character_width(uint32_t scalar);

/// What a confined process may do with a file, or with everything beneath a folder.
enum sluice_access {
    /// Open files to read them.
    SLUICE_READ = 1,
    /// List folders, and open them to be synced.
    SLUICE_LIST = 2,
    /// Open files to write them.
    SLUICE_WRITE = 4,
    /// Make files, and give them names.
    SLUICE_CREATE = 8,
    /// Remove files, and replace them.
    SLUICE_REMOVE = 16,
    /// Make folders.
    SLUICE_MAKE_FOLDERS = 32,
    /// Make symbolic links, which includes renaming one.
    SLUICE_MAKE_LINKS = 64,
};

/// A Landlock ruleset to confine the process to.
struct sluice_sandbox {
    /// The descriptor of the ruleset.
    int rules;
    /// The interface version that the kernel supports, up to `SLUICE_NEWEST_LANDLOCK`.
    int version;
    /// All rights that the kernel can deny.
    uint64_t rights;
};

enum { SLUICE_NEWEST_LANDLOCK = 6 };

/// Creates a ruleset that allows nothing; fails with ENOSYS or EOPNOTSUPP where the kernel does not support Landlock.
int sluice_create_sandbox(struct sluice_sandbox *sandbox);

/// Allows a sum of `sluice_access` values for the file or folder that a path leads to now, following links. Fails with
/// EPERM if a confined process might still not be able to open it: files in /proc, character devices to be read, and
/// file systems with unstable inodes, such as 9p.
int sluice_allow(const struct sluice_sandbox *sandbox, const char *path, int access);

// Allows connections to a TCP port, where the kernel can deny them.
int sluice_allow_port(const struct sluice_sandbox *sandbox, uint16_t port);

/// Confines this thread, and all that it starts later, for good, and drops the privileges that files in /proc require.
///
/// Open descriptors are not affected.
int sluice_enter_sandbox(const struct sluice_sandbox *sandbox);

/// pipe2 with O_CLOEXEC and O_NONBLOCK; returns -1 on failure, with the error in `errno`.
int sluice_make_own_pipe(int ends[2]);

/// pthread_create and pthread_detach; returns the error, 0 for none.
///
/// - waits: whether to wait, in the command, until other threads have ended, if the system has no more.
int sluice_create_thread(bool waits, void *(*body)(void *), void *context);

/// Wakes the threads that may end before their work is done, to make room; returns whether there are any.
typedef bool (*sluice_thread_giver)(void);

/// Sets what `sluice_want_thread` calls, on any thread, which may hold locks.
void sluice_on_thread_wanted(sluice_thread_giver giver);

/// Asks for a thread that the system does not have: one that may end is to end. Returns whether there is one.
bool sluice_want_thread(void);

/// Takes the request back.
void sluice_stop_wanting_thread(void);

/// Whether a thread is asked for.
bool sluice_is_thread_wanted(void);

/// Takes up the request, if there still is one: the calling thread must end then.
bool sluice_give_thread(void);

/// Whether a thread has ever been asked for.
bool sluice_are_threads_scarce(void);

/// pthread_setname_np.
void sluice_name_thread(const char *name);

/// Whether a folder contains a symbolic link, or that is unknown.
bool sluice_may_have_links(const char *folder);

/// What the supervisor of a command reports: first that it was started, or why not, and then how it ended.
struct sluice_command_news {
    /// Why the command could not be started; 0 if it was.
    int32_t error;
    bool has_ended;
    /// -1 if a signal ended it.
    int32_t exit_status;
    /// The signal that ended it; 0 if it exited.
    int32_t signal;
    /// Of the command and the children that it has waited for.
    int64_t user_microseconds, system_microseconds, peak_kilobytes;
    /// A signal that would have ended the supervisor, and has most likely reached this process too; 0 for none.
    int32_t own_signal;
};

/// How long a signal to all processes of a group may take from one to the other, in milliseconds.
enum { SLUICE_SIGNAL_WAIT = 250 };

/// What is sent to the supervisor instead of a signal.
enum {
    SLUICE_START_COMMAND = 0,
    /// The run has succeeded: what the command has left behind may stay.
    SLUICE_RUN_SUCCEEDED = 255,
};

/// Starts a process that will run a command: fork, in a process without other threads.
///
/// - words: end in NULL, and stay as they are.
/// - output: the end of a pipe from which the command's standard output is read.
/// - control: a socket for the functions below. When it is closed, the command and all that it has started are ended.
/// - supervisor: the process, a child of this one, which ends with the run.
///
/// Returns the error, 0 for none.
int sluice_prepare_command(char *const *words, int *output, int *control, int *supervisor);

/// Starts the command (`SLUICE_START_COMMAND`), or sends it a signal, after which it has two seconds to end. Returns
/// the error, 0 for none.
int sluice_signal_command(int control, int number);

/// Waits for the next report; ESRCH if there is none any more. Returns the error, 0 for none.
int sluice_command_news(int control, struct sluice_command_news *news);

/// Ends the supervisor, and waits so long at most. Unless the run has succeeded, it first ends the command and all that
/// this has started.
void sluice_dismiss_command(int control, int supervisor, bool has_succeeded, int milliseconds_at_most);

/// The most bytes of a program's output that are read, as a program that answers with a few lines has.
enum { SLUICE_PROGRAM_OUTPUT = 64 << 10 };

/// How a program ended that was run for its output.
struct sluice_program_end {
    /// Why it could not be started; 0 if it was.
    int32_t error;
    /// -1 if it did not exit by itself.
    int32_t exit_status;
    /// The signal that ended it; 0 for none.
    int32_t signal;
    /// A signal that would have ended the process that ran it, and has most likely reached this one too; 0 for none.
    int32_t own_signal;
    /// Whether it was ended because it took too long, wrote too much, or nobody waits any more.
    bool is_late, is_long, is_cancelled;
    /// Bytes of its output.
    size_t count;
};

/// Starts a process that will run a program when it is asked, each time anew: fork, whatever other threads do. The
/// program gets no input, and of our descriptors only standard error. What it leaves behind is ended, but for daemons
/// after a success.
///
/// - words: the program and its arguments, NULL last.
/// - control: a socket for the functions below. When it is closed, the process ends, and with it the program.
/// - helper: the process, a child of this one.
///
/// Returns the error, 0 for none.
int sluice_prepare_program(char *const *words, int *control, int *helper);

/// Has the program run, and waits for its output. One thread at a time.
///
/// - number: another one each time, and not 0.
/// - capacity: of `memory`; a program that writes SLUICE_PROGRAM_OUTPUT is ended.
/// - limit: in milliseconds, after which it is ended.
/// - is_cancelled: is asked now and then, and ends the program.
void sluice_ask_program(
    int control, uint32_t number, unsigned char *memory, size_t capacity, int limit, bool (*is_cancelled)(void *),
    void *context, struct sluice_program_end *end);

/// Ends the process that runs the program, and with it what runs; waits a few seconds for that.
void sluice_dismiss_program(int control, int helper);

#endif
