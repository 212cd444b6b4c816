// two_stages: what the two stages of decoding one frame cost (Sources/CStages), apart and together, without anything of
// sluice around them. It maps FILE, decompresses it on THREADS threads, verifies the checksum, and prints one JSON
// line: seconds that each stage was busy, and of the whole. With -s one thread does one stage after the other, batch by
// batch; with -c the content goes to standard output, and no figures.
//
//   cc -O2 -ISources/CStages/include Sources/CStages/*.c Benchmarks/two_stages.c -lxxhash -lpthread -o two_stages
//   ./two_stages [-t THREADS] [-s] [-c] FILE
#define _GNU_SOURCE
#include <CStages.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

enum { BATCHES = 8 };

typedef struct {
    stages_batch *blocks;
    bool is_decoded;
    uint8_t *content;
    size_t size;
} Batch;

static stages_finder finder = {.block_size = STAGES_BLOCK_SIZE};
static const uint8_t *next_block, *input_end;
static stages_history history = {.repeats = {1, 4, 8}};
static Batch batches[BATCHES];
static uint8_t *ring;
static size_t ring_size;
static XXH64_state_t *checksum;

// Batches from `hashed` to `executed` wait for the checksum, those to `found` for execution.
static uint64_t found, executed, hashed;
static bool has_found_last, has_ended, is_executing, is_hashing;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static double busy[3];
static bool prints_content;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static void fail(const char *reason) {
    fprintf(stderr, "two-stages: %s\n", reason);
    exit(1);
}

/// Memory whose end is followed by its start, so that a window never ends at an edge.
static uint8_t *map_twice(size_t size) {
    int memory = memfd_create("window", MFD_CLOEXEC);
    if (memory < 0 || ftruncate(memory, size) != 0) fail("no memory");
    uint8_t *place = mmap(NULL, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) fail("no memory");
    for (int i = 0; i < 2; i++)
        if (mmap(place + i * size, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_POPULATE, memory, 0) == MAP_FAILED)
            fail("no memory");
    close(memory);
    return place;
}

static void find_batch(Batch *batch) {
    batch->is_decoded = false;
    stages_begin_batch(batch->blocks, &finder);
    next_block += stages_fill_batch(batch->blocks, &finder, next_block, input_end - next_block);
    if (batch->blocks->is_refused) fail("a block that is refused");
    if (!stages_is_full(batch->blocks)) fail("it is cut");
    has_found_last = batch->blocks->has_last;
}

static void decode_batch(stages_tables *tables, Batch *batch) {
    if (!stages_decode_batch(batch->blocks, tables)) fail("a block that is refused");
}

static void execute_batch(Batch *batch) {
    size_t place = history.produced % ring_size;
    // Whichever of the two has the window in front of it.
    batch->content = ring + (place < history.window ? ring_size : 0) + place;
    int64_t size = stages_execute_batch(batch->blocks, &history, batch->content);
    if (size < 0) fail("a block that is refused");
    batch->size = size;
}

static void hash_batch(Batch *batch) {
    if (checksum) XXH64_update(checksum, batch->content, batch->size);
    for (size_t done = 0; prints_content && done < batch->size;) {
        ssize_t count = write(STDOUT_FILENO, batch->content + done, batch->size - done);
        if (count <= 0) fail("can't write");
        done += count;
    }
}

