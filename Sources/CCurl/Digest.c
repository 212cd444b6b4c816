#define _GNU_SOURCE
#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

// OpenSSL's functions (openssl/evp.h), or those of GnuTLS (gnutls/crypto.h). Nothing is loaded here: one of these
// libraries has come with libcurl, and a process that is confined could not load another.
static struct {
    const void *(*kinds[2])(void);
    void *(*create)(void);
    int (*begin)(void *state, const void *kind, void *engine);
    int (*add)(void *state, const void *bytes, size_t count);
    int (*end)(void *state, unsigned char *result, unsigned *size);
    void (*destroy)(void *state);
} openssl;

static struct {
    int (*create)(void **state, int algorithm);
    int (*add)(void *state, const void *bytes, size_t count);
    void (*end)(void *state, void *result);
} gnutls;

static bool has_openssl, has_gnutls;

static void find(void) {
    static const char *const names[] = {"libcrypto.so.4", "libcrypto.so.3", "libcrypto.so.1.1", "libgnutls.so.30"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_NOLOAD);
        if (library == NULL) continue;
#define FIND(place, name) (*(void **)&place = dlsym(library, name)) != NULL
        has_openssl = FIND(openssl.kinds[SLUICE_MD5], "EVP_md5") && FIND(openssl.kinds[SLUICE_SHA256], "EVP_sha256")
            && FIND(openssl.create, "EVP_MD_CTX_new") && FIND(openssl.begin, "EVP_DigestInit_ex")
            && FIND(openssl.add, "EVP_DigestUpdate") && FIND(openssl.end, "EVP_DigestFinal_ex")
            && FIND(openssl.destroy, "EVP_MD_CTX_free");
        has_gnutls = FIND(gnutls.create, "gnutls_hash_init") && FIND(gnutls.add, "gnutls_hash")
            && FIND(gnutls.end, "gnutls_hash_deinit");
#undef FIND
        return;
    }
}

// Whether a library is there: before libcurl there may be none, so that it is looked for again.
static bool is_found(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (!has_openssl && !has_gnutls) find();
    bool result = has_openssl || has_gnutls;
    pthread_mutex_unlock(&lock);
    return result;
}

// The bytes between two questions whether the digest is still wanted: a few milliseconds.
static const size_t most_of_piece = 1 << 20;

// Adds all bytes by `add`, which returns `success`.
static bool add_all(
    int (*add)(void *, const void *, size_t), int success, void *state, const unsigned char *bytes, size_t count,
    bool (*is_over)(void *), void *context) {
    for (size_t done = 0; done < count;) {
        if (is_over != NULL && is_over(context)) return false;
        size_t size = count - done < most_of_piece ? count - done : most_of_piece;
        if (add(state, bytes + done, size) != success) return false;
        done += size;
    }
    return true;
}

bool sluice_compute_digest(
    enum sluice_digest digest, const void *bytes, size_t count, unsigned char *result, bool (*is_over)(void *),
    void *context) {
    if (!is_found()) return false;
    if (has_openssl) {
        void *state = openssl.create();
        bool is_done = state != NULL && openssl.begin(state, openssl.kinds[digest](), NULL) == 1
            && add_all(openssl.add, 1, state, bytes, count, is_over, context)
            && openssl.end(state, result, NULL) == 1;
        openssl.destroy(state);
        return is_done;
    }
    void *state = NULL;
    // GNUTLS_DIG_MD5 and GNUTLS_DIG_SHA256.
    if (gnutls.create(&state, digest == SLUICE_MD5 ? 2 : 6) != 0) return false;
    bool is_done = add_all(gnutls.add, 0, state, bytes, count, is_over, context);
    gnutls.end(state, result);
    return is_done;
}

static uint32_t table[256];

static void fill_table(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++) value = value & 1 ? value >> 1 ^ 0x82F63B78u : value >> 1;
        table[i] = value;
    }
}

static uint32_t append(uint32_t value, const unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) value = value >> 8 ^ table[(value ^ bytes[i]) & 0xFF];
    return value;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2")))
static uint32_t append_words(uint32_t value, const unsigned char *bytes, size_t count) {
    uint64_t wide = value;
    for (size_t i = 0; i < count; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, 8);
        wide = _mm_crc32_u64(wide, word);
    }
    return (uint32_t)wide;
}
#endif

uint32_t sluice_crc32c(const void *bytes, size_t count) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_table);
    uint32_t value = ~0u;
    size_t done = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.2")) {
        done = count & ~(size_t)7;
        value = append_words(value, bytes, done);
    }
#endif
    return ~append(value, (const unsigned char *)bytes + done, count - done);
}
