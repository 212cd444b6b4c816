// Tables and codes, and where a block describes them (RFC 8878, 3.1.1.3 and 4).
#ifndef SLUICE_CSTAGES_TABLES_H
#define SLUICE_CSTAGES_TABLES_H

#include "CStages.h"

enum { LITERAL_LENGTHS, OFFSETS, MATCH_LENGTHS };
enum { HUFFMAN_LOG = 11 };
enum { WIDE = 32 }; // added to the extra bits of lengths that may not fit 16 bits

/// A state of a finite state entropy table: the value it stands for, and how to get to the next state.
typedef struct {
    uint8_t extra_bits; // of the value
    uint8_t state_bits; // of the next state
    uint16_t next;      // what is added to these bits
    uint32_t base;      // of the value
} State;

typedef struct {
    State states[512];
    int log;
} Table;

/// A symbol in the high byte, and the number of bits of its code in the low byte.
typedef uint16_t Code;

struct stages_tables {
    // Each with the number of the description that it was made from.
    Code codes[1 << HUFFMAN_LOG];
    uint32_t codes_number;
    Table tables[3];
    uint32_t table_numbers[3];
};

/// Reads the description of one table.
///
/// - Parameter table: NULL only to find the end of the description.
/// - Returns: the byte after it; NULL if it is invalid.
const uint8_t *stages_read_table(int kind, int mode, const uint8_t *bytes, const uint8_t *end, Table *table);

/// Reads the codes of literals (4.2.1).
///
/// - Returns: the byte after them; NULL if they are invalid.
const uint8_t *stages_read_codes(const uint8_t *bytes, const uint8_t *end, Code *codes);

// Sections of a block

/// Finds where codes are described in the section that a description refers to.
///
/// - Returns: the first byte of the codes; NULL if the section is invalid.
const uint8_t *stages_find_codes(const stages_description *described, const uint8_t **limit);

/// The same for one of the tables.
const uint8_t *stages_find_table(int kind, const stages_description *described, int *mode, const uint8_t **limit);

#endif
