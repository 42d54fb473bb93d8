/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON documents, made with Jansson, written through an output file: one key a line, and lists of
 * plain values filled into lines as a person would.
 */
#include "base/json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INDENT = 2, WIDTH = 100, DEEPEST = 64, SCALAR_SIZE = 64 };

struct json_t *loom_json_number(double number)
{
    if (!isfinite(number))
        return json_null();
    if (number == floor(number) && fabs(number) < 0x1p53)
        return json_integer((json_int_t)number);
    return json_real(number);
}

struct json_t *loom_json_text(const char *text)
{
    json_t *string = json_string(text);
    if (string)
        return string;
    char *ascii = strdup(text);
    for (char *at = ascii; at && *at; at++)
        if ((unsigned char)*at >= 128)
            *at = '?';
    string = ascii ? json_string(ascii) : NULL;
    free(ascii);
    return string;
}

int loom_json_merge(struct json_t *into, struct json_t *from)
{
    int rc = from && !json_object_update(into, from) ? 0 : -1;
    json_decref(from);
    return rc;
}

struct sink {
    struct loom_output *out;
    struct loom_error *err;
    int rc;
};

static int write_part(const char *text, size_t size, void *data)
{
    struct sink *sink = data;
    sink->rc = loom_output_write(sink->out, text, size, sink->err);
    return sink->rc ? -1 : 0;
}

static int json_write_text(struct sink *sink, const char *text, size_t size)
{
    return write_part(text, size, sink) ? sink->rc : 0;
}

static int start_line(struct sink *sink, size_t depth)
{
    sink->rc = loom_output_printf(sink->out, sink->err, "\n%*s", (int)(depth * INDENT), "");
    return sink->rc;
}

/* A value that is no container. 17 digits: every double reads back as itself. */
static int write_scalar(struct sink *sink, const json_t *value)
{
    if (json_dump_callback(value, write_part, sink, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17)))
        return sink->rc ? sink->rc : loom_fail_memory(sink->err);
    return 0;
}

static bool is_container(const json_t *value)
{
    return json_is_object(value) || json_is_array(value);
}

/* A list whose items are all numbers, true, false or null. */
static bool is_plain(const json_t *array)
{
    for (size_t i = 0; i < json_array_size(array); i++)
        if (is_container(json_array_get(array, i)) || json_is_string(json_array_get(array, i)))
            return false;
    return true;
}

static int write_plain_items(struct sink *sink, const json_t *array, size_t depth)
{
    size_t column = WIDTH, n = json_array_size(array);
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        char text[SCALAR_SIZE];
        size_t length = json_dumpb(json_array_get(array, i), text, sizeof text,
                                   JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
        if (length == 0 || length > sizeof text)
            return loom_fail_memory(sink->err);
        if (column + length + 2 > WIDTH) {
            rc = start_line(sink, depth);
            column = depth * INDENT;
        } else {
            rc = json_write_text(sink, " ", 1);
            column++;
        }
        if (!rc)
            rc = json_write_text(sink, text, length);
        if (!rc && i + 1 < n)
            rc = json_write_text(sink, ",", 1);
        column += length + 1;
    }
    return rc;
}

static int write_value(struct sink *sink, const json_t *value, size_t depth);

static int write_items(struct sink *sink, const json_t *array, size_t depth)
{
    if (is_plain(array))
        return write_plain_items(sink, array, depth);
    int rc = 0;
    for (size_t i = 0; i < json_array_size(array) && !rc; i++) {
        rc = i > 0 ? json_write_text(sink, ",", 1) : 0;
        if (!rc)
            rc = start_line(sink, depth);
        if (!rc)
            rc = write_value(sink, json_array_get(array, i), depth);
    }
    return rc;
}

/* A key is text like any other, and is escaped by writing it as a value. */
static int write_key(struct sink *sink, const char *key)
{
    json_t *name = json_string(key);
    int rc = name ? write_scalar(sink, name) : loom_fail_memory(sink->err);
    json_decref(name);
    return rc ? rc : json_write_text(sink, ": ", 2);
}

static int write_members(struct sink *sink, const json_t *object, size_t depth)
{
    const char *key;
    json_t *value;
    bool first = true;
    int rc = 0;
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        rc = first ? 0 : json_write_text(sink, ",", 1);
        if (!rc)
            rc = start_line(sink, depth);
        if (!rc)
            rc = write_key(sink, key);
        if (!rc)
            rc = write_value(sink, value, depth);
        if (rc)
            break;
        first = false;
    }
    return rc;
}

static int write_value(struct sink *sink, const json_t *value, size_t depth)
{
    if (!is_container(value))
        return write_scalar(sink, value);
    bool object = json_is_object(value);
    bool empty = object ? json_object_size(value) == 0 : json_array_size(value) == 0;
    if (empty)
        return json_write_text(sink, object ? "{}" : "[]", 2);
    if (depth + 1 >= DEEPEST)
        return loom_fail(sink->err, LOOM_ERANGE, "a JSON document is nested too deeply");
    int rc = json_write_text(sink, object ? "{" : "[", 1);
    if (!rc)
        rc = object ? write_members(sink, value, depth + 1) : write_items(sink, value, depth + 1);
    if (!rc)
        rc = start_line(sink, depth);
    return rc ? rc : json_write_text(sink, object ? "}" : "]", 1);
}

int loom_json_write(const struct json_t *document, struct loom_output *out, struct loom_error *err)
{
    struct sink sink = {.out = out, .err = err};
    int rc = write_value(&sink, document, 0);
    return rc ? rc : loom_output_write(out, "\n", 1, err);
}
