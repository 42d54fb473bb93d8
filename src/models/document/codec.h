/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * codec.h - the parameters of a model as a JSON document and back.
 *
 * A model describes its state once, key by key. The same calls write a document and read one, so
 * that what is saved is what is loaded, under the same names:
 *
 *     static void describe(void *state, struct loom_codec *codec)
 *     {
 *         struct poisson *poisson = state;
 *         loom_codec_real(codec, "interarrival_s", &poisson->interarrival_s, 1e-9, 1e12);
 *     }
 *
 * Reading checks kind and range (limits are inclusive) of every value and that no key is left over.
 * The first thing that is wrong is kept with the path of its key ("parameters.sizes.low"), and all
 * later calls do nothing; a model only adds what its keys must be to each other, by
 * loom_codec_refuse. A state that is read starts as zeros, and may be half filled when reading
 * fails: clear() must cope.
 */
#ifndef LOOM_MODELS_DOCUMENT_CODEC_H
#define LOOM_MODELS_DOCUMENT_CODEC_H

#include <workloom/stats.h>

struct loom_codec;

/* What documents have in place of numbers that no real can hold; no key takes it. */
#define LOOM_CODEC_LARGEST 1e308

/* Is a document being read (and the state to be filled)? */
bool loom_codec_reading(const struct loom_codec *codec);
/* Did something go wrong? Values that were not reached are zero. */
bool loom_codec_failed(const struct loom_codec *codec);
/* Refuse the value of key: what it must be, such as "must add up to 1". */
void loom_codec_refuse(struct loom_codec *codec, const char *key, const char *format, ...)
    LOOM_PRINTF(3, 4);

/* A key that another one switches off: it may be there, and is not looked at. */
void loom_codec_skip(struct loom_codec *codec, const char *key);

/* Is there a key that may be missing? When writing, `known` decides. */
bool loom_codec_holds(const struct loom_codec *codec, const char *key, bool known);

void loom_codec_real(struct loom_codec *codec, const char *key, double *value, double min,
                     double max);
void loom_codec_int(struct loom_codec *codec, const char *key, int64_t *value, int64_t min,
                    int64_t max);
void loom_codec_flag(struct loom_codec *codec, const char *key, bool *value);
/* One of a NULL-terminated list of words, kept as its index. */
void loom_codec_word(struct loom_codec *codec, const char *key, int *value,
                     const char *const *words);
/* A distribution, with its parameters checked. name: the only one allowed, or NULL. */
void loom_codec_dist(struct loom_codec *codec, const char *key, struct loom_dist *value,
                     const char *name);

/* Arrays. Reading allocates *values (never NULL on success), and wants *n in [min_n, max_n]; to
 * tie the length of one array to another's, give both limits the same number. */
void loom_codec_reals(struct loom_codec *codec, const char *key, double **values, size_t *n,
                      size_t min_n, size_t max_n, double min, double max);
void loom_codec_int32s(struct loom_codec *codec, const char *key, int32_t **values, size_t *n,
                       size_t min_n, size_t max_n, int32_t min, int32_t max);
void loom_codec_int64s(struct loom_codec *codec, const char *key, int64_t **values, size_t *n,
                       size_t min_n, size_t max_n, int64_t min, int64_t max);

/* Numbers of processors, from 1 to what the machine of the document has. */
void loom_codec_procs(struct loom_codec *codec, const char *key, int64_t *value, int64_t min);
void loom_codec_all_procs(struct loom_codec *codec, const char *key, int32_t **values, size_t *n,
                          size_t min_n, size_t max_n);

/* Calls until the matching close are about the object of that key. */
void loom_codec_open(struct loom_codec *codec, const char *key);
void loom_codec_close(struct loom_codec *codec);

/* A list of *n objects. Reading sets *n, within the limits; the caller then makes room and visits
 * each object i in order by loom_codec_item(i) ... loom_codec_close(), and closes the list. */
void loom_codec_list(struct loom_codec *codec, const char *key, size_t *n, size_t min_n,
                     size_t max_n);
void loom_codec_item(struct loom_codec *codec, size_t index);

struct json_t;

/* Write a state: a new reference, or NULL with err filled. */
typedef void loom_describe_fn(void *state, struct loom_codec *codec);
struct json_t *loom_codec_save(loom_describe_fn *describe, const void *state,
                               struct loom_error *err);
/* Read a state. path is what keys start with in messages, such as "parameters"; procs is the
 * machine that it is about. */
int loom_codec_load(loom_describe_fn *describe, void *state, const struct json_t *document,
                    const char *path, int64_t procs, struct loom_error *err);

#endif
