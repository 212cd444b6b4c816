// System calls that Swift's Glibc module does not show because they are GNU or Linux extensions.
// Each function returns what its system call returns, and sets errno.
#ifndef SLUICE_CKERNEL_H
#define SLUICE_CKERNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/// Asks the kernel to begin writing `length` bytes at `offset` to the disk (sync_file_range); a hint, errors are
/// ignored.
void sluice_start_writeback(int descriptor, int64_t offset, int64_t length);

/// Whether writes to a file may go past the page cache (O_DIRECT) if their memory, length and offset are multiples of
/// `alignment`: the file system says so (statx with STATX_DIOALIGN), and no limit to the size of files can make them
/// shorter.
///
/// Not for a descriptor that appends, or that has the flag already.
bool sluice_takes_direct_writes(int descriptor, uint32_t alignment);

/// Has writes to a file go past the page cache, or through it again (O_DIRECT); returns -1 with errno set if they
/// don't.
int sluice_set_direct_writes(int descriptor, bool are_direct);

/// Reserves addresses at a multiple of `alignment`, a power of two; they get memory where they are touched. Null with
/// errno set if there are none.
void *sluice_reserve_memory(size_t size, size_t alignment);

/// Gives them back.
void sluice_release_memory(void *memory, size_t size);

/// Moves memory within what was reserved, whose old addresses are as if they had not been touched (MREMAP_DONTUNMAP);
/// returns false if the system can't, as before Linux 5.7.
bool sluice_move_memory(void *from, void *to, size_t size);

/// Gets the whole pages of memory that is about to be written; does nothing before Linux 5.14 (MADV_POPULATE_WRITE).
void sluice_populate_memory(void *memory, size_t size);

/// Gives memory back whose content is of no use; the addresses stay reserved.
void sluice_drop_memory(void *memory, size_t size);

/// Opens a folder for calls on the names in it; says whether it may also be read, and so be synced.
int sluice_open_folder(const char *path, bool *is_readable);

/// Whether a file can be made in an open folder that has no name yet (O_TMPFILE), will get one later, and is not empty
/// then after a power cut.
bool sluice_has_unnamed_files(int folder);

/// Creates such a file, to be written, and read if that is said, by its owner only.
int sluice_create_unnamed(int folder, bool is_readable);

/// Gives a file that has none a name in an open folder (linkat); fails with EEXIST when there is something under it.
int sluice_link_unnamed(int descriptor, int folder, const char *name);

/// Lets the process open so many files more, if it may (RLIMIT_NOFILE), and has the kernel make room for their
/// descriptors; returns how many of them it can.
int sluice_allow_open_files(int more);

/// Renames within an open folder, but fails with EEXIST when `to` exists (renameat2 with RENAME_NOREPLACE, else link
/// and unlink).
int sluice_rename_exclusively(int folder, const char *from, const char *to);

/// Whether the byte at `offset` of a file lies in the page cache (preadv2 with RWF_NOWAIT, else mincore).
///
/// False at the end of the file, and where it can't be told. If it does not, the kernel may begin to read it.
bool sluice_is_cached(int descriptor, int64_t offset);

/// Where data begins in a file at `offset` or after it, or where it ends (lseek with SEEK_DATA, SEEK_HOLE); moves the
/// descriptor there. -1 with errno set if it can't be told, ENXIO if there is none.
int64_t sluice_seek_data(int descriptor, int64_t offset);
int64_t sluice_seek_hole(int descriptor, int64_t offset);

/// Copies bytes of a file at `offset` to where another one stands, within the kernel (copy_file_range); returns how
/// many.
int64_t sluice_copy_range(int from, int64_t offset, int to, size_t count);

/// Locks bytes of a file that is open to be written (F_OFD_SETLK), to its end if `length` is 0, until it is closed; -1
/// with errno set to EAGAIN or EACCES if another process, or machine, has some of them.
int sluice_lock_range(int descriptor, uint64_t offset, uint64_t length);

/// The mask of the modes of new files (umask), which stays as it is for every thread; -1 with errno set if it can't be
/// told.
int sluice_mode_mask(void);

/// The number of CPUs in the process's affinity mask (sched_getaffinity), or 0 if it can't be told.
int sluice_affinity_count(void);

/// Lets one read of a DispatchIO channel bring up to `bytes`, in the whole process (_dispatch_iocntl).
void sluice_set_largest_read(size_t bytes);

/// Makes a pipe that is closed on exec and never blocks, to wake the thread that polls it.
int sluice_make_wake_pipe(int *reading, int *writing);

/// Makes a pipe hold at least so many bytes, if the system allows it (F_SETPIPE_SZ).
///
/// Returns how many it holds; -1 for what is no pipe, which is left alone.
int sluice_widen_pipe(int descriptor, int bytes);

/// Has the kernel ask the file system for the attributes of a file that it may have kept (statx with
/// AT_STATX_FORCE_SYNC); with an empty path, of the open file itself.
void sluice_refresh_attributes(int folder, const char *path);

/// Whether syncfs on the file system of an open file was seen to reach its disk, and to tell of its errors.
bool sluice_syncs_as_a_whole(int descriptor);

/// Waits until the whole file system of an open file is on the disk (syncfs, else sync).
int sluice_sync_file_system(int descriptor);

/// What of a file's attributes another one did not get.
enum { SLUICE_LOST_ATTRIBUTES = 1, SLUICE_LOST_ACCESS_LIST = 2 };

/// Copies the extended attributes of the user namespace, and the access control list, from one open file to another;
/// returns what could not be copied.
int sluice_copy_attributes(int from, int to);

/// The columns that a character takes in the locale of the process (wcwidth); -1 if it can't be printed.
int sluice_character_width(uint32_t scalar);

/// Fills the buffer with random bytes (getrandom).
bool sluice_random(void *buffer, size_t count);

/// What a confined process may do with a file, or with all that is beneath a folder.
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
    /// Make symbolic links, which to rename one is.
    SLUICE_MAKE_LINKS = 64,
};

/// What the process is to be confined to (a ruleset of Landlock).
struct sluice_sandbox {
    /// A descriptor.
    int rules;
    /// All that the kernel can forbid.
    uint64_t rights;
};

/// Begins with nothing that is allowed; fails with ENOSYS or EOPNOTSUPP where the kernel has no Landlock.
int sluice_create_sandbox(struct sluice_sandbox *sandbox);

/// Allows what a sum of `sluice_access` says with what is there under a path now, through links; fails with EPERM for
/// what a confined process might not open all the same: files in /proc, character devices to be read, and file systems
/// whose inodes do not stay, such as 9p.
int sluice_allow(const struct sluice_sandbox *sandbox, const char *path, int access);

/// Confines this thread, and all that it starts later, for good, and drops the privileges that /proc asks for.
///
/// Descriptors that are open are not concerned.
int sluice_enter_sandbox(const struct sluice_sandbox *sandbox);

/// Starts a detached thread; returns the error, 0 for none (pthread_create).
int sluice_create_thread(void *(*body)(void *), void *context);

/// Gives the calling thread a name, of 15 bytes at most, for those who look at the threads of a process.
void sluice_name_thread(const char *name);

/// Whether there is a symbolic link in a folder, or that can't be told.
bool sluice_may_have_links(const char *folder);

#endif
