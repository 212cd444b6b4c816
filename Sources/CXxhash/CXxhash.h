// The stable API of libxxhash only: XXH_STATIC_LINKING_ONLY must never be defined here.
#include <xxhash.h>
