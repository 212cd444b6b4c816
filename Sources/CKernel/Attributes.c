#define _GNU_SOURCE
#include "CKernel.h"

#include <endian.h>
#include <errno.h>
#include <limits.h>
#include <linux/limits.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char access_list[] = "system.posix_acl_access", default_list[] = "system.posix_acl_default";

// An attribute's value, or a list of names.
struct value {
    char few[1024];
    // Allocated if it takes more.
    char *many;
    ssize_t length;
};

static const char *bytes(const struct value *value) { return value->many != NULL ? value->many : value->few; }

// Reads an attribute, or the names of all if the name is null, in one call that has room for the largest. After a call
// that asked for the size, somebody else could make the attribute larger or smaller.
static bool get(int file, const char *name, struct value *value) {
    _Static_assert(XATTR_LIST_MAX <= XATTR_SIZE_MAX, "the room is for both");
    char *room = value->few;
    size_t size = sizeof value->few;
    value->many = NULL;
    for (;;) {
        value->length = name != NULL ? fgetxattr(file, name, room, size) : flistxattr(file, room, size);
        if (value->length >= 0) return true;
        if (errno != ERANGE || value->many != NULL) return false;
        value->many = room = malloc(size = XATTR_SIZE_MAX);
        if (room == NULL) return false;
    }
}

static bool is_missing(int error) { return error == ENODATA || error == EOPNOTSUPP || error == ENOSYS; }

// Steps through the entries of an access control list, with their tags and rights (0 to 7) in the order of the kernel.
static bool next(const struct value *list, ssize_t *place, unsigned *tag, unsigned *rights) {
    struct posix_acl_xattr_entry entry;
    if (*place == 0) *place = sizeof(struct posix_acl_xattr_header);
    if (list->length - *place < (ssize_t)sizeof entry) return false;
    memcpy(&entry, bytes(list) + *place, sizeof entry);
    *place += sizeof entry;
    *tag = le16toh(entry.e_tag);
    *rights = le16toh(entry.e_perm) & 7u;
    return true;
}

// The rights that a list gives to everybody: to its group, to all that it names, and to others.
static unsigned common_rights(const struct value *list) {
    ssize_t place = 0;
    unsigned tag, rights, common = 7;
    while (next(list, &place, &tag, &rights)) {
        if (tag != ACL_USER_OBJ) common &= rights;
    }
    return common;
}

// A list also sets the mode. Where the mode could not be reset afterwards, don't copy the list.
static bool has_own_mode(int descriptor) { return syscall(SYS_fchmod, descriptor, 0600) == 0; }

// Removes the list that a file has from its folder. Looking is cheaper than removing what is not there.
static bool remove_list(int file) {
    if (fgetxattr(file, access_list, NULL, 0) < 0 && is_missing(errno)) return true;
    return fremovexattr(file, access_list) == 0 || is_missing(errno);
}

static bool copy_attribute(int from, int to, const char *name) {
    struct value value;
    bool is_copied = get(from, name, &value) && fsetxattr(to, name, bytes(&value), (size_t)value.length, 0) == 0;
    free(value.many);
    return is_copied;
}

// Gives a file the list of another. Returns whether it has it; if not, the rights that all have by it count.
static bool copy_list(int from, int to, bool keeps_list, unsigned *common) {
    struct value list;
    bool is_there = get(from, access_list, &list);
    *common = is_there ? common_rights(&list) : 0;
    bool is_copied = is_there && keeps_list && has_own_mode(to) &&
                     fsetxattr(to, access_list, bytes(&list), (size_t)list.length, 0) == 0;
    free(list.many);
    return is_copied;
}

int sluice_copy_attributes(int from, int to, bool keeps_list, unsigned *common) {
    int lost = 0;
    bool has_list = false;
    struct value names;
    if (get(from, NULL, &names)) {
        for (const char *name = bytes(&names); name < bytes(&names) + names.length; name += strlen(name) + 1) {
            if (strcmp(name, access_list) == 0) {
                has_list = true;
            } else if (strncmp(name, "user.", 5) == 0 && !copy_attribute(from, to, name)) {
                lost |= SLUICE_LOST_ATTRIBUTES;
            }
        }
    } else if (!is_missing(errno)) {
        // It is unknown which there are, and a list that is not known gives rights to nobody.
        lost = SLUICE_LOST_ATTRIBUTES | SLUICE_LOST_ACCESS_LIST;
        *common = 0;
    }
    free(names.many);
    if (has_list && copy_list(from, to, keeps_list, common)) return lost;
    if (has_list) lost |= SLUICE_LOST_ACCESS_LIST;
    if (!remove_list(to)) {
        lost |= SLUICE_LOST_ACCESS_LIST;
        *common = 0;
    }
    return lost;
}

unsigned sluice_common_rights(int file) {
    struct value list;
    bool is_there = get(file, access_list, &list), is_unknown = !is_there && !is_missing(errno);
    unsigned common = is_there ? common_rights(&list) : is_unknown ? 0 : 7;
    free(list.many);
    return common;
}

int sluice_inherited_mode(int folder) {
    struct value list;
    bool is_there = get(folder, default_list, &list);
    if (!is_there && errno == EBADF) {
        // A folder that may not be read.
        char own[64];
        (void)snprintf(own, sizeof own, "/proc/self/fd/%d", folder);
        list.length = getxattr(own, default_list, list.few, sizeof list.few);
        is_there = list.length >= 0;
    }
    if (!is_there) return is_missing(errno) ? -1 : 0700;
    ssize_t place = 0;
    unsigned tag, rights, owner = 0, group = 0, others = 0;
    while (next(&list, &place, &tag, &rights)) {
        switch (tag) {
        case ACL_USER_OBJ: owner = rights; break;
        // The mask comes later, and stands for the group in the mode.
        case ACL_GROUP_OBJ:
        case ACL_MASK: group = rights; break;
        case ACL_OTHER: others = rights; break;
        default: break;
        }
    }
    free(list.many);
    return (int)(owner << 6 | group << 3 | others);
}

bool sluice_remove_access_list(int file) { return remove_list(file); }
