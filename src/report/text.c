/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text that is written by stdio and kept in memory. open_memstream() would do, but when memory runs
 * out, glibc's drops what does not fit and writes on, and neither ferror() nor fclose() knows of
 * it: a page would lack some words, or a figure its data. Here a write that fails is an error of
 * the stream as it is of any file.
 */
#include "report/figure.h"

#include "base/vec.h"

/* What a stream has written; one byte more than size is there for a NUL. */
struct loom_text {
    char *bytes;
    size_t size, room;
};

static ssize_t append(void *cookie, const char *bytes, size_t n)
{
    struct loom_text *text = cookie;
    while (n >= text->room - text->size)
        if (loom_grow(&text->bytes, text->room, &text->room))
            return 0; /* fewer than n: an error of the stream */
    memcpy(text->bytes + text->size, bytes, n);
    text->size += n;
    text->bytes[text->size] = '\0';
    return (ssize_t)n;
}

FILE *loom_text_open(struct loom_text **out)
{
    static const cookie_io_functions_t functions = {.write = append};
    struct loom_text *text = calloc(1, sizeof *text);
    if (!text)
        return NULL;
    append(text, "", 0); /* none at all is a text too */
    FILE *stream = text->bytes ? fopencookie(text, "w", functions) : NULL;
    *out = text;
    if (!stream) {
        free(text->bytes);
        free(text);
    }
    return stream;
}

char *loom_text_close(FILE *out, struct loom_text *text, size_t *size)
{
    bool failed = ferror(out);
    failed = fclose(out) != 0 || failed;
    char *bytes = failed ? NULL : text->bytes;
    if (failed)
        free(text->bytes);
    *size = text->size;
    free(text);
    return bytes;
}
