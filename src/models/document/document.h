/* SPDX-License-Identifier: GPL-3.0-or-later */
/* document.h - the text of a model's document and settings in it, for document.c, which knows its
 * keys. */
#ifndef LOOM_MODELS_DOCUMENT_DOCUMENT_H
#define LOOM_MODELS_DOCUMENT_DOCUMENT_H

#include <workloom/base.h>

struct json_t;
struct loom_model;

/* The object that a file holds, plain or packed, with the hash of the file; "-" is stdin. *name,
 * for messages, is copied into a buffer of `size`. */
int loom_document_read(struct json_t **out, uint64_t *hash, const char *path, char *name,
                       size_t size, struct loom_error *err);

/* A number that Jansson cannot hold as it is written, as a real; NULL if text is none. */
struct json_t *loom_large_number(const char *text);

/* Change a document by n settings, KEY=VALUE. */
int loom_document_set(struct json_t *document, const char *const *settings, size_t n,
                      struct loom_error *err);
/* A document that n settings, one at least, have changed is refused with rc: say by which. The code
 * stays, as memory that was out may be the reason too: a copy of a document then lacks keys. */
int loom_document_blame(int rc, const struct json_t *document, const char *const *settings,
                        size_t n, struct loom_error *err);

/* Store a number of a model's document; the key is a path below "parameters", such as
 * "combined.runtimes.p.slope". LOOM_EUSAGE if there is no number. */
int loom_document_number(double *out, const struct loom_model *model, const char *path,
                         struct loom_error *err);

#endif
