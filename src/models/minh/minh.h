/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * minh.h - shared parts of the models of Minh and Wolters. A kind is a cluster of runtimes, from a
 * mixture of normals; a label is a class of sizes of equal popularity; a table counts the jobs of
 * each pair, and so correlates sizes with runtimes (2010 paper section VI, Minh 2012, 5.1).
 * minh2009 groups jobs of a kind in runs, minh2010 and minh2012 in bags of tasks.
 */
#ifndef LOOM_MODELS_MINH_MINH_H
#define LOOM_MODELS_MINH_MINH_H

#include "base/draw.h"
#include "models/model.h"
#include "stats/gamma_sampler.h"

#include <workloom/users.h>

#include <gsl/gsl_randist.h>

/* ---- shapes: runtimes and sizes ------------------------------------------------------------- */

enum { LOOM_MINH_KINDS = 20 }; /* maximum number of clusters */

/* Jobs outside of bags, inside of bags, and all jobs. */
enum loom_minh_place { LOOM_MINH_SINGLE, LOOM_MINH_IN_BAG, LOOM_MINH_ANYWHERE, LOOM_MINH_PLACES };

/* A cluster of runtimes: normal in ln(runtime + 1). */
struct loom_minh_kind {
    double weight;   /* p_k */
    double mean, sd; /* mu_k and the root of Sigma_k */
    double single; /* a_k, the share of its jobs that are not in bags (Minh 2012, 5.1.2); else 1 */
};

/* Split shapes divide the jobs of a kind by runtime into bands of about equal numbers of jobs. */
enum { LOOM_MINH_BANDS = 4, LOOM_MINH_EDGES = LOOM_MINH_BANDS - 1 };

/* The multiset X of algorithm 2: the sizes of all jobs of one kind and one parallelism label. */
struct loom_minh_cell {
    int64_t kind;  /* L, from 1 */
    int64_t band;  /* from 1; always 1 unless the shapes are split */
    int64_t label; /* C, from 1 */
    size_t n;
    int32_t *procs; /* different sizes, ascending */
    int64_t *jobs;  /* how many jobs have each; NULL if the shapes are split */
    /* If they are: the number of single jobs with each, and of jobs in bags; real after
     * balancing. */
    double *by_place[2];
};

struct loom_minh_shapes {
    bool bags;  /* jobs in bags are known */
    bool split; /* sizes depend on it too, and on bands; set before fitting or reading */
    size_t n_kinds, n_cells;
    struct loom_minh_kind *kinds;
    int64_t
        *edges_s; /* LOOM_MINH_EDGES for each kind, ascending: longer runs are of a later band */
    struct loom_minh_cell *cells; /* by kind, band and label, none of them empty */
};

/* The band of a runtime, from 0. */
static inline size_t loom_minh_band(const struct loom_minh_shapes *shapes, size_t kind,
                                    int64_t run_s)
{
    size_t band = 0;
    for (size_t i = 0; shapes->edges_s && i < LOOM_MINH_EDGES; i++)
        band += run_s > shapes->edges_s[kind * LOOM_MINH_EDGES + i];
    return band;
}

/* Return the label of a size with this many jobs (2010 paper VI-B). */
int64_t loom_minh_label(int64_t jobs);

/* Cluster n runtimes into kinds. */
int loom_minh_cluster(struct loom_clusters *out, const int64_t *run_s, size_t n,
                      struct loom_pool *pool, struct loom_error *err);
/* Cluster, label and count. `in_bag` flags the jobs in bags, or is NULL. *kind_of is set to the
 * labels L_i (from 0) of all jobs, which the caller must free. */
int loom_minh_shapes_fit(struct loom_minh_shapes *out, uint32_t **kind_of,
                         const struct loom_shapes *jobs, const uint8_t *in_bag,
                         struct loom_pool *pool, struct loom_error *err);
/* Count the table of a log whose kinds are known. */
int loom_minh_cells_count(struct loom_minh_shapes *shapes, const struct loom_shapes *jobs,
                          const uint32_t *kind_of, const uint8_t *in_bag, struct loom_error *err);
void loom_minh_shapes_describe(struct loom_minh_shapes *shapes, struct loom_codec *codec);
void loom_minh_shapes_free(struct loom_minh_shapes *shapes);

