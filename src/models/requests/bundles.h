/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * requests/bundles.h - jobs that know what they ask for, by what was asked for in one go, and how
 * many of them ask for each place of a model (request_model.h).
 */
#ifndef LOOM_MODELS_REQUESTS_BUNDLES_H
#define LOOM_MODELS_REQUESTS_BUNDLES_H

#include "models/requests/request_model.h"

/* The jobs that know what is asked for, by columns. */
struct loom_request_log {
    struct loom_requests jobs;
    const int64_t *request_s;
    uint32_t *known; /* places in the log */
    size_t n;
    struct loom_users *users;
};

/* What was asked for in one go, once: a bundle, or a part of one that is not whole. */
struct loom_bundle {
    int32_t procs;
    int64_t longest_s, request_s;
    size_t jobs; /* that it stands for: of a request that is not enough, those that exceed it */
};

struct loom_bundles {
    struct loom_bundle *items; /* room for one of each job that is known */
    size_t n;
    size_t several, whole; /* bundles of several jobs, and bundles of one request */
    size_t pairs, kept;    /* neighbours in the others, but for one change each; those that agree */
};

/* The items are to be freed in any case. */
int loom_bundles_find(struct loom_bundles *out, const struct loom_request_log *log,
                      struct loom_error *err);
/* Set the numbers of jobs by place: rows of places as in the model, one after the other. */
void loom_bundles_count(double *jobs, const struct loom_bundles *bundles,
                        const struct loom_request_model *model);

#endif
