#define _GNU_SOURCE
#include "CIsal.h"
#include "HandOver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static struct {
    void (*init)(struct isal_inflate_state *);
    void (*reset)(struct isal_inflate_state *);
    int (*inflate)(struct isal_inflate_state *);
    char version[32];
    bool is_loaded;
} isal;

// The library does not say its version: its file does, such as libisal.so.2.0.30 of ISA-L 2.30.
static void find_version(void) {
    Dl_info info;
    if (dladdr(*(void **)&isal.inflate, &info) == 0) return;
    char *file = realpath(info.dli_fname, NULL), *end = file == NULL ? NULL : strstr(file, ".so.");
    if (end != NULL && strlen(end + 4) < sizeof isal.version) strcpy(isal.version, end + 4);
    free(file);
}

static void load(void) {
    void *library = dlopen("libisal.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    *(void **)&isal.init = dlsym(library, "isal_inflate_init");
    *(void **)&isal.reset = dlsym(library, "isal_inflate_reset");
    *(void **)&isal.inflate = dlsym(library, "isal_inflate");
    isal.is_loaded = isal.init != NULL && isal.reset != NULL && isal.inflate != NULL;
}

bool sluice_isal_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return isal.is_loaded;
}

const char *sluice_isal_version(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (isal.is_loaded) pthread_once(&once, find_version);
    return isal.version;
}

// Behind the state there are bytes that the library must not touch.
enum { MARGIN = 4096, MARK = 0xA5 };

struct sluice_inflater {
    struct isal_inflate_state state;
    uint8_t margin[MARGIN];
    // The state before the last call, without content that it did not have.
    struct isal_inflate_state before;
    // Whether the data has not begun, now and before the last call.
    bool is_fresh, was_fresh;
    // The bytes that were taken, without those that were given back.
    uint64_t taken;
};

struct sluice_inflater *sluice_inflater_create(void) {
    struct sluice_inflater *inflater = malloc(sizeof *inflater);
    if (inflater == NULL) return NULL;
    memset(inflater->margin, MARK, MARGIN);
    isal.init(&inflater->state);
    inflater->state.crc_flag = ISAL_CHECKSUM_ONLY;
    inflater->is_fresh = true;
    inflater->taken = 0;
    return inflater;
}

void sluice_inflater_destroy(struct sluice_inflater *inflater) { free(inflater); }

size_t sluice_inflater_size(void) { return sizeof(struct sluice_inflater); }

void sluice_inflater_begin(struct sluice_inflater *inflater) {
    if (!inflater->is_fresh) isal.reset(&inflater->state);
    inflater->is_fresh = true;
    inflater->taken = 0;
}

// Whether the library did only what it may: `keep` and `describe` believe the state, and the caller what was taken and
// written.
static bool is_sound(const struct sluice_inflater *inflater, const struct sluice_inflating *work) {
    const struct isal_inflate_state *state = &inflater->state;
    // Addresses that may lie outside of the buffers are compared as numbers.
    intptr_t taken = (intptr_t)state->next_in - (intptr_t)work->input;
    intptr_t written = (intptr_t)state->next_out - (intptr_t)work->output;
    if (inflater->margin[0] != MARK || memcmp(inflater->margin, inflater->margin + 1, MARGIN - 1) != 0) return false;
    if (!has_place(state) || written < 0 || (size_t)written > work->output_count) return false;
    if (taken > 0 && (size_t)taken > work->input_count) return false;
    if (state->block_state != ISAL_FINISHED) return taken >= 0;
    // The library gives back whole bytes of the eight that it holds, or has done so.
    taken -= state->read_in_length / 8;
    return taken >= -(intptr_t)sizeof state->read_in && (taken >= 0 || (uint64_t)-taken <= inflater->taken);
}

// Keeps the state as it is, for `sluice_inflater_hand_over`.
static void keep(struct sluice_inflater *inflater) {
    inflater->was_fresh = inflater->is_fresh;
    inflater->is_fresh = false;
    if (inflater->was_fresh) return;
    size_t content = (size_t)inflater->state.tmp_out_valid;
    memcpy(&inflater->before, &inflater->state, offsetof(struct isal_inflate_state, tmp_out_buffer) + content);
}

enum sluice_inflated sluice_inflate(struct sluice_inflater *inflater, struct sluice_inflating *work) {
    // The library counts in 32 bits; the caller comes again with the rest.
    static const size_t most = 1 << 30;
    struct isal_inflate_state *state = &inflater->state;
    keep(inflater);
    state->next_in = (uint8_t *)work->input;
    state->avail_in = (uint32_t)(work->input_count < most ? work->input_count : most);
    state->next_out = work->output;
    state->avail_out = (uint32_t)(work->output_count < most ? work->output_count : most);
    int code = isal.inflate(state);
    if (code != 0 || !is_sound(inflater, work)) return SLUICE_INFLATE_REFUSES;
    work->taken = state->next_in - work->input;
    work->written = (size_t)(state->next_out - work->output);
    // Later versions than 2.30 have given them back, and keep none.
    if (state->block_state == ISAL_FINISHED) work->taken -= state->read_in_length / 8;
    inflater->taken += (uint64_t)work->taken;
    return state->block_state == ISAL_FINISHED ? SLUICE_INFLATED : SLUICE_INFLATES;
}

uint32_t sluice_inflater_checksum(const struct sluice_inflater *inflater) { return inflater->state.crc; }

bool sluice_inflater_hand_over(const struct sluice_inflater *inflater, bool before, struct sluice_handover *handover) {
    *handover = (struct sluice_handover){0};
    if (before ? inflater->was_fresh : inflater->is_fresh) return true;
    return describe(before ? &inflater->before : &inflater->state, handover);
}
