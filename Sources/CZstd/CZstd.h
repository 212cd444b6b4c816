// The stable API of libzstd only: ZSTD_STATIC_LINKING_ONLY must never be defined here.
#include <zstd.h>
#include <zstd_errors.h>
// But for the trainers of dictionaries that take parameters, which have been the same since 1.4.1 and are not in it.
#define ZDICT_STATIC_LINKING_ONLY
#include <zdict.h>
