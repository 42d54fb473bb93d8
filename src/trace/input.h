/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * input.h - where the bytes of a log come from: a file or stdin, plain or gzip.
 *
 * An input is asked either for its whole text, or for chunks of whole lines from several threads at
 * once. A plain file is read chunk by chunk and never held as a whole; packed and piped text is
 * unpacked into memory, and given back to the system as its chunks are used up.
 *
 * Every text handed out can be read from 64 bytes before its start to 64 bytes past its end.
 */
#ifndef LOOM_TRACE_INPUT_H
#define LOOM_TRACE_INPUT_H

#include <workloom/base.h>

enum { LOOM_INPUT_MARGIN = 64, LOOM_CHUNK_BYTES = 128 * 1024 };

struct loom_input;

/* A run of whole lines. The last one may lack its newline in the file; one is put there. */
struct loom_chunk {
    size_t index;       /* 0, 1, 2, ... in order of the text */
    int64_t first_line; /* number of its first line, from 1 */
    int64_t lines;
    size_t first_slot; /* as many records as there can be, at most, in the chunks before this one */
    const char *text;
    size_t size;
};

int loom_input_open(struct loom_input **out, const char *path, uint64_t max_bytes,
                    struct loom_error *err);
void loom_input_close(struct loom_input *input);

const char *loom_input_name(const struct loom_input *input);
/* Is all of the text in memory, unpacked or from a pipe? */
bool loom_input_in_memory(const struct loom_input *input);
/* The first bytes of the text, for probing formats and reading a header. */
void loom_input_head(const struct loom_input *input, const char **head, size_t *size);
/* The bytes of text still to come: what the file held when it was opened. */
uint64_t loom_input_remaining(const struct loom_input *input);

/* Before the first chunk: take the first `bytes` of the head, which must be `lines` whole lines, as
 * read, and say how many bytes a record's line has at least. Lines that start with ';' are taken to
 * be no records. */
void loom_input_begin(struct loom_input *input, size_t bytes, int64_t lines,
                      size_t shortest_record);

/* All of the text, NUL-terminated, borrowed until the input is closed. */
int loom_input_text(struct loom_input *input, const char **text, size_t *size,
                    struct loom_error *err);

/* The next chunk: 1 if there is one, 0 at the end, or a negative code. Thread-safe. buffer is the
 * caller's, LOOM_CHUNK_BYTES + 2 * LOOM_INPUT_MARGIN long; the chunk may point into it. Call
 * loom_input_done when a chunk's text is not needed any more. */
int loom_input_next(struct loom_input *input, struct loom_chunk *chunk, char *buffer,
                    struct loom_error *err);
void loom_input_done(struct loom_input *input, const struct loom_chunk *chunk);

/* After the last chunk or loom_input_text: bytes of text read, and the hash of the stored bytes.
 */
uint64_t loom_input_bytes(const struct loom_input *input);
uint64_t loom_input_hash(const struct loom_input *input);

#endif
