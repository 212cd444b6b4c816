#define _GNU_SOURCE
#include "CCurl.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <time.h>

// libcurl's functions, by their own names.
#define FUNCTIONS(USE) \
    USE(curl_global_init) USE(curl_version_info) USE(curl_free) USE(curl_getdate) \
    USE(curl_easy_init) USE(curl_easy_cleanup) USE(curl_easy_reset) USE(curl_easy_setopt) USE(curl_easy_getinfo) \
    USE(curl_easy_strerror) USE(curl_multi_init) USE(curl_multi_cleanup) USE(curl_multi_setopt) \
    USE(curl_multi_add_handle) USE(curl_multi_remove_handle) USE(curl_multi_perform) USE(curl_multi_poll) \
    USE(curl_multi_wakeup) USE(curl_multi_fdset) USE(curl_multi_info_read) USE(curl_share_init) USE(curl_share_setopt) \
    USE(curl_slist_append) USE(curl_slist_free_all) \
    USE(curl_url) USE(curl_url_cleanup) USE(curl_url_set) USE(curl_url_get)

// The macros of the header check the types of arguments that are not named in a pointer's type.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt
#undef curl_share_setopt

#define DECLARE(name) __typeof__(&name) name;
static struct { FUNCTIONS(DECLARE) } curl;

static const char *load_error;
static CURLSH *shared;
static pthread_mutex_t locks[CURL_LOCK_DATA_LAST];

static void lock(CURL *handle, curl_lock_data data, curl_lock_access access, void *context) {
    (void)handle, (void)access, (void)context;
    pthread_mutex_lock(&locks[data]);
}

static void unlock(CURL *handle, curl_lock_data data, void *context) {
    (void)handle, (void)context;
    pthread_mutex_unlock(&locks[data]);
}

