/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The JSON of a model's document, from a file or stdin, plain or packed by gzip as logs may be.
 *
 * JSON has numbers of any length, and Jansson refuses those that its own types cannot hold, with
 * their line and nothing else. Here they become reals before they are parsed, and those beyond all
 * reals LOOM_CODEC_LARGEST: the key that has one refuses it with its range, or takes it where
 * it wants a real.
 */
#include "models/document/document.h"

#include "models/document/codec.h"
#include "trace/input.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- large numbers --------------------------------------------------------------------------- */

json_t *loom_large_number(const char *text)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end || isnan(number))
        return NULL;
    return json_real(fmax(fmin(number, LOOM_CODEC_LARGEST), -LOOM_CODEC_LARGEST));
}

static bool exceeds_integers(const char *digits)
{
    errno = 0;
    (void)strtoll(digits, NULL, 10);
    return errno == ERANGE;
}

/* Copy a number of `length` characters; at most two more are written. */
static char *copy_number(char *to, const char *from, size_t length)
{
    bool whole = strspn(from, "-0123456789") >= length;
    if (!(fabs(strtod(from, NULL)) < LOOM_CODEC_LARGEST))
        return to + sprintf(to, "%s%g", *from == '-' ? "-" : "", LOOM_CODEC_LARGEST);
    to = mempcpy(to, from, length);
    return whole && exceeds_integers(from) ? stpcpy(to, ".0") : to;
}

static size_t string_length(const char *text)
{
    size_t length = 1;
    while (text[length] && text[length] != '"')
        length += text[length] == '\\' && text[length + 1] ? 2 : 1;
    return length + (text[length] == '"');
}

/* The text with all its numbers such that Jansson can hold them; NULL when memory is out. A whole
 * number grows by two characters only where it has nineteen or more. */
static char *with_numbers_held(const char *text, size_t size)
{
    char *copy = malloc(size + size / 8 + 8), *to = copy;
    if (!copy)
        return NULL;
    for (const char *from = text; *from;) {
        bool number = strchr("-0123456789", *from) != NULL;
        size_t length = *from == '"' ? string_length(from)
                        : number     ? strspn(from, "+-.0123456789eE")
                                     : 1;
        to = number ? copy_number(to, from, length) : mempcpy(to, from, length);
        from += length;
    }
    *to = '\0';
    return copy;
}

/* ---- the document ---------------------------------------------------------------------------- */

/* A file that does not begin as JSON does is no damaged model: say what it is more likely to be. */
static int check_start(const char *text, size_t size, const char *name, struct loom_error *err)
{
    static const char advice[] = "fit a model to it first, by 'workloom fit MODEL TRACE -o "
                                 "MODEL.json'";
    if (size == 0)
        return loom_fail_at(err, LOOM_EFORMAT, name, 0, 0, "the file is empty, and no model");
    if (*text && strchr("{[ \t\r\n", *text))
        return 0;
    if (*text == ';' || strstr(name, ".swf"))
        return loom_fail_at(err, LOOM_EFORMAT, name, 0, 0, "this is a log, not a model: %s",
                            advice);
    return loom_fail_at(err, LOOM_EFORMAT, name, 0, 0,
                        "this is not JSON, which models are; if it is a log, %s", advice);
}

static json_t *load(const char *text, size_t size, json_error_t *where)
{
    json_t *document = json_loadb(text, size, JSON_REJECT_DUPLICATES, where);
    if (document || json_error_code(where) != json_error_numeric_overflow)
        return document;
    char *held = with_numbers_held(text, size);
    if (held)
        document = json_loads(held, JSON_REJECT_DUPLICATES, where);
    free(held);
    return document;
}

static int document_parse(json_t **out, const char *text, size_t size, const char *name,
                          struct loom_error *err)
{
    json_error_t where;
    *out = load(text, size, &where);
    if (!*out && json_error_code(&where) == json_error_out_of_memory)
        return loom_fail_memory(err);
    if (!*out)
        return loom_fail_at(err, LOOM_EFORMAT, name, where.line, where.column,
                            "this is not JSON: %s", where.text);
    return json_is_object(*out)
               ? 0
               : loom_fail_at(err, LOOM_EFORMAT, name, 0, 0, "this is JSON, but not a model");
}

int loom_document_read(json_t **out, uint64_t *hash, const char *path, char *name, size_t size,
                       struct loom_error *err)
{
    static const uint64_t most_bytes = INT32_MAX; /* Jansson counts places in an int */
    struct loom_input *input = NULL;
    const char *text = NULL;
    size_t length = 0;
    *out = NULL;
    int rc = loom_input_open(&input, path, most_bytes, err);
    if (!rc)
        rc = loom_input_text(input, &text, &length, err);
    if (rc == LOOM_ERANGE)
        rc = loom_fail_at(err, LOOM_EFORMAT, path, 0, 0,
                          "holds more than %llu bytes, which no model does",
                          (unsigned long long)most_bytes);
    if (!rc) {
        *hash = loom_input_hash(input);
        snprintf(name, size, "%s", loom_input_name(input));
        rc = check_start(text, length, name, err);
    }
    if (!rc)
        rc = document_parse(out, text, length, name, err);
    loom_input_close(input);
    return rc;
}
