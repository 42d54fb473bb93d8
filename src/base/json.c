/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON documents, made with Jansson, written through an output file. */
#include <workloom/base.h>

#include <jansson.h>
#include <math.h>

struct json_t *loom_json_number(double number)
{
    if (!isfinite(number))
        return json_null();
    if (number == floor(number) && fabs(number) < 0x1p53)
        return json_integer((json_int_t)number);
    return json_real(number);
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

int loom_json_write(const struct json_t *document, struct loom_output *out, struct loom_error *err)
{
    struct sink sink = {.out = out, .err = err};
    /* 17 digits: every double reads back as itself. */
    if (json_dump_callback(document, write_part, &sink, JSON_INDENT(2) | JSON_REAL_PRECISION(17)))
        return sink.rc ? sink.rc : loom_fail_memory(err);
    return loom_output_write(out, "\n", 1, err);
}