static void load(void) {
    // Debian has one library for each of two TLS libraries.
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
    void *library = NULL;
    for (size_t i = 0; library == NULL && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        load_error = "there is no libcurl.so.4";
        return;
    }
#define FIND(name) \
    if ((*(void **)&curl.name = dlsym(library, #name)) == NULL) { load_error = "this libcurl has no " #name; return; }
    FUNCTIONS(FIND)
    // 7.85 brought the protocols as text.
    if (curl.curl_version_info(CURLVERSION_NOW)->version_num < 0x075500) {
        load_error = "this libcurl is older than 7.85";
        return;
    }
    if (curl.curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK || (shared = curl.curl_share_init()) == NULL) {
        load_error = "libcurl can't start";
        return;
    }
    for (int i = 0; i < CURL_LOCK_DATA_LAST; i++) pthread_mutex_init(&locks[i], NULL);
    curl.curl_share_setopt(shared, CURLSHOPT_LOCKFUNC, lock);
    curl.curl_share_setopt(shared, CURLSHOPT_UNLOCKFUNC, unlock);
    curl.curl_share_setopt(shared, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS);
    curl.curl_share_setopt(shared, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
}

const char *sluice_curl_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return load_error;
}

bool sluice_curl_sorts_names(void) { return curl.curl_version_info(CURLVERSION_NOW)->version_num >= 0x080A00; }

const char *sluice_curl_version(void) { return curl.curl_version_info(CURLVERSION_NOW)->version; }

struct sluice_connection {
    CURL *easy;
    CURLM *multi;
    atomic_bool is_cancelled;
    const struct sluice_request *request;
    // Whether a function of the request has ended it.
    bool is_refused;
    // Whether the content was sent again from its start.
    bool is_repeated;
    // When the last bytes came or went, in milliseconds.
    int64_t heard;
    // Bytes of the content that libcurl has.
    size_t sent;
    // Bytes that the system still has to send, when that was last asked.
    int queued;
    char error[CURL_ERROR_SIZE];
};

struct sluice_connection *sluice_connection_create(void) {
    struct sluice_connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL) return NULL;
    connection->easy = curl.curl_easy_init();
    connection->multi = curl.curl_multi_init();
    if (connection->easy != NULL && connection->multi != NULL) return connection;
    sluice_connection_destroy(connection);
    return NULL;
}

void sluice_connection_destroy(struct sluice_connection *connection) {
    if (connection->easy != NULL) curl.curl_easy_cleanup(connection->easy);
    if (connection->multi != NULL) curl.curl_multi_cleanup(connection->multi);
    free(connection);
}

void sluice_connection_cancel(struct sluice_connection *connection) {
    atomic_store(&connection->is_cancelled, true);
    curl.curl_multi_wakeup(connection->multi);
}

static int64_t milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static size_t receive_header(char *bytes, size_t size, size_t count, void *context) {
    struct sluice_connection *connection = context;
    connection->is_refused = !connection->request->header(connection->request->context, bytes, size * count);
    connection->heard = milliseconds();
    return connection->is_refused ? 0 : size * count;
}

static size_t receive_body(char *bytes, size_t size, size_t count, void *context) {
    struct sluice_connection *connection = context;
    connection->is_refused = !connection->request->body(connection->request->context, bytes, size * count);
    connection->heard = milliseconds();
    return connection->is_refused ? 0 : size * count;
}

static size_t send_content(char *room, size_t size, size_t count, void *context) {
    struct sluice_connection *connection = context;
    const struct sluice_request *request = connection->request;
    size_t rest = request->content_size - connection->sent;
    if (rest > size * count) rest = size * count;
    memcpy(room, (const char *)request->content + connection->sent, rest);
    connection->sent += rest;
    connection->heard = milliseconds();
    if (request->sent != NULL) request->sent(request->context, connection->sent);
    return rest;
}

// Called where a connection that was kept has died, so that the content is sent on another one.
static int seek_content(void *context, curl_off_t offset, int origin) {
    struct sluice_connection *connection = context;
    if (origin != SEEK_SET || offset < 0 || (size_t)offset > connection->request->content_size)
        return CURL_SEEKFUNC_FAIL;
    if ((size_t)offset < connection->sent) connection->is_repeated = true;
    connection->sent = (size_t)offset;
    return CURL_SEEKFUNC_OK;
}

static CURLcode set_up_content(struct sluice_connection *connection) {
    CURL *easy = connection->easy;
    CURLcode code = CURLE_OK;
#define SET(option, value) if (code == CURLE_OK) code = curl.curl_easy_setopt(easy, option, value)
    SET(CURLOPT_UPLOAD, 1L);
    SET(CURLOPT_INFILESIZE_LARGE, (curl_off_t)connection->request->content_size);
    SET(CURLOPT_READFUNCTION, send_content);
    SET(CURLOPT_READDATA, connection);
    SET(CURLOPT_SEEKFUNCTION, seek_content);
    SET(CURLOPT_SEEKDATA, connection);
    // Servers that know no `Expect` would be waited for. A line without it can't be asked for: it would be signed.
    SET(CURLOPT_EXPECT_100_TIMEOUT_MS, 1L);
    (void)curl.curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, 256L << 10);
#undef SET
    return code;
}

// Tells libcurl what to do.
static CURLcode set_up(struct sluice_connection *connection, struct curl_slist *lines) {
    const struct sluice_request *request = connection->request;
    CURL *easy = connection->easy;
    CURLcode code = CURLE_OK;
    // Connections, names and TLS sessions stay.
    curl.curl_easy_reset(easy);
#define SET(option, value) if (code == CURLE_OK) code = curl.curl_easy_setopt(easy, option, value)
    SET(CURLOPT_URL, request->url);
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    // Redirections are followed by the caller, who keeps secrets from other hosts.
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_SHARE, shared);
    SET(CURLOPT_RANGE, request->range);
    SET(CURLOPT_HTTPHEADER, lines);
    SET(CURLOPT_USERAGENT, request->agent);
    // A stored file as it is: `Content-Encoding` may be about the file (ContentCoding.swift). Not as a header line,
    // which would be signed for S3, and which proxies change.
    SET(CURLOPT_ACCEPT_ENCODING, "identity");
    SET(CURLOPT_HTTP_CONTENT_DECODING, 0L);
    SET(CURLOPT_NETRC, (long)(request->uses_netrc ? CURL_NETRC_OPTIONAL : CURL_NETRC_IGNORED));
    SET(CURLOPT_USERNAME, request->user);
    SET(CURLOPT_PASSWORD, request->password);
    if (request->signature != NULL) { SET(CURLOPT_AWS_SIGV4, request->signature); }
    else { SET(CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC); }
    if (request->certificates != NULL) { SET(CURLOPT_CAINFO, request->certificates); }
    if (request->certificate_folder != NULL) { SET(CURLOPT_CAPATH, request->certificate_folder); }
    SET(CURLOPT_CONNECTTIMEOUT, request->patience);
    SET(CURLOPT_TIMEOUT, request->limit);
    if (request->body_sent != NULL) {
        SET(CURLOPT_POSTFIELDSIZE, (long)request->body_size);
        SET(CURLOPT_POSTFIELDS, request->body_sent);
    }
    if (request->content != NULL && code == CURLE_OK) code = set_up_content(connection);
    if (request->method != NULL && strcmp(request->method, "HEAD") == 0) { SET(CURLOPT_NOBODY, 1L); }
    else if (request->method != NULL) { SET(CURLOPT_CUSTOMREQUEST, request->method); }
    if (request->is_direct) { SET(CURLOPT_NOPROXY, "*"); }
    // Wishes: libcurl refuses the first while it has a buffer, and 7.86 does not know the second, by which the end of a
    // request does not wait for the name of a host.
    (void)curl.curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 256L << 10);
    (void)curl.curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    SET(CURLOPT_ERRORBUFFER, connection->error);
    SET(CURLOPT_HEADERFUNCTION, receive_header);
    SET(CURLOPT_HEADERDATA, connection);
    SET(CURLOPT_WRITEFUNCTION, receive_body);
    SET(CURLOPT_WRITEDATA, connection);
    // Some proxies answer with a header of their own first.
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    return code;
}