/* ---- sampler of shapes ----------------------------------------------------------------------- */

/* The result of one draw: algorithm 2 draws one of the jobs of a kind, so a size with its
 * frequency. */
struct loom_minh_shape {
    uint32_t kind; /* from 0 */
    int32_t procs; /* on the target machine */
};

/* Shapes by their weights. 32 bits draw one, so that one number of a stream draws two. */
struct loom_minh_shape_table {
    gsl_ran_discrete_t *alias; /* NULL if there is none */
    struct loom_minh_shape *shapes;
};

struct loom_minh_sampler {
    const struct loom_minh_shapes *shapes;
    bool tied; /* sizes depend on the kind of runtime */
    struct loom_minh_shape_table any[LOOM_MINH_PLACES];
    struct loom_minh_shape_table of_kind[LOOM_MINH_PLACES][LOOM_MINH_KINDS];
    struct loom_minh_shape_table of_band[LOOM_MINH_PLACES][LOOM_MINH_KINDS]
                                        [LOOM_MINH_BANDS]; /* if split */
    double log_height[LOOM_MINH_KINDS]; /* of the density of a kind, weighted, at its mean */
    struct loom_minh_normal {
        double mean, sd;
    } drawn[LOOM_MINH_KINDS]; /* the distribution of runtimes of a kind: see loom_minh_cut() */
    int64_t longest_s;        /* longer ones are drawn again; INT64_MAX if there is no cut */
    struct loom_ziggurat ziggurat;
    struct loom_stream stream;
};

/* Return the weight of a kind at a place; loom_minh_weight is p_k at every place. */
typedef double loom_minh_weight_fn(const struct loom_minh_kind *kind, enum loom_minh_place place);
loom_minh_weight_fn loom_minh_weight;
loom_minh_weight_fn loom_minh2012_weight;

/* Initialize a sampler. The shapes must outlive it. */
int loom_minh_sampler_init(struct loom_minh_sampler *sampler, const struct loom_minh_shapes *shapes,
                           loom_minh_weight_fn *weight, const struct loom_generation *generation,
                           const char *purpose, struct loom_error *err);
void loom_minh_sampler_free(struct loom_minh_sampler *sampler);

/* Draw a kind by weight, and a size of that kind. */
struct loom_minh_shape loom_minh_draw_shape(struct loom_minh_sampler *sampler,
                                            enum loom_minh_place place);

/* Number of bags drawn at once, step by step. */
enum { LOOM_MINH_BATCH = 64 };
struct loom_minh_bag {
    size_t end;    /* the job after it */
    size_t person; /* index of its user and group */
    enum loom_minh_place place;
    struct loom_minh_shape shape;
    uint32_t bits;        /* random bits left over from drawing the shape */
    double alike, centre; /* of its runtimes: see loom_minh_draw_first() */
    int64_t run_s;        /* of its first job, then of the current one */
    int32_t executable, queue;
};

/* Draw the shape and bits of up to LOOM_MINH_BATCH bags of known place. */
void loom_minh_draw_shapes(struct loom_minh_bag *bags, size_t n, struct loom_minh_sampler *sampler);
int32_t loom_minh_draw_procs(struct loom_minh_sampler *sampler, size_t kind,
                             enum loom_minh_place place);
/* Return the most likely kind of a runtime, given ln(runtime + 1): its label. */
size_t loom_minh_kind_of(const struct loom_minh_sampler *sampler, double log_run);
/* Replace the sizes of bags by sizes of log jobs of the same kind and band, using the bits of the
 * bags. For split shapes only. */
void loom_minh_size_by_run(struct loom_minh_bag *bags, size_t n,
                           const struct loom_minh_sampler *sampler);
/* Draw a standard normal number. */
double loom_minh_draw_normal(struct loom_minh_sampler *sampler);
/* Return the runtime z deviations from the mean of a kind. */
int64_t loom_minh_run(const struct loom_minh_sampler *sampler, size_t kind, double z);

/* Limit all further runtimes; kinds keep their means and deviations. */
void loom_minh_cut(struct loom_minh_sampler *sampler, int64_t longest_s);
/* Draw runtimes of a bag with intraclass correlation `alike`: the first and the common centre, then
 * one more. Each has the distribution of the kind, with or without a cut. */
