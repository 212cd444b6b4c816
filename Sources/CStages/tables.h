// Tables and codes, and where a block describes them (RFC 8878, 3.1.1.3 and 4).
#ifndef SLUICE_CSTAGES_TABLES_H
#define SLUICE_CSTAGES_TABLES_H

#include "CStages.h"

enum { LITERAL_LENGTHS, OFFSETS, MATCH_LENGTHS };
enum { HUFFMAN_LOG = 11 };
enum { WIDE = 32 }; // added to the extra bits of lengths that may not fit 16 bits

/// A state of a table of finite state entropy: what it stands for, and how to go on.
typedef struct {
    uint8_t extra_bits; // of the value
    uint8_t state_bits; // of the next state
    uint16_t next;      // what is added to them
    uint32_t base;      // of the value
} State;

typedef struct {
    State states[512];
    int log;
} Table;

/// A symbol above, and below the bits that its code takes.
typedef uint16_t Code;

struct stages_tables {
    // With the number of the description that each was made from.
    Code codes[1 << HUFFMAN_LOG];
    uint32_t codes_number;
    Table tables[3];
    uint32_t table_numbers[3];
};

/// Reads the description of one table.
///
/// - Parameter table: NULL to find only the byte after.
/// - Returns: the byte after; NULL if it is not to be believed.
const uint8_t *stages_read_table(int kind, int mode, const uint8_t *bytes, const uint8_t *end, Table *table);

/// Reads the codes of literals (4.2.1).
///
/// - Returns: the byte after; NULL if they are not to be believed.
const uint8_t *stages_read_codes(const uint8_t *bytes, const uint8_t *end, Code *codes);

// Sections of a block

/// Where the section that a description begins with describes the codes.
///
/// - Returns: the first byte; NULL if it is not to be believed.
const uint8_t *stages_find_codes(const stages_description *described, const uint8_t **limit);

/// The same for one of the tables.
const uint8_t *stages_find_table(int kind, const stages_description *described, int *mode, const uint8_t **limit);

#endif