// Whether a message of libcurl may hold a secret: those about proxies hold their URLs.
static bool may_hold_secret(const char *error) {
    return strstr(error, "://") != NULL || strchr(error, '@') != NULL || strstr(error, "nsupported proxy") != NULL;
}

// Notes whether the system has sent some of what it has: a slow network takes minutes for that.
static void look_at_queue(struct sluice_connection *connection) {
    fd_set reading, writing, failing;
    int last = -1, queued = 0;
    FD_ZERO(&reading);
    FD_ZERO(&writing);
    FD_ZERO(&failing);
    // The sockets of the one request that there is; none with a number that is too large for a set.
    if (curl.curl_multi_fdset(connection->multi, &reading, &writing, &failing, &last) != CURLM_OK) return;
    for (int file = 0; file <= last; file++) {
        int bytes = 0;
        if ((FD_ISSET(file, &reading) || FD_ISSET(file, &writing)) && ioctl(file, TIOCOUTQ, &bytes) == 0)
            queued += bytes;
    }
    if (queued != connection->queued) connection->heard = milliseconds();
    connection->queued = queued;
}

// How long the server may still be silent, in milliseconds. libcurl's own limit looks at an average of seconds, and
// ends connecting by another one.
static int64_t patience(struct sluice_connection *connection) {
    curl_off_t ready = 0;
    curl.curl_easy_getinfo(connection->easy, CURLINFO_PRETRANSFER_TIME_T, &ready);
    if (ready == 0) connection->heard = milliseconds();
    else if (connection->sent > 0 && milliseconds() - connection->heard >= 900) look_at_queue(connection);
    return connection->heard + connection->request->patience * 1000 - milliseconds();
}

// Runs the request until it ends or is cancelled.
static CURLcode run(struct sluice_connection *connection) {
    int running = 1, count;
    CURLMsg *message;
    while (running > 0) {
        if (atomic_load(&connection->is_cancelled)) return CURLE_ABORTED_BY_CALLBACK;
        if (curl.curl_multi_perform(connection->multi, &running) != CURLM_OK) return CURLE_OUT_OF_MEMORY;
        if (running == 0) break;
        int64_t left = patience(connection);
        if (left <= 0) {
            snprintf(connection->error, sizeof connection->error, "nothing came from the server for %ld s",
                connection->request->patience);
            return CURLE_OPERATION_TIMEDOUT;
        }
        int most = left < 1000 ? (int)left : 1000;
        if (curl.curl_multi_poll(connection->multi, NULL, 0, most, NULL) != CURLM_OK) return CURLE_OUT_OF_MEMORY;
    }
    while ((message = curl.curl_multi_info_read(connection->multi, &count)) != NULL)
        if (message->msg == CURLMSG_DONE) return message->data.result;
    return CURLE_FAILED_INIT;
}

// Whether the host that can't be connected to is another one than the URL's: then it is a proxy. libcurl says so by
// itself from 8.7 on only.
static bool is_of_proxy(struct sluice_connection *connection, CURLcode code) {
    if (code == CURLE_COULDNT_RESOLVE_PROXY || code == CURLE_PROXY) return true;
    char host[256], *own = NULL, *own_port = NULL;
    unsigned port;
    bool is_other = false;
    if (code != CURLE_COULDNT_CONNECT) return false;
    if (strstr(connection->error, " via ") != NULL) return true;
    if (sscanf(connection->error, "Failed to connect to %255s port %u", host, &port) != 2) return false;
    CURLU *url = curl.curl_url();
    if (url != NULL && curl.curl_url_set(url, CURLUPART_URL, connection->request->url, 0) == CURLUE_OK
        && curl.curl_url_get(url, CURLUPART_HOST, &own, 0) == CURLUE_OK
        && curl.curl_url_get(url, CURLUPART_PORT, &own_port, CURLU_DEFAULT_PORT) == CURLUE_OK) {
        // An address of IPv6 is in brackets only within a URL.
        size_t length = strlen(own);
        bool is_address = length > 1 && own[0] == '[' && own[length - 1] == ']';
        if (is_address) own[length - 1] = 0;
        is_other = strcasecmp(is_address ? own + 1 : own, host) != 0 || (unsigned)atoi(own_port) != port;
    }
    curl.curl_free(own);
    curl.curl_free(own_port);
    curl.curl_url_cleanup(url);
    return is_other;
}

