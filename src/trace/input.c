/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the bytes come from. A plain regular file is read by chunks with pread, each into the
 * buffer of the thread that asked; everything else is in memory by the time the input is open.
 *
 * Chunks are cut under a lock, in order: the thread that asks reads, looks for the last newline and
 * counts lines, which is a small part of what parsing the chunk then costs outside the lock. The
 * bytes after the last newline are read again with the next chunk.
 */
#include "trace/input.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/pages.h"
#include "trace/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MARGIN = LOOM_INPUT_MARGIN };

struct loom_input {
    char *name;
    int fd;                 /* of a plain file still to be read, else -1 */
    struct loom_pages text; /* from MARGIN on, if in memory */
    char *head;             /* first bytes of a plain file, from MARGIN on */
    size_t head_size;
    uint64_t size;  /* of the text, with the newline that load may have added */
    uint64_t bytes; /* of the text, without it */
    uint64_t max_bytes;
    uint64_t hash;
    XXH3_state_t *hashing; /* of a plain file while it is being read */
    pthread_mutex_t lock;  /* guards what follows */
    uint64_t at;           /* where the next chunk starts */
    int64_t line;          /* number of its first line */
    size_t chunks;
    size_t slots; /* records there can be, at most, in the chunks so far */
    size_t shortest_record;
};

/* ---- reading everything ---------------------------------------------------------------------- */

static int too_large(const struct loom_input *input, struct loom_error *err)
{
    int rc = loom_fail_at(err, LOOM_ERANGE, input->name, 0, 0,
                          "holds more than %llu bytes; raise max_bytes if that is right",
                          (unsigned long long)input->max_bytes);
    return loom_blame(rc, "max_bytes", err);
}

/* All of fd into pages from MARGIN on, with a margin behind. */
static int read_all(struct loom_input *input, int fd, size_t expected, struct loom_pages *pages,
                    size_t *size, struct loom_error *err)
{
    size_t done = 0;
    if (loom_pages_grow(pages, expected + 2 * MARGIN + 1))
        return loom_fail_memory(err);
    for (;;) {
        size_t room = pages->size - 2 * MARGIN - done;
        if (room == 0) {
            if (loom_pages_grow(pages, 2 * pages->size))
                return loom_fail_memory(err);
            continue;
        }
        ssize_t got = read(fd, pages->memory + MARGIN + done, room);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return loom_fail_errno(err, errno, "read", input->name);
        if (got == 0)
            break;
        done += (size_t)got;
        if (input->max_bytes && done > input->max_bytes)
            return too_large(input, err);
    }
    *size = done;
    return 0;
}

static int load(struct loom_input *input, int fd, size_t expected, struct loom_error *err)
{
    struct loom_pages stored = {0};
    size_t size = 0;
    int rc = read_all(input, fd, expected, &stored, &size, err);
    if (rc) {
        loom_pages_free(&stored);
        return rc;
    }
    const char *data = stored.memory + MARGIN;
    if (loom_is_packed(data, size)) {
        rc = loom_unpack(&input->text, MARGIN, &size, data, size, input->max_bytes, input->name,
                         err);
        loom_pages_free(&stored);
    } else {
        input->text = stored;
    }
    if (rc)
        return rc;
    input->size = input->bytes = size;
    input->hash = loom_hash(input->text.memory + MARGIN, size);
    /* The text must end in a newline, and stop a NUL-terminated scan. */
    char *end = input->text.memory + MARGIN + size;
    if (size > 0 && end[-1] != '\n') {
        *end++ = '\n';
        input->size++;
    }
    *end = '\0';
    return 0;
}

/* ---- reading by chunks ----------------------------------------------------------------------- */

static int pread_full(struct loom_input *input, char *buffer, size_t size, uint64_t offset,
                      size_t *got, struct loom_error *err)
{
    *got = 0;
    while (*got < size) {
        ssize_t n = pread(input->fd, buffer + *got, size - *got, (off_t)(offset + *got));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return loom_fail_errno(err, errno, "read", input->name);
        if (n == 0)
            break;
        *got += (size_t)n;
    }
    return 0;
}

