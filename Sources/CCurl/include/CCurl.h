// Requests by libcurl, which is loaded when the first one is made: a run without a URL does not pay for it.
#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A connection, which is kept between requests. One thread at a time may use it; any thread may wake it.
struct sluice_connection;

// A request for a resource, or a range of it. Texts that are NULL are not used.
struct sluice_request {
    const char *url;
    // Such as "0-99", or "-100" for the last hundred bytes.
    const char *range;
    // Who asks, unless a header line says so.
    const char *agent;
    // Further header lines.
    const char *const *lines;
    size_t line_count;
    // The name and password of the URL, or the keys that sign the request.
    const char *user;
    const char *password;
    // The service and region that the request is signed for, such as "aws:amz:eu-west-1:s3".
    const char *signature;
    // Whether ~/.netrc may have a name and password for the host.
    bool uses_netrc;
    // A file, and a folder, of certificates to trust; NULL for libcurl's own.
    const char *certificates;
    const char *certificate_folder;
    // Seconds without a byte in either direction after which the request fails.
    long patience;
    // Seconds after which the request fails, however much has come; 0 for none.
    long limit;
    // The method; NULL for GET, or for POST where there is a form.
    const char *method;
    // What is sent as a form; NULL for nothing.
    const void *body_sent;
    size_t body_size;
    // What is sent as it is, with the method; NULL for nothing. An empty content is not NULL.
    const void *content;
    size_t content_size;
    // Whether it goes to the server itself, even if there is a proxy for that.
    bool is_direct;
    // Passed to the functions.
    void *context;
    // Receives each line of each header, a status line first. Returns false to end the request.
    bool (*header)(void *context, const char *line, size_t count);
    // Receives bytes of the body. Returns false to end the request.
    bool (*body)(void *context, const void *bytes, size_t count);
    // Called with the number of bytes of the content that have been sent so far. It starts at 0 again if the content
    // is sent again. NULL for no calls.
    void (*sent)(void *context, size_t count);
};

enum sluice_outcome {
    SLUICE_ANSWERED,
    // The body or header function ended the request.
    SLUICE_REFUSED,
    SLUICE_CANCELLED,
    // Another try may succeed: the connection failed, or nothing came for too long.
    SLUICE_UNREACHABLE,
    // The same, before anything of an answer came, as where a server takes no more connections.
    SLUICE_TURNED_AWAY,
    // No name server knows the host.
    SLUICE_UNKNOWN_HOST,
    // The system does not let this process connect there.
    SLUICE_NOT_PERMITTED,
    SLUICE_FAILED,
};

struct sluice_answer {
    enum sluice_outcome outcome;
    long status;
    // Whether it is the proxy that can't be reached.
    bool is_of_proxy;
    // Whether libcurl has sent the content once more by itself: a connection that was kept had died.
    bool is_repeated;
    // Why there is no answer, as libcurl says it.
    char error[256];
};

// Loads libcurl. Returns NULL, or why it can't be loaded.
const char *sluice_curl_load(void);

// The version of the library that was loaded.
const char *sluice_curl_version(void);

// Whether it signs lines in the order of their names; before 8.10 it compares names with what follows them.
bool sluice_curl_sorts_names(void);

// NULL if there is no memory. Connections share what they know of names and TLS sessions.
struct sluice_connection *sluice_connection_create(void);
void sluice_connection_destroy(struct sluice_connection *connection);

// Makes a request, and waits for the answer; `answer` says what came of it. SIGPIPE is not raised.
void sluice_connection_perform(
    struct sluice_connection *connection, const struct sluice_request *request, struct sluice_answer *answer);

// Ends the current request, and all that follow.
void sluice_connection_cancel(struct sluice_connection *connection);

// The target of a redirection, relative to the URL that was asked; NULL if it is not a URL of HTTP. Free it.
char *sluice_resolve_url(const char *base, const char *target);

// Seconds since 1970 of a date in a header; -1 if it is not a date.
int64_t sluice_parse_date(const char *text);

enum sluice_digest { SLUICE_MD5, SLUICE_SHA256 };

// Computes a digest, 16 or 32 bytes long, by the TLS library that libcurl has brought. `is_over` is asked now and then,
// and may be NULL. Returns false if that library is none that is known, or refuses, or if `is_over` returns true.
bool sluice_compute_digest(
    enum sluice_digest digest, const void *bytes, size_t count, unsigned char *result, bool (*is_over)(void *),
    void *context);

// The checksum CRC-32C (RFC 3720, B.4).
uint32_t sluice_crc32c(const void *bytes, size_t count);

#endif
