/* SPDX-License-Identifier: GPL-3.0-or-later */
/* applications.h - runs of the same executable, and popularity of items. */
#ifndef LOOM_FEATURES_APPLICATIONS_H
#define LOOM_FEATURES_APPLICATIONS_H

#include "trace/workload.h"

#include <workloom/stats.h>

struct loom_application_runs {
    int32_t number; /* of the executable in the log */
    size_t runs, users, sizes;
    size_t known;      /* runtimes */
    double mean_s, cv; /* of these, cv with n - 1; 0 if there are none */
};

/* The executables of a log, most run first, of equal ones the smaller number. */
struct loom_applications {
    struct loom_application_runs *of;
    size_t n, runs;
    size_t repeats;               /* runs of an executable that ran before */
    size_t same_user, same_procs; /* of these, as in the run before */
};

/* Jobs without an executable are left out; n is 0 if there are none. The caller must
 * free *out with loom_applications_free. */
int loom_applications_create(struct loom_applications *out, const struct loom_workload *jobs,
                             struct loom_error *err);
void loom_applications_free(struct loom_applications *applications);

/* Count how often each item that is not negative occurs, descending: a new array of *different
 * entries that the caller must free(). */
int loom_popularity(double **out, size_t *different, const int32_t *items, size_t n,
                    struct loom_error *err);
/* The line through log10 of rank and count. LOOM_EDATA for fewer than two items. */
int loom_popularity_line(struct loom_line *out, const double *counts, size_t n,
                         struct loom_error *err);

#endif
