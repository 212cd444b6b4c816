#include "CAllocator.h"

#include <jemalloc/jemalloc.h>

// Freed chunks are reused for the next reads: they are not returned to the kernel, neither after a time nor for being
// large, and there is a single arena for them. Coalesced free space is split again for a single chunk; by default
// jemalloc won't split an extent over 64 times the request.
const char *malloc_conf =
    "narenas:1,dirty_decay_ms:-1,muzzy_decay_ms:-1,oversize_threshold:0,lg_extent_max_active_fit:40";

void sluice_return_memory(void) { mallctl("arena.0.purge", NULL, NULL, NULL, 0); }

const char *sluice_allocator_version(void) {
    const char *version = NULL;
    size_t size = sizeof version;
    return mallctl("version", &version, &size, NULL, 0) == 0 ? version : NULL;
}
