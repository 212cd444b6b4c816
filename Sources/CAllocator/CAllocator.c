#include "CAllocator.h"

// Freed chunks go to the next read as they are: they are not given back to the kernel after a time, nor at once because
// they are large, and there is one place where they wait.
const char *malloc_conf = "narenas:1,dirty_decay_ms:-1,muzzy_decay_ms:-1,oversize_threshold:0";