static int start_chunks(struct loom_input *input, struct loom_error *err)
{
    input->head = malloc(LOOM_CHUNK_BYTES + 2 * MARGIN);
    input->hashing = XXH3_createState();
    if (!input->head || !input->hashing)
        return loom_fail_memory(err);
    XXH3_64bits_reset(input->hashing);
    memset(input->head, '\n', MARGIN);
    int rc = pread_full(input, input->head + MARGIN, LOOM_CHUNK_BYTES, 0, &input->head_size, err);
    if (!rc)
        memset(input->head + MARGIN + input->head_size, 0, MARGIN);
    return rc;
}

/* ---- opening --------------------------------------------------------------------------------- */

static int open_fd(struct loom_input *input, int fd, struct loom_error *err)
{
    struct stat info;
    if (fstat(fd, &info) < 0)
        return loom_fail_errno(err, errno, "read", input->name);
    if (S_ISDIR(info.st_mode))
        return loom_fail_errno(err, EISDIR, "read", input->name);
    bool regular = S_ISREG(info.st_mode) && fd != STDIN_FILENO;
    uint64_t size = regular && info.st_size > 0 ? (uint64_t)info.st_size : 0;
    char magic[LOOM_MAGIC_BYTES];
    ssize_t got = regular ? pread(fd, magic, sizeof magic, 0) : 0;
    bool packed = got > 0 && loom_is_packed(magic, (size_t)got);
    if (!regular || packed)
        return load(input, fd, (size_t)size, err);
    if (input->max_bytes && size > input->max_bytes)
        return too_large(input, err);
    input->size = size;
    input->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (input->fd < 0)
        return loom_fail_errno(err, errno, "read", input->name);
    return start_chunks(input, err);
}

int loom_input_open(struct loom_input **out, const char *path, uint64_t max_bytes,
                    struct loom_error *err)
{
    if (!path || !*path)
        return loom_fail(err, LOOM_EUSAGE, "the name of an input is empty; '-' is stdin");
    struct loom_input *input = calloc(1, sizeof *input);
    if (!input)
        return loom_fail_memory(err);
    pthread_mutex_init(&input->lock, NULL);
    input->fd = -1;
    input->line = 1;
    input->shortest_record = 1;
    input->max_bytes = max_bytes;
    bool standard = strcmp(path, "-") == 0;
    input->name = strdup(standard ? "<stdin>" : path);
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    int rc = 0;
    if (!input->name)
        rc = loom_fail_memory(err);
    else if (fd < 0)
        rc = loom_fail_errno(err, errno, "open", path);
    else
        rc = open_fd(input, fd, err);
    if (fd > STDIN_FILENO)
        close(fd);
    if (rc) {
        loom_input_close(input);
        return rc;
    }
    *out = input;
    return 0;
}

void loom_input_close(struct loom_input *input)
{
    if (!input)
        return;
    if (input->fd >= 0)
        close(input->fd);
    loom_pages_free(&input->text);
    free(input->head);
    XXH3_freeState(input->hashing);
    pthread_mutex_destroy(&input->lock);
    free(input->name);
    free(input);
}

const char *loom_input_name(const struct loom_input *input)
{
    return input->name;
}

bool loom_input_in_memory(const struct loom_input *input)
{
    return input->text.memory != NULL;
}

void loom_input_head(const struct loom_input *input, const char **head, size_t *size)
{
    bool in_memory = loom_input_in_memory(input);
    *head = (in_memory ? input->text.memory : input->head) + MARGIN;
    *size = in_memory ? (size_t)input->size : input->head_size;
    if (*size > LOOM_CHUNK_BYTES)
        *size = LOOM_CHUNK_BYTES;
}

uint64_t loom_input_remaining(const struct loom_input *input)
{
    return input->at < input->size ? input->size - input->at : 0;
}

int loom_input_text(struct loom_input *input, const char **text, size_t *size,
                    struct loom_error *err)
{
    if (!input->text.memory) {
        int fd = input->fd;
        input->fd = -1;
        int rc = load(input, fd, (size_t)input->size, err);
        close(fd);
        XXH3_freeState(input->hashing);
        input->hashing = NULL;
        if (rc)
            return rc;
    }
    *text = input->text.memory + MARGIN;
    *size = (size_t)input->size;
    return 0;
}

/* ---- chunks ---------------------------------------------------------------------------------- */

/* Up to LOOM_CHUNK_BYTES of text from input->at on. What a growing file gets after it was opened
 * is left alone; one that shrinks just ends sooner. */
