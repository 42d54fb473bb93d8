/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.h - numbers of JSON documents, and writing a document through an output file. */
#ifndef LOOM_BASE_JSON_H
#define LOOM_BASE_JSON_H

#include <workloom/base.h>

struct json_t; /* Jansson's */

/* Return a number for a JSON document: null where it is not finite, whole where it is whole. NULL
 * when memory is out, as Jansson's own constructors. The caller owns the reference. */
struct json_t *loom_json_number(double number);

/* Make a JSON string of any text: bytes above 127 become '?' where they are not UTF-8. NULL when
 * memory is out. */
struct json_t *loom_json_text(const char *text);

/* Add the members of object `from` to `into` and release `from`. Either may be NULL, which counts
 * as memory being out. Returns 0, or -1 when memory is out. */
int loom_json_merge(struct json_t *into, struct json_t *from);

/* Write a document, indented, keys in the order they were added, with a final newline. */
int loom_json_write(const struct json_t *document, struct loom_output *out, struct loom_error *err);

#endif
