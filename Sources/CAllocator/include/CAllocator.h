#ifndef SLUICE_CALLOCATOR_H
#define SLUICE_CALLOCATOR_H

/// What jemalloc does otherwise than by default; it reads this when the process starts (docs/decisions/memory.md).
extern const char *malloc_conf;

/// Gives the kernel what is free.
void sluice_return_memory(void);

#endif
