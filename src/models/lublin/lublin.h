/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lublin.h - the parts of the Lublin-Feitelson model: sizes (section 4), runtimes (sections 5 and
 * 6) and arrivals (section 7, gamma_daily.h).
 */
#ifndef LOOM_MODELS_LUBLIN_LUBLIN_H
#define LOOM_MODELS_LUBLIN_LUBLIN_H

#include "models/arrivals/gamma_daily.h"

/* Jobs to fit to: in parallel, n runtimes in s and sizes, all known. */
struct loom_lublin_jobs {
    const int64_t *run_s;
    const int32_t *procs;
    size_t n;
};

/* Whether a fit ends with the paper's estimates, or with sizes, runtimes and work that have the
 * log's means, and so the log's load. */
enum loom_lublin_means { LOOM_MEANS_FREE, LOOM_MEANS_LOG };
extern const char *const loom_lublin_mean_names[]; /* NULL-terminated */

struct loom_lublin_fitting {
    int estimators; /* enum loom_lublin_estimators */
    int means;      /* enum loom_lublin_means */
    int32_t procs;  /* of the machine */
};

/* ---- sizes ----------------------------------------------------------------------------------- */

/* A job is serial or not; the logarithm (base 2) of a parallel one is two-stage uniform, and is
 * rounded first for those that are powers of two by choice. */
struct loom_lublin_sizes {
    double serial;       /* share of all jobs */
    double power_of_two; /* share of the parallel jobs */
    double low, medium, high, probability;
};

int loom_lublin_sizes_fit(struct loom_lublin_sizes *out, const struct loom_lublin_jobs *jobs,
                          const struct loom_lublin_fitting *options, struct loom_error *err);
void loom_lublin_sizes_describe(struct loom_lublin_sizes *sizes, struct loom_codec *codec);

/* The sizes for a machine of `procs` processors, where the parameters are for one with
 * `log_procs`: medium and high move with the logarithm of the machine's size, as in Table 1. */
struct loom_lublin_sizer {
    struct loom_lublin_sizes sizes;
    int most_exponent; /* of a power of two that the machine has */
};
void loom_lublin_sizer_open(struct loom_lublin_sizer *out, const struct loom_lublin_sizes *sizes,
                            int32_t procs, int32_t log_procs);
/* The size at the place u, 0 <= u < 1: of a random u, a random size. */
int32_t loom_lublin_size(const struct loom_lublin_sizer *sizer, double u);

/* ---- runtimes ------------------------------------------------------------------------------- */

enum loom_lublin_of { LOOM_LUBLIN_RUNTIME, LOOM_LUBLIN_WORK };
extern const char *const loom_lublin_of_names[]; /* NULL-terminated */

/* The logarithm of the runtime is gamma(shape[0], scale[0]) with probability p = slope * size +
 * intercept (kept within 0 and 1), else gamma(shape[1], scale[1]). Or it is so for the total work,
 * size times runtime, of section 5.3. */
struct loom_lublin_runtimes {
    int of; /* enum loom_lublin_of */
    double shape[2], scale[2];
    double slope, intercept;
    double limit; /* greater logarithms, of runtimes or of work, are drawn again */
};

int loom_lublin_runtimes_fit(struct loom_lublin_runtimes *out, const struct loom_lublin_jobs *jobs,
                             int of, int estimators, struct loom_error *err);
/* Choose p so that runtimes and work of sizes of the sizer have the means of the jobs, as near as
 * can be; of total work, the mean of work. `kept` is set to how near it came. */
int loom_lublin_runtimes_keep_means(struct loom_lublin_runtimes *runtimes,
                                    struct loom_means_kept *kept,
                                    const struct loom_lublin_sizer *sizer,
                                    const struct loom_lublin_jobs *jobs, struct loom_error *err);
void loom_lublin_runtimes_describe(struct loom_lublin_runtimes *runtimes, struct loom_codec *codec);

/* Runtimes for the sizes of a sizer; without correlation, p is its mean over them. */
struct loom_lublin_runner {
    struct loom_lublin_runtimes runtimes;
    struct loom_gamma_sampler gammas[2];
    struct loom_ziggurat ziggurat;
};
int loom_lublin_runner_open(struct loom_lublin_runner *out,
                            const struct loom_lublin_runtimes *runtimes,
                            const struct loom_lublin_sizer *sizer, bool correlation,
                            struct loom_error *err);
int64_t loom_lublin_run_s(const struct loom_lublin_runner *runner, struct loom_stream *stream,
                          int32_t procs);

#endif
