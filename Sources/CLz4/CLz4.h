// The stable API of liblz4 only: LZ4F_STATIC_LINKING_ONLY must never be defined here.
#include <lz4.h>
#include <lz4frame.h>