static enum sluice_outcome outcome(
    struct sluice_connection *connection, CURLcode code, const struct sluice_answer *answer) {
    if (connection->is_refused) return SLUICE_REFUSED;
    switch (code) {
    case CURLE_OK: return SLUICE_ANSWERED;
    case CURLE_ABORTED_BY_CALLBACK: return SLUICE_CANCELLED;
    case CURLE_COULDNT_RESOLVE_PROXY: case CURLE_COULDNT_RESOLVE_HOST: return SLUICE_UNKNOWN_HOST;
    case CURLE_COULDNT_CONNECT: {
        long number = 0;
        curl.curl_easy_getinfo(connection->easy, CURLINFO_OS_ERRNO, &number);
        // Of Landlock, where the process has confined itself.
        return number == EACCES ? SLUICE_NOT_PERMITTED : SLUICE_TURNED_AWAY;
    }
    case CURLE_HTTP2: case CURLE_HTTP2_STREAM: case CURLE_SSL_CONNECT_ERROR: case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR: case CURLE_RECV_ERROR:
        return answer->status == 0 ? SLUICE_TURNED_AWAY : SLUICE_UNREACHABLE;
    case CURLE_WEIRD_SERVER_REPLY: case CURLE_PARTIAL_FILE: case CURLE_OPERATION_TIMEDOUT: case CURLE_PROXY:
        return SLUICE_UNREACHABLE;
    default: return SLUICE_FAILED;
    }
}

static void perform(struct sluice_connection *connection, struct sluice_answer *answer) {
    struct curl_slist *lines = NULL;
    bool is_set = true;
    for (size_t i = 0; is_set && i < connection->request->line_count; i++) {
        struct curl_slist *longer = curl.curl_slist_append(lines, connection->request->lines[i]);
        is_set = longer != NULL;
        if (is_set) lines = longer;
    }
    CURLcode code = CURLE_OUT_OF_MEMORY;
    connection->is_refused = false;
    connection->is_repeated = false;
    connection->error[0] = 0;
    // What the last request heard, on a connection that has been idle since, says nothing about this one.
    connection->heard = milliseconds();
    connection->sent = 0;
    connection->queued = 0;
    if (is_set) code = set_up(connection, lines);
    if (code == CURLE_OK && curl.curl_multi_add_handle(connection->multi, connection->easy) != CURLM_OK)
        code = CURLE_OUT_OF_MEMORY;
    if (code == CURLE_OK) {
        code = run(connection);
        curl.curl_easy_getinfo(connection->easy, CURLINFO_RESPONSE_CODE, &answer->status);
        curl.curl_multi_remove_handle(connection->multi, connection->easy);
        // An answer has a status.
        if (code == CURLE_OK && answer->status == 0) code = CURLE_WEIRD_SERVER_REPLY;
    }
    curl.curl_slist_free_all(lines);
    answer->outcome = outcome(connection, code, answer);
    answer->is_of_proxy = is_of_proxy(connection, code);
    answer->is_repeated = connection->is_repeated;
    bool is_told = connection->error[0] != 0 && !may_hold_secret(connection->error);
    const char *error = is_told ? connection->error : curl.curl_easy_strerror(code);
    snprintf(answer->error, sizeof answer->error, "%s", error);
}

void sluice_connection_perform(
    struct sluice_connection *connection, const struct sluice_request *request, struct sluice_answer *answer) {
    *answer = (struct sluice_answer){SLUICE_FAILED, 0, false, false, ""};
    connection->request = request;
    // A TLS library writes to connections that the server may have closed.
    sigset_t pipe, before, pending;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigpending(&pending);
    bool was_pending = sigismember(&pending, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    perform(connection, answer);
    if (!was_pending) while (sigtimedwait(&pipe, NULL, &(struct timespec){0, 0}) > 0) {}
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

char *sluice_resolve_url(const char *base, const char *target) {
    char *text = NULL, *scheme = NULL, *copy = NULL;
    CURLU *url = curl.curl_url();
    if (url != NULL && curl.curl_url_set(url, CURLUPART_URL, base, 0) == CURLUE_OK
        && curl.curl_url_set(url, CURLUPART_URL, target, CURLU_URLENCODE) == CURLUE_OK
        && curl.curl_url_get(url, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK
        && (strcmp(scheme, "http") == 0 || strcmp(scheme, "https") == 0)
        && curl.curl_url_get(url, CURLUPART_URL, &text, 0) == CURLUE_OK)
        copy = strdup(text);
    curl.curl_free(text);
    curl.curl_free(scheme);
    curl.curl_url_cleanup(url);
    return copy;
}

int64_t sluice_parse_date(const char *text) { return curl.curl_getdate(text, NULL); }