static void *work(void *argument) {
    bool executes_first = argument != NULL;
    stages_tables *tables = stages_make_tables();
    pthread_mutex_lock(&lock);
    while (!has_ended) {
        Batch *next = &batches[executed % BATCHES];
        bool can_execute = !is_executing && executed < found && next->is_decoded;
        bool can_decode = !has_found_last && found - hashed < BATCHES;
        double start = now();
        if (can_execute && (executes_first || !can_decode)) {
            is_executing = true;
            pthread_mutex_unlock(&lock);
            execute_batch(next);
            pthread_mutex_lock(&lock);
            is_executing = false;
            executed++;
            busy[1] += now() - start;
        } else if (!is_hashing && hashed < executed && (!executes_first || !can_decode || executed - hashed > 3)) {
            is_hashing = true;
            Batch *batch = &batches[hashed % BATCHES];
            pthread_mutex_unlock(&lock);
            hash_batch(batch);
            pthread_mutex_lock(&lock);
            is_hashing = false;
            hashed++;
            has_ended = batch->blocks->has_last;
            busy[2] += now() - start;
        } else if (can_decode) {
            Batch *batch = &batches[found++ % BATCHES];
            find_batch(batch);
            pthread_mutex_unlock(&lock);
            decode_batch(tables, batch);
            pthread_mutex_lock(&lock);
            batch->is_decoded = true;
            busy[0] += now() - start;
        } else {
            pthread_cond_wait(&change, &lock);
            continue;
        }
        pthread_cond_broadcast(&change);
    }
    pthread_mutex_unlock(&lock);
    stages_free_tables(tables);
    return NULL;
}

static void read_header(const uint8_t *bytes, size_t size) {
    if (size < 18 || memcmp(bytes, "\x28\xB5\x2F\xFD", 4) != 0) fail("no frame");
    int flags = bytes[4], is_single = flags >> 5 & 1, identifier = (int[]){0, 1, 2, 4}[flags & 3];
    int width = flags >> 6 ? 1 << (flags >> 6) : is_single;
    const uint8_t *next = bytes + 5;
    if (flags & 8 || identifier) fail("a header that is refused");
    if (!is_single) {
        history.window = (uint64_t)1 << (10 + (*next >> 3));
        history.window += history.window / 8 * (*next & 7);
        next++;
    }
    uint64_t content = 0;
    memcpy(&content, next, width);
    if (width == 2) content += 256;
    if (is_single) history.window = content;
    if (history.window < finder.block_size) finder.block_size = history.window;
    if (flags & 4) XXH64_reset(checksum = XXH64_createState(), 0);
    next_block = next + width;
    input_end = bytes + size;
}

int main(int count, char **words) {
    int threads = 2, option;
    bool is_apart = false;
    while ((option = getopt(count, words, "t:sc")) != -1) {
        if (option == 't') threads = atoi(optarg);
        if (option == 's') is_apart = true;
        if (option == 'c') prints_content = true;
    }
    int file = open(words[optind], O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) fail("can't open");
    // The page behind may be read.
    uint8_t *input = mmap(NULL, status.st_size + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (input == MAP_FAILED || mmap(input, status.st_size, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0) == MAP_FAILED)
        fail("no memory");
    double start = now();
    read_header(input, status.st_size);
    ring_size = (history.window + (BATCHES + 1) * STAGES_BATCH_SIZE + 4095) / 4096 * 4096;
    ring = map_twice(ring_size);
    for (int i = 0; i < BATCHES; i++) batches[i].blocks = stages_make_batch();
    if (is_apart) {
        stages_tables *tables = stages_make_tables();
        while (!has_found_last) {
            double times[4] = {now()};
            Batch *batch = &batches[found++ % BATCHES];
            find_batch(batch);
            decode_batch(tables, batch);
            times[1] = now();
            execute_batch(batch);
            times[2] = now();
            hash_batch(batch);
            times[3] = now();
            for (int i = 0; i < 3; i++) busy[i] += times[i + 1] - times[i];
        }
    } else {
        pthread_t others[64];
        for (int i = 1; i < threads; i++) pthread_create(&others[i], NULL, work, NULL);
        work(&threads);
        for (int i = 1; i < threads; i++) pthread_join(others[i], NULL);
    }
    if (checksum) {
        uint32_t stored;
        memcpy(&stored, next_block, sizeof stored);
        if (stored != (uint32_t)XXH64_digest(checksum)) fail("a checksum that is wrong");
    }
    if (prints_content) return 0;
    printf(
        "{\"entropySeconds\": %.3f, \"executionSeconds\": %.3f, \"checksumSeconds\": %.3f, \"seconds\": %.3f}\n", busy[0],
        busy[1], busy[2], now() - start);
    return 0;
}
