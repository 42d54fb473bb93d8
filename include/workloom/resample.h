/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * resample.h - new workloads from the jobs of a log: its users resampled (Zakay, chapter 3), or its
 * runtimes and sizes rearranged between jobs (thesis chapter 7).
 */
#ifndef WORKLOOM_RESAMPLE_H
#define WORKLOOM_RESAMPLE_H

#include <workloom/users.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- runtimes and sizes rearranged ---------------------------------------------------------- */

/* Experiments on locality and on the correlation of runtime with size permute the runtimes and
 * sizes of a workload between its jobs (thesis chapter 7): marginals stay exactly as they are. */

/* Permute sizes by Control_Correlation (thesis algorithm 3): job i is to have the size of job
 * partner[i], where partner is a permutation of 0 .. n - 1. Sizes are first put in the order of the
 * runtimes, or for a negative degree in the opposite one; then round((1 - |degree|) n) of them,
 * picked at random, are permuted. The correlation becomes about the largest possible one times
 * degree. LOOM_ERANGE for a degree outside [-1, 1]. */
LOOM_API int loom_control_correlation(uint32_t *partner, const double *runtimes,
                                      const double *sizes, size_t n, double degree, uint64_t seed,
                                      struct loom_error *err);

/* Permute sizes in the same way until Spearman's correlation is `target`; *degree is set to the
 * degree that gives it, or to 0 if all sizes were permuted and further pairs exchanged to get
 * closer to 0. With few jobs the target is met approximately. LOOM_ERANGE if no permutation has
 * this correlation, LOOM_EDATA for fewer than two jobs. */
LOOM_API int loom_reach_correlation(uint32_t *partner, double *degree, const double *runtimes,
                                    const double *sizes, size_t n, double target, uint64_t seed,
                                    struct loom_error *err);

enum loom_shuffle {
    LOOM_SHUFFLE_NONE,
    LOOM_SHUFFLE_JOINT,    /* runtimes with their sizes: no locality, correlation as it was */
    LOOM_SHUFFLE_RUNTIME,  /* runtimes only: sizes keep their locality; no correlation */
    LOOM_SHUFFLE_PROCS,    /* sizes only: runtimes keep their locality; no correlation */
    LOOM_SHUFFLE_SEPARATE, /* both, each by itself */
};

/* How to rearrange, and what came of it. */
struct loom_rearrangement {
    enum loom_shuffle shuffle; /* comes first */
    bool correlate;            /* then sizes are moved between jobs */
    bool by_degree;            /* value is Control_Correlation's d; else Spearman's correlation */
    double value;
    uint64_t seed, replication;
    /* Results: the number of jobs with known runtime and size (only these are rearranged), their
     * Spearman correlation before and after (NAN if all are equal), and d (NAN if not used). */
    int64_t jobs;
    double before, after, degree;
};

/* Rearrange the jobs of a trace in place, and fill in the results in *how. With a runtime go its
 * requested time, CPU time and status; with a size, both numbers of processors. Waits of a
 * rearranged workload mean nothing any more, and become unknown. LOOM_EDATA if no job knows
 * runtime and size, LOOM_ERANGE for a value that cannot be reached. */
LOOM_API int loom_trace_rearrange(struct loom_trace *trace, struct loom_rearrangement *how,
                                  struct loom_error *err);

/* ---- resampling ------------------------------------------------------------------------------ */

/* New workloads from the users of a log (Zakay, chapter 3): users are drawn as described in
 * users.h, and each repeats its jobs at the same times of the week. Jobs keep all fields, waits
 * included, but number and user; references to preceding jobs become unknown. */

/* What is moved by a random time, the same for all of its jobs. */
enum loom_shake { LOOM_SHAKE_NONE, LOOM_SHAKE_JOB, LOOM_SHAKE_SESSION, LOOM_SHAKE_USER };

/* A class of users, and how many times as likely as others they are drawn. */
struct loom_favour {
    const char *class_name;
    double weight; /* at least 0 */
};

/* A class of users that can be favoured. */
struct loom_user_class_info {
    const char *name;
    const char *meaning;
};

