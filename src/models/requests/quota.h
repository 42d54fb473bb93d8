/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * requests/quota.h - how often jobs of each class have asked for each place, so that the shares of
 * classes are kept although users keep to their own values.
 *
 * Where a place has share q in its class and the class has had n jobs, q (n + 1) requests are due
 * to it. It may have an excess t beyond that, with t^2 + t = q (n + 1): about the standard
 * deviation of what chance makes of many, and as much again as is due where that is less than one.
 * Each count starts with a random part of a request, so that of places which are due less than one
 * some are asked for at once and some late.
 *
 * A place past its excess must not be asked for, unless no other was found. Then the place with the
 * most left is taken; since n requests of n + 1 due are made, what it lacks is less than one. So no
 * place of a class is asked for by more than t + 1 jobs and one bundle beyond its due.
 */
#ifndef LOOM_MODELS_REQUESTS_QUOTA_H
#define LOOM_MODELS_REQUESTS_QUOTA_H

#include "models/requests/request_model.h"

#include <math.h>

/* One class. */
struct loom_quota {
    double due; /* n + 1 above */
    size_t places;
    struct loom_quota_place {
        double share, asked;
    } of[];
};

/* The classes of all rows of the model, one after the other. */
struct loom_quotas {
    char *rows; /* NULL when memory is out; the caller must free it */
    size_t row_size;
};

struct loom_quotas loom_quotas_create(const struct loom_request_model *model,
                                      struct loom_stream *stream);

static inline struct loom_quota *loom_quotas_row(const struct loom_quotas *quotas, size_t row)
{
    return (struct loom_quota *)(void *)(quotas->rows + row * quotas->row_size);
}

/* Return how often a place may yet be asked for, the excess included; not above 0 if its share is
 * 0. */
static inline double loom_quota_left(const struct loom_quota *quota, size_t place)
{
    double due = quota->of[place].share * quota->due;
    return due + sqrt(due + 0.25) - 0.5 - quota->of[place].asked;
}

/* Is anything left? The excess e is less than t if e < 0 or e^2 + e < t^2 + t. */
static inline bool loom_quota_allows(const struct loom_quota *quota, size_t place)
{
    double due = quota->of[place].share * quota->due, excess = quota->of[place].asked - due;
    return excess * (fabs(excess) + 1) < due;
}

static inline void loom_quota_charge(struct loom_quota *quota, size_t place, double jobs)
{
    quota->of[place].asked += jobs;
    quota->due += jobs;
}

/* Return the place with a share that has the most left; another than `but` if there is any. */
size_t loom_quota_most_left(const struct loom_quota *quota, size_t but);

#endif