int64_t loom_minh_draw_first(struct loom_minh_sampler *sampler, size_t kind, double alike,
                             double *centre);
/* Draw first runtimes and centres of up to LOOM_MINH_BATCH bags. Random numbers are used in another
 * order than by single draws. */
void loom_minh_draw_firsts(struct loom_minh_bag *bags, size_t n, struct loom_minh_sampler *sampler);
int64_t loom_minh_draw_next(struct loom_minh_sampler *sampler, size_t kind, double alike,
                            double centre);

/* ---- bags: algorithm 1 ----------------------------------------------------------------------- */

/* Largest bag size in the table. */
enum { LOOM_MINH_TABLED = 255 };
/* Draw a larger size; `beyond` is the probability of one. */
double loom_minh_draw_beyond(const struct loom_dist *zipf, double beyond,
                             struct loom_stream *stream);

/* Pairs of user and group with their numbers of bags, single jobs included. */
struct loom_minh_people {
    size_t n;
    int32_t *user, *group;
    int64_t *bags;
};

/* Pack user and group into one number, the sort key of people. */
static inline int64_t loom_minh_pair(int32_t user, int32_t group)
{
    return (int64_t)user << 32 | (uint32_t)(group < 0 ? -1 : group);
}

static inline int64_t loom_minh_person(const struct loom_workload *jobs, size_t job)
{
    return loom_minh_pair(jobs->user[job], jobs->group[job]);
}

/* The number of bags by person, kind and queue; empty if the log has no queues. */
struct loom_minh_queues {
    size_t n;
    int32_t *person; /* index of the person, ascending */
    int32_t *kind;   /* L, from 1, ascending for each of them */
    int32_t *queue;  /* -1: unknown */
    int64_t *bags;
};

/* Parameters of the improved variant only (docs/methods/models-minh.md). */
struct loom_minh_refined {
    /* Probability of a bag of one job, by time to the next arrival, up to Delta: class 0 for 0 s,
     * class c for 2^(c - 1) to 2^c - 1 s. */
    size_t n_single;
    double *single;
    /* By kind: intraclass correlation, from 0 to 1, of the logarithms of runtimes in a bag, before
     * labelling. */
    double *alike;
    int64_t longest_s; /* runtime of the log */
    /* Times within an interval of the arrival process. Class c is for intervals of 2^c to
     * 2^(c + 1) - 1 jobs, and holds LOOM_MINH_QUANTILES evenly spaced quantiles of the times
     * between them. */
    int64_t scale_s; /* 0 if the arrival process has no intervals */
    size_t n_gaps;
    double *gaps_s; /* by class, from 1 */
};

enum { LOOM_MINH_QUANTILES = 33 };
enum loom_minh_bag_fit { LOOM_MINH_COUNTED, LOOM_MINH_SETTLED };
extern const char *const loom_minh_bag_fits[];

/* Range of the exponent of bag sizes; at the upper end nearly all bags have one job. */
static const double LOOM_MINH_FLATTEST_BAGS = 1.001, LOOM_MINH_STEEPEST_BAGS = 61;

/* The state of minh2010 and minh2012. */
struct loom_minh {
    int variant;
    bool apart; /* runtimes depend on being in a bag; set by the model before fitting */
    struct loom_part arrivals;
    struct loom_minh_shapes shapes;
    int64_t delta_s;            /* the longest time between two jobs of a bag */
    double alpha;               /* exponent of the Zipf distribution of the sizes of bags */
    struct loom_bags_kept kept; /* set by a fit with bags=settled; not in documents */
    struct loom_minh_refined refined;
    struct loom_minh_people people;
    struct loom_minh_queues queues;
};

/* The parameters that both models declare. */
#define LOOM_MINH_PARAMS                                                                      \
    LOOM_ARRIVALS_PARAM("mmwm", "the arrival process"),                                       \
        LOOM_SCALE_PARAM("length T of the intervals of the arrival process, if it has such"), \
        {.name = "delta",                                                                     \
         .type = LOOM_PARAM_INT,                                                              \
         .min = 0,                                                                            \
         .max = 1e9,                                                                          \
         .value = "100",                                                                      \
         .metavar = "SECONDS",                                                                \
         .help = "the longest time between two jobs of a bag"},                               \
    {                                                                                         \
        .name = "bags", .type = LOOM_PARAM_CHOICE, .choices = loom_minh_bag_fits,             \
        .value = "counted",                                                                   \
        .help = "bags as counted in the log, or such that as many are found in jobs "         \
                "made of them"                                                                \
    }

