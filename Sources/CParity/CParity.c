#define _GNU_SOURCE
#include "CParity.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// MARK: The field: polynomials over bits, modulo x^8 + x^4 + x^3 + x^2 + 1

static uint8_t multiply(uint8_t a, uint8_t b) {
    uint8_t product = 0;
    for (; b != 0; b >>= 1) {
        if (b & 1) product ^= a;
        a = (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1D : 0));
    }
    return product;
}

// a^254, which is 1 / a.
static uint8_t reciprocal(uint8_t a) {
    uint8_t result = 1;
    for (int power = 254; power != 0; power >>= 1, a = multiply(a, a)) {
        if (power & 1) result = multiply(result, a);
    }
    return result;
}

static uint8_t reciprocals[256];

static void fill_reciprocals(void) {
    for (int a = 1; a < 256; a++) reciprocals[a] = reciprocal((uint8_t)a);
}

uint8_t sluice_parity_quotient(uint8_t a, uint8_t b) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_reciprocals);
    return a == 1 ? reciprocals[b] : multiply(a, reciprocals[b]);
}

uint8_t sluice_parity_product(uint8_t a, uint8_t b) { return multiply(a, b); }

uint8_t sluice_parity_factor(size_t capacity, size_t row, size_t block) {
    return sluice_parity_quotient(1, (uint8_t)((capacity + row) ^ block));
}

// MARK: Adding products

// Eight bytes at once: each is multiplied by x.
static inline uint64_t shifted(uint64_t bytes) {
    uint64_t high = bytes >> 7 & 0x0101010101010101u;
    return (bytes << 1 & 0xFEFEFEFEFEFEFEFEu) ^ high * 0x1D;
}

enum { STRIP = 512 };

// The products of a strip with x^0 to x^7, of which each product is a sum: the compiler does that with vectors.
static void add_strip(
    const uint8_t *factors, size_t rows, uint8_t *const *targets, size_t offset, const uint8_t *data, size_t count) {
    uint64_t powers[8][STRIP / 8];
    if (count < STRIP) memset(powers[0], 0, STRIP);
    memcpy(powers[0], data, count);
    for (int power = 1; power < 8; power++) {
        for (size_t i = 0; i < STRIP / 8; i++) powers[power][i] = shifted(powers[power - 1][i]);
    }
    for (size_t row = 0; row < rows; row++) {
        uint64_t sum[STRIP / 8] = {0};
        memcpy(sum, targets[row] + offset, count);
        for (int power = 0; power < 8; power++) {
            if ((factors[row] >> power & 1) == 0) continue;
            for (size_t i = 0; i < STRIP / 8; i++) sum[i] ^= powers[power][i];
        }
        memcpy(targets[row] + offset, sum, count);
    }
}

static void add_plainly(
    const uint8_t *factors, size_t rows, uint8_t *const *targets, const uint8_t *data, size_t count) {
    for (size_t offset = 0; offset < count; offset += STRIP) {
        size_t strip = count - offset < STRIP ? count - offset : STRIP;
        add_strip(factors, rows, targets, offset, data + offset, strip);
    }
}

// MARK: ISA-L

enum { MOST_ROWS = 255, TABLE = 32, SMALLEST = 64, CACHED = 2048 };

static struct {
    void (*init_tables)(int k, int rows, unsigned char *factors, unsigned char *tables);
    void (*update)(
        int count, int k, int rows, int block, unsigned char *tables, unsigned char *data, unsigned char **targets);
    bool is_usable;
} isal;

static size_t add_by_isal(
    const uint8_t *factors, size_t rows, uint8_t *const *targets, const uint8_t *data, size_t count) {
    // Whole vectors only: of less, other versions may ask for more.
    size_t whole = count / SMALLEST * SMALLEST;
    if (whole == 0) return 0;
    unsigned char tables[MOST_ROWS * TABLE];
    isal.init_tables(1, (int)rows, (unsigned char *)factors, tables);
    isal.update((int)whole, 1, (int)rows, 0, tables, (unsigned char *)data, (unsigned char **)targets);
    return whole;
}

