// Finds and parses the sections of a block (RFC 8878, 3.1.1.3).
#include "bits.h"
#include "tables.h"

static bool read_literals_header(const uint8_t *bytes, const uint8_t *end, stages_literals *header) {
    if (end - bytes < 1) return false;
    int format = bytes[0] >> 2 & 3;
    header->type = bytes[0] & 3;
    if (header->type < 2) {
        int length = format == 1 ? 2 : format == 3 ? 3 : 1;
        if (end - bytes < length) return false;
        header->count = length == 1 ? bytes[0] >> 3 : low_bits(load(bytes), length * 8) >> 4;
        header->size = header->type == 0 ? header->count : 1;
        header->bytes = bytes + length;
    } else {
        static const int lengths[] = {3, 3, 4, 5}, widths[] = {10, 10, 14, 18};
        int length = lengths[format], width = widths[format];
        if (end - bytes < length) return false;
        uint64_t bits = load(bytes) >> 4;
        header->streams = format == 0 ? 1 : 4;
        header->count = low_bits(bits, width);
        header->size = low_bits(bits >> width, width);
        header->bytes = bytes + length;
    }
    return header->count <= STAGES_BLOCK_SIZE;
}

static bool read_sequences_header(const uint8_t *bytes, const uint8_t *end, stages_sequences *header) {
    if (end - bytes < 1) return false;
    uint32_t first = *bytes++;
    header->count = first;
    header->bytes = bytes;
    if (first == 0) return true;
    int more = first < 128 ? 0 : first < 255 ? 1 : 2;
    if (end - bytes < more + 1) return false;
    if (more == 1) header->count = ((first - 128) << 8) + bytes[0];
    if (more == 2) header->count = bytes[0] + (bytes[1] << 8) + 0x7F00;
    int modes = bytes[more];
    for (int kind = 0; kind < 3; kind++) header->modes[kind] = modes >> (6 - 2 * kind) & 3;
    header->bytes = bytes + more + 1;
    // Reject reserved bits, and a count of 0 in two bytes, which has modes: versions of libzstd differ there.
    return (modes & 3) == 0 && header->count > 0;
}

static stages_description describe(stages_finder *finder, const uint8_t *bytes, const uint8_t *end) {
    size_t size = end - bytes;
    if (size > STAGES_DESCRIPTION_SIZE) size = STAGES_DESCRIPTION_SIZE;
    return (stages_description){bytes, size, finder->descriptions};
}

bool stages_find(stages_finder *finder, const uint8_t *header, stages_found *found) {
    uint64_t bits = load(header);
    const uint8_t *bytes = header + STAGES_BLOCK_HEADER_SIZE, *end = bytes + stages_length(header);
    *found = (stages_found){.type = bits >> 1 & 3, .is_last = bits & 1, .size = low_bits(bits, 24) >> 3, .bytes = bytes};
    if (found->type > STAGES_COMPRESSED || found->size > finder->block_size) return false;
    if (found->type != STAGES_COMPRESSED) return true;
    stages_literals *literals = &found->literals;
    stages_sequences *sequences = &found->sequences;
    if (!read_literals_header(bytes, end, literals)) return false;
    if (literals->size > (size_t)(end - literals->bytes)) return false;
    const uint8_t *section = literals->bytes + literals->size;
    if (!read_sequences_header(section, end, sequences)) return false;
    finder->descriptions++;
    if (literals->type == 2) finder->codes = describe(finder, bytes, end);
    found->codes = finder->codes;
    if (literals->type == 3 && found->codes.number == 0) return false;
    for (int kind = 0; kind < 3 && sequences->count > 0; kind++) {
        if (sequences->modes[kind] != 3) finder->tables[kind] = describe(finder, section, end);
        found->tables[kind] = finder->tables[kind];
        if (found->tables[kind].number == 0) return false;
    }
    return true;
}

static void keep(stages_description *description, uint8_t *room) {
    if (description->number == 0) return;
    memmove(room, description->bytes, description->size);
    description->bytes = room;
}

void stages_keep(stages_finder *finder, uint8_t *room) {
    size_t size = STAGES_DESCRIPTION_SIZE + STAGES_SLACK;
    keep(&finder->codes, room);
    for (int kind = 0; kind < 3; kind++) keep(&finder->tables[kind], room + (kind + 1) * size);
}

const uint8_t *stages_find_codes(const stages_description *described, const uint8_t **limit) {
    stages_literals header;
    *limit = described->bytes + described->size;
    if (!read_literals_header(described->bytes, *limit, &header)) return NULL;
    if (header.size < (size_t)(*limit - header.bytes)) *limit = header.bytes + header.size;
    return header.bytes;
}

const uint8_t *stages_find_table(int kind, const stages_description *described, int *mode, const uint8_t **limit) {
    stages_sequences header;
    *limit = described->bytes + described->size;
    if (!read_sequences_header(described->bytes, *limit, &header)) return NULL;
    const uint8_t *bytes = header.bytes;
    for (int i = 0; i < kind && bytes; i++) bytes = stages_read_table(i, header.modes[i], bytes, *limit, NULL);
    *mode = header.modes[kind];
    return bytes;
}
