#include "CAllocator.h"

#include <jemalloc/jemalloc.h>

// Freed chunks go to the next read as they are: they are not given back to the kernel after a time, nor at once because
// they are large, and there is one place where they wait. What has grown together there, of many chunks, is cut again
// for one: jemalloc by itself would take new memory rather than cut a piece of more than 64 times the size.
const char *malloc_conf =
    "narenas:1,dirty_decay_ms:-1,muzzy_decay_ms:-1,oversize_threshold:0,lg_extent_max_active_fit:40";

void sluice_return_memory(void) { mallctl("arena.0.purge", NULL, NULL, NULL, 0); }