static int peek(struct loom_input *input, char *buffer, const char **text, size_t *size,
                bool *at_end, struct loom_error *err)
{
    uint64_t left = loom_input_remaining(input);
    *at_end = left <= LOOM_CHUNK_BYTES;
    size_t wanted = *at_end ? (size_t)left : LOOM_CHUNK_BYTES;
    *size = wanted;
    if (input->text.memory) {
        *text = input->text.memory + MARGIN + input->at;
        return 0;
    }
    char *start = buffer + MARGIN;
    int rc = pread_full(input, start, wanted, input->at, size, err);
    if (rc)
        return rc;
    *at_end = *at_end || *size < wanted;
    memset(buffer, '\n', MARGIN);
    memset(start + *size, 0, MARGIN);
    *text = start;
    return 0;
}

/* Cut *size back to whole lines. A last line without newline gets one, in buffer or load. */
static int cut_lines(struct loom_input *input, char *buffer, const char *text, size_t *size,
                     size_t *consumed, bool at_end, struct loom_error *err)
{
    const char *last = memrchr(text, '\n', *size);
    if (last && !(at_end && last + 1 < text + *size)) {
        *size = *consumed = (size_t)(last + 1 - text);
        return 0;
    }
    if (!at_end)
        return loom_fail_at(err, LOOM_EFORMAT, input->name, input->line, 0,
                            "a line of more than %d bytes is not a log's", LOOM_CHUNK_BYTES);
    *consumed = *size;
    buffer[MARGIN + (*size)++] = '\n';
    return 0;
}

/* Count the lines of a chunk, and as many records as it can hold: lines that are no remarks, and no
 * shorter than a record. */
static size_t count_lines(const struct loom_input *input, struct loom_chunk *chunk)
{
    const char *line = chunk->text, *end = line + chunk->size;
    size_t records = 0, by_size = chunk->size / input->shortest_record;
    for (chunk->lines = 0; line < end; chunk->lines++) {
        records += *line != ';';
        line = (const char *)rawmemchr(line, '\n') + 1;
    }
    return records < by_size ? records : by_size;
}

static int next_chunk(struct loom_input *input, struct loom_chunk *chunk, char *buffer,
                      struct loom_error *err)
{
    bool at_end;
    size_t consumed = 0;
    int rc = peek(input, buffer, &chunk->text, &chunk->size, &at_end, err);
    if (rc || chunk->size == 0)
        return rc;
    rc = cut_lines(input, buffer, chunk->text, &chunk->size, &consumed, at_end, err);
    if (rc)
        return rc;
    if (input->hashing)
        XXH3_64bits_update(input->hashing, chunk->text, consumed);
    chunk->index = input->chunks++;
    chunk->first_line = input->line;
    chunk->first_slot = input->slots;
    input->slots += count_lines(input, chunk);
    input->at += consumed;
    input->line += chunk->lines;
    return 1;
}

int loom_input_next(struct loom_input *input, struct loom_chunk *chunk, char *buffer,
                    struct loom_error *err)
{
    pthread_mutex_lock(&input->lock);
    int rc = next_chunk(input, chunk, buffer, err);
    pthread_mutex_unlock(&input->lock);
    return rc;
}

void loom_input_done(struct loom_input *input, const struct loom_chunk *chunk)
{
    if (!input->text.memory)
        return;
    /* Parsing looks a little way back and ahead, so a page at either end stays. */
    size_t from = (size_t)(chunk->text - input->text.memory);
    loom_pages_release(&input->text, from + MARGIN, from + chunk->size - MARGIN);
}

void loom_input_begin(struct loom_input *input, size_t bytes, int64_t lines, size_t shortest_record)
{
    const char *head;
    size_t size;
    loom_input_head(input, &head, &size);
    if (input->hashing)
        XXH3_64bits_update(input->hashing, head, bytes);
    input->at += bytes;
    input->line += lines;
    input->shortest_record = shortest_record;
}

uint64_t loom_input_bytes(const struct loom_input *input)
{
    return input->text.memory ? input->bytes : input->at;
}

uint64_t loom_input_hash(const struct loom_input *input)
{
    return input->hashing ? XXH3_64bits_digest(input->hashing) : input->hash;
}