/* Return a class of users by index, static; NULL past the last. */
LOOM_API const struct loom_user_class_info *loom_user_class_at(size_t index);

/* How users are resampled. */
struct loom_resample_rule {
    struct loom_user_rule pools;
    struct loom_population_rule population; /* without weights: see favours */
    const struct loom_rare *rare;           /* of the first log */
    size_t n_rare;
    const struct loom_favour *favours;
    size_t n_favours;
    bool as_is; /* keep the users of the log, in place of a population: to shake it */
    /* Weeks are of local time. A job moved from one season to another keeps its time of day, and
     * the distance of two jobs with a change of clocks between them changes with it. Otherwise
     * distances stay, and such jobs are off by an hour. */
    bool wall_clock;
    enum loom_shake shake;
    int64_t shake_s; /* moves are from minus this to this */
    /* -1 to 0: this share of each week's jobs exchange their submit times at random. 0 to 1: within
     * windows of so many weeks, jobs exchange them so that jobs of a user, and similar jobs of a
     * user, follow each other. */
    double locality;
    /* Groups and executables of the second, third, ... copy of a user get new numbers, the same for
     * all users of that copy: otherwise a predictor that uses them has seen the first copy of the
     * user. */
    bool fresh_names;
    /* Processors of the new machine; sizes scale with it. 0: the first log's. Also the machine of a
     * log that does not name its size, which is refused otherwise. */
    int64_t procs;
};

/* Return the rule with all defaults: as many users as in the log, for as long, nothing moved. */
LOOM_API struct loom_resample_rule loom_resample_rule(void);

/* A user of the new workload. */
struct loom_person {
    uint32_t log;      /* which log they are from */
    int32_t original;  /* their number there */
    uint8_t kind;      /* an enum loom_user_kind */
    int64_t arrival_s; /* the first job; INT64_MAX if there is none */
    uint32_t jobs;     /* until the end of the workload */
    uint32_t copy;     /* number of this copy of the original, from 1 */
};

struct loom_resampled {
    struct loom_trace *trace; /* users are numbered from 1, and named "ORIGINAL#COPY" */
    size_t persons;
    const struct loom_person *person; /* number n is person[n - 1] */
    int64_t begin_s, until_s;         /* submissions are from begin_s on and before until_s */
};

struct loom_resampler;

/* Prepare to resample the users of n >= 1 logs: each log contributes the same share of its users.
 * Sizes are scaled to one machine; powers of two stay powers of two. The caller must destroy *out.
 * The logs and what rule points to are borrowed until then. LOOM_EUSAGE without logs or for an
 * unknown class, LOOM_ERANGE for a field of the rule out of bounds (err->field), LOOM_EDATA for a
 * log without users. */
LOOM_API int loom_resampler_create(struct loom_resampler **out,
                                   const struct loom_trace *const *logs, size_t n,
                                   const struct loom_resample_rule *rule, struct loom_error *err);

/* Free resampler, which may be NULL. */
LOOM_API void loom_resampler_destroy(struct loom_resampler *resampler);

/* Store how many users of each kind there are, of all logs, and how many jobs belong to no user. */
LOOM_API void loom_resampler_pools(const struct loom_resampler *resampler,
                                   size_t count[LOOM_USER_KINDS], size_t *without_user);

/* Draw one workload, in order of submission; the same seed and replication give the same one. May
 * be called by several threads at once. The caller must destroy *out. LOOM_ERANGE or LOOM_EDATA
 * where no such population can be drawn. */
LOOM_API int loom_resample(struct loom_resampled **out, const struct loom_resampler *resampler,
                           uint64_t seed, uint64_t replication, struct loom_error *err);

enum { LOOM_TENTHS = 10 };

/* Store the work that is submitted in each tenth of the length of a workload, relative to the mean
 * of the tenths: all are 1 if the load is even, and 0 if the jobs do no work. */
LOOM_API void loom_resampled_tenths(double out[LOOM_TENTHS],
                                    const struct loom_resampled *resampled);

/* Free resampled, which may be NULL, and its trace. */
LOOM_API void loom_resampled_destroy(struct loom_resampled *resampled);

#ifdef __cplusplus
}
#endif
#endif
