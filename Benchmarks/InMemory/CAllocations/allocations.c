// The functions of the C library, in front of which these stand: a program's own malloc is that of its libraries, too.
#include <CAllocations.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static atomic_ulong count, bytes, in_use;

static void *note(void *memory, size_t size) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
    atomic_fetch_add_explicit(&in_use, malloc_usable_size(memory), memory_order_relaxed);
    return memory;
}

static void forget(void *memory) {
    atomic_fetch_sub_explicit(&in_use, malloc_usable_size(memory), memory_order_relaxed);
}

unsigned long allocationCount(void) { return atomic_load(&count); }
unsigned long allocatedBytes(void) { return atomic_load(&bytes); }
unsigned long allocatedBytesInUse(void) { return atomic_load(&in_use); }

void *malloc(size_t size) { return note(__libc_malloc(size), size); }

void *calloc(size_t number, size_t size) { return note(__libc_calloc(number, size), number * size); }

void *realloc(void *memory, size_t size) {
    forget(memory);
    return note(__libc_realloc(memory, size), size);
}

void *aligned_alloc(size_t alignment, size_t size) { return note(__libc_memalign(alignment, size), size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = note(__libc_memalign(alignment, size), size);
    return *memory ? 0 : ENOMEM;
}

void free(void *memory) {
    forget(memory);
    __libc_free(memory);
}
