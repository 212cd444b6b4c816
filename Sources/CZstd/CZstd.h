// The stable API of libzstd only: ZSTD_STATIC_LINKING_ONLY must never be defined here.
#include <zstd.h>
#include <zstd_errors.h>