int loom_minh_fit(struct loom_minh *minh, const struct loom_training *log, const char *model,
                  struct loom_error *err);
void loom_minh_describe(void *state, struct loom_codec *codec);
int loom_minh_generate(const struct loom_minh *minh, loom_minh_weight_fn *weight,
                       struct loom_generation *generation, struct loom_error *err);
unsigned loom_minh_traits(const void *state);
const struct loom_part *loom_minh_arrivals(const void *state);
struct loom_bags_kept loom_minh_bags_kept(const void *state);
void loom_minh_clear(void *state);

/* The bags of a log and their jobs. */
struct loom_minh_log {
    const struct loom_training *training;
    const struct loom_shapes *jobs;
    const struct loom_bags *bags;
    const uint8_t *in_bag;   /* by job of `jobs` */
    const uint32_t *kind_of; /* also: from 0 */
};

int loom_minh_queues_fit(struct loom_minh_queues *out, const struct loom_minh_people *people,
                         const struct loom_minh_log *log, struct loom_error *err);
void loom_minh_queues_describe(struct loom_minh_queues *queues, size_t people, size_t kinds,
                               struct loom_codec *codec);
void loom_minh_queues_free(struct loom_minh_queues *queues);

/* Draws queues by their frequency for a person and a kind. */
struct loom_minh_queue_table {
    gsl_ran_discrete_t *alias; /* NULL if there is no row */
    size_t first;              /* row of loom_minh_queues */
};

struct loom_minh_queue_sampler {
    const struct loom_minh_queues *queues;
    size_t people, kinds;
    /* kinds + 1 for each person, the last for all kinds; NULL without queues */
    struct loom_minh_queue_table *tables;
    struct loom_halves halves;
};

int loom_minh_queue_sampler_create(struct loom_minh_queue_sampler *out,
                                   const struct loom_minh *minh,
                                   const struct loom_generation *generation,
                                   struct loom_error *err);
void loom_minh_queue_sampler_free(struct loom_minh_queue_sampler *sampler);
/* Draw a queue; kinds count from 0. Call it only if there are queues. */
int32_t loom_minh_draw_queue(struct loom_minh_queue_sampler *sampler, size_t person, size_t kind);

int loom_minh_refine(struct loom_minh *minh, const struct loom_minh_log *log,
                     struct loom_error *err);
/* Fit a_k of overlapping kinds; `in_bag` as for loom_minh_shapes_fit(). */
int loom_minh_fit_places(struct loom_minh_shapes *shapes, const struct loom_shapes *jobs,
                         const uint8_t *in_bag, struct loom_error *err);
/* The same, and p_k, if a share `cut` of the jobs outside of bags has runtimes of bags, and a share
 * `drawn` of all jobs has runtimes of single jobs. */
int loom_minh_fit_cut_places(struct loom_minh_shapes *shapes, const struct loom_shapes *jobs,
                             const uint8_t *in_bag, double drawn, double cut,
                             struct loom_error *err);
/* Fit alpha and a_k so that the bags found in a generated workload match the log; needs the other
 * parameters.
 * */
int loom_minh_settle(struct loom_minh *minh, const struct loom_minh_log *log,
                     struct loom_error *err);
/* Fit refined.alike; needs refined.longest_s. */
int loom_minh_fit_alike(struct loom_minh *minh, const struct loom_minh_log *log,
                        struct loom_error *err);
/* Balance the table of sizes; needs all other parameters. */
int loom_minh_balance(struct loom_minh *minh, const struct loom_minh_log *log,
                      struct loom_error *err);
void loom_minh_refined_describe(struct loom_minh *minh, struct loom_codec *codec);
void loom_minh_refined_free(struct loom_minh_refined *refined);
/* Return the probability `single` for a job whose successor arrives at most Delta later. */
double loom_minh_single(const struct loom_minh_refined *refined, int64_t gap_s);
/* Place the jobs of each interval within it; times are in order before and after. */
int loom_minh_retime(const struct loom_minh_refined *refined, struct loom_generation *generation,
                     struct loom_error *err);

#endif
