/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.h - numbers of JSON documents, and writing a document through an output file. */
#ifndef LOOM_BASE_JSON_H
#define LOOM_BASE_JSON_H

#include <workloom/base.h>

struct json_t; /* Jansson's */

/* Return a number for a JSON document: null where it is not finite, whole where it is whole. NULL
 * when memory is out, as Jansson's own constructors. The caller owns the reference. */
struct json_t *loom_json_number(double number);

/* Write a document, indented, keys in the order they were added, with a final newline. */
int loom_json_write(const struct json_t *document, struct loom_output *out, struct loom_error *err);

#endif
