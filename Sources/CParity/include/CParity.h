// Reed-Solomon over GF(256), and what finds blocks. The code is that of ISA-L's `gf_gen_cauchy1_matrix`; ISA-L itself,
// where it is installed, gives the same bytes in less time.
#ifndef CPARITY_H
#define CPARITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Loads ISA-L. Returns whether it is there, and gives the same bytes for a few that are tried.
bool sluice_parity_load(void);

// The factor of data block `block` in parity row `row`: 1 / ((capacity + row) xor block). With capacity + row < 256 and
// block < capacity these are the elements of a Cauchy matrix, each square part of which can be inverted.
uint8_t sluice_parity_factor(size_t capacity, size_t row, size_t block);

// Adds the products of `count` bytes with each factor to the target of that factor.
//
// - is_plain: not by ISA-L, even if it is loaded.
void sluice_parity_add(
    const uint8_t *factors, size_t rows, uint8_t *const *targets, const uint8_t *data, size_t count, bool is_plain);

// The same for several blocks of as many bytes, each with its own factors for all targets: block by block in `factors`.
// Targets are read and written once for all of them.
enum { SLUICE_PARITY_MOST_BLOCKS = 8 };
void sluice_parity_add_blocks(
    const uint8_t *factors, size_t rows, uint8_t *const *targets, const uint8_t *const *blocks, size_t block_count,
    size_t count, bool is_plain);

// Numbers of the field. A quotient by 0 is 0.
uint8_t sluice_parity_product(uint8_t a, uint8_t b);
uint8_t sluice_parity_quotient(uint8_t a, uint8_t b);

// CRC-32C (Castagnoli) of some bytes, or of those after others with the CRC `before`.
uint32_t sluice_parity_crc32c(uint32_t before, const uint8_t *data, size_t count);

// A CRC-32C of the last `window` bytes, which moves over bytes one by one.
struct sluice_rolling_crc {
    size_t window;
    uint32_t value;
    // The register after a byte, and what a byte has left in the register when it leaves the window.
    uint32_t in[256], out[256];
    // The CRC of as many zeros.
    uint32_t zeros;
};

void sluice_rolling_crc_begin(struct sluice_rolling_crc *rolling, size_t window);

// Takes the first `window` bytes.
void sluice_rolling_crc_fill(struct sluice_rolling_crc *rolling, const uint8_t *data);

// Moves over the bytes from `position` + 1 on, until the window that begins at a position has a CRC that the filter
// has: the bit of its low 20 bits. `data` holds `count` positions and the window after the last one.
//
// Returns the position, or `count` if there is none; the value is then that of the last position.
size_t sluice_rolling_crc_find(
    struct sluice_rolling_crc *rolling, const uint8_t *data, size_t position, size_t count, const uint64_t filter[16384]);

// The last place before `end` where these eight bytes are; `count` if there is none. `data` has `count` bytes.
size_t sluice_find_last(const uint8_t *data, size_t count, size_t end, const uint8_t tag[8]);

#endif
