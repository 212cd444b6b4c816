#ifndef SLUICE_CALLOCATOR_H
#define SLUICE_CALLOCATOR_H

/// The jemalloc settings that differ from the defaults, read when the process starts (docs/decisions/memory.md).
extern const char *malloc_conf;

/// Returns free memory to the kernel.
void sluice_return_memory(void);

#endif
