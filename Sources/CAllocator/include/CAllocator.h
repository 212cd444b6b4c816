#ifndef SLUICE_CALLOCATOR_H
#define SLUICE_CALLOCATOR_H

/// The jemalloc settings that differ from the defaults, read when the process starts (docs/decisions/memory.md).
extern const char *malloc_conf;

/// Returns free memory to the kernel.
void sluice_return_memory(void);

/// The version of jemalloc that is linked in, such as "5.3.0-0-g54eaed1d"; NULL if it does not say.
const char *sluice_allocator_version(void);

#endif
