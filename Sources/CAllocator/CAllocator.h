// gperftools' tcmalloc replaces malloc for the whole process: see docs/decisions/allocator.md.
#include <gperftools/malloc_extension_c.h>
