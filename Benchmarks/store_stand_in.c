#define _GNU_SOURCE
// An object store that takes everything and keeps nothing, for scripts/bench --remote: what it does costs little
// beside the copies of the kernel. It looks at no signature.
//
//     store_stand_in PORT
#include <arpa/inet.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

static const char *answer(const char *request) {
    if (strncmp(request, "HEAD", 4) == 0) return "HTTP/1.1 404 X\r\n\r\n";
    if (strncmp(request, "DELETE", 6) == 0) return "HTTP/1.1 204 X\r\n\r\n";
    if (strncmp(request, "PUT", 3) == 0) return "HTTP/1.1 200 X\r\nETag: \"1\"\r\nContent-Length: 0\r\n\r\n";
    if (strstr(request, "uploads=") != NULL)
        return "HTTP/1.1 200 X\r\nx-amz-checksum-algorithm: CRC32C\r\nContent-Length: 34\r\n\r\n"
               "<R><UploadId>number</UploadId></R>";
    return "HTTP/1.1 200 X\r\nContent-Length: 63\r\n\r\n"
           "<CompleteMultipartUploadResult></CompleteMultipartUploadResult>";
}

// Reads the header of a request, and then its content.
static void *serve(void *argument) {
    int connection = (int)(intptr_t)argument;
    static __thread char room[1 << 20];
    size_t have = 0;
    for (;;) {
        char *end;
        room[have] = 0;
        while ((end = strstr(room, "\r\n\r\n")) == NULL) {
            ssize_t count = read(connection, room + have, sizeof room - 1 - have);
            if (count <= 0) goto close;
            have += (size_t)count;
            room[have] = 0;
        }
        size_t header = (size_t)(end + 4 - room);
        char *line = strcasestr(room, "\r\ncontent-length:");
        uint64_t left = line != NULL && line < end ? strtoull(line + 17, NULL, 10) : 0;
        char first[256];
        snprintf(first, sizeof first, "%.*s", (int)strcspn(room, "\r"), room);
        uint64_t taken = have - header < left ? have - header : left;
        left -= taken;
        while (left > 0) {
            ssize_t count = read(connection, room, left < sizeof room ? left : sizeof room);
            if (count <= 0) goto close;
            left -= (uint64_t)count;
            have = header = 0, taken = 0;
        }
        have -= header + taken;
        memmove(room, room + header + taken, have);
        const char *text = answer(first);
        if (write(connection, text, strlen(text)) < 0) break;
    }
close:
    close(connection);
    return NULL;
}

int main(int count, char **words) {
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int listening = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    if (count != 2) return 1;
    signal(SIGPIPE, SIG_IGN);
    place.sin_port = htons((uint16_t)atoi(words[1]));
    setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listening, (struct sockaddr *)&place, sizeof place) != 0 || listen(listening, 64) != 0) return 1;
    for (;;) {
        int connection = accept(listening, NULL, NULL);
        pthread_t thread;
        if (connection >= 0 && pthread_create(&thread, NULL, serve, (void *)(intptr_t)connection) == 0)
            pthread_detach(thread);
    }
}