// Adds several blocks, strip by strip: so targets stay in the cache.
static void add_blocks_by_isal(
    const uint8_t *factors, size_t rows, uint8_t *const *targets, const uint8_t *const *blocks, size_t block_count,
    size_t count) {
    unsigned char tables[SLUICE_PARITY_MOST_BLOCKS][MOST_ROWS * TABLE];
    uint8_t *parts[MOST_ROWS];
    for (size_t block = 0; block < block_count; block++) {
        isal.init_tables(1, (int)rows, (unsigned char *)factors + block * rows, tables[block]);
    }
    for (size_t offset = 0; offset < count; offset += CACHED) {
        size_t size = count - offset < CACHED ? count - offset : CACHED;
        for (size_t row = 0; row < rows; row++) parts[row] = targets[row] + offset;
        for (size_t block = 0; block < block_count; block++) {
            isal.update((int)size, 1, (int)rows, 0, tables[block], (unsigned char *)blocks[block] + offset, parts);
        }
    }
}

// Whether it gives the same bytes, and touches no others, for some numbers of rows, sizes and factors.
static bool is_trustworthy(void) {
    enum { ROWS = 13, SIZE = 1024, MARGIN = 64 };
    static uint8_t data[SIZE], targets[2][ROWS][SIZE + MARGIN];
    uint8_t factors[ROWS];
    uint32_t state = 1;
    for (size_t size = SMALLEST, rows = 1; rows <= ROWS; rows++, size = (size + 192) % SIZE + SMALLEST) {
        uint8_t *lists[2][ROWS];
        size -= size % SMALLEST;
        if (size > SIZE) size = SIZE;
        for (size_t i = 0; i < SIZE; i++) data[i] = (uint8_t)((state = state * 1664525 + 1013904223) >> 24);
        for (size_t row = 0; row < rows; row++) {
            factors[row] = (uint8_t)((state = state * 1664525 + 1013904223) >> 24);
            for (int side = 0; side < 2; side++) {
                memset(targets[side][row], (int)(rows + row), SIZE + MARGIN);
                lists[side][row] = targets[side][row];
            }
        }
        add_plainly(factors, rows, lists[0], data, size);
        if (add_by_isal(factors, rows, lists[1], data, size) != size) return false;
        if (memcmp(targets[0], targets[1], sizeof targets[0]) != 0) return false;
    }
    return true;
}

static void load(void) {
    void *library = dlopen("libisal.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    *(void **)&isal.init_tables = dlsym(library, "ec_init_tables");
    *(void **)&isal.update = dlsym(library, "ec_encode_data_update");
    isal.is_usable = isal.init_tables != NULL && isal.update != NULL && is_trustworthy();
}

bool sluice_parity_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return isal.is_usable;
}

void sluice_parity_add(
    const uint8_t *factors, size_t rows, uint8_t *const *targets, const uint8_t *data, size_t count, bool is_plain) {
    if (rows == 0 || count == 0) return;
    size_t done = 0;
    uint8_t *rest[MOST_ROWS];
    if (!is_plain && rows <= MOST_ROWS && sluice_parity_load()) {
        done = add_by_isal(factors, rows, targets, data, count);
        if (done == count) return;
        for (size_t row = 0; row < rows; row++) rest[row] = targets[row] + done;
        targets = rest;
    }
    add_plainly(factors, rows, targets, data + done, count - done);
}

void sluice_parity_add_blocks(
    const uint8_t *factors, size_t rows, uint8_t *const *targets, const uint8_t *const *blocks, size_t block_count,
    size_t count, bool is_plain) {
    if (rows == 0 || count == 0) return;
    if (!is_plain && rows <= MOST_ROWS && block_count <= SLUICE_PARITY_MOST_BLOCKS && count % SMALLEST == 0
        && sluice_parity_load()) {
        add_blocks_by_isal(factors, rows, targets, blocks, block_count, count);
        return;
    }
    for (size_t block = 0; block < block_count; block++) {
        sluice_parity_add(factors + block * rows, rows, targets, blocks[block], count, is_plain);
    }
}
