/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * model.h - the interface of a model: one .c file that ends in a const struct loom_model_ops, and
 * one line in the list in models.c. template.c is the one to copy.
 *
 * A model has a state, a plain struct of state_size bytes that starts as zeros: its parameters.
 * They are fitted to a log (fit), published by the text (publish) or read from a document
 * (describe, see codec.h); generate() draws jobs from them. Files, loads, requested times, the
 * header and the order of jobs are handled outside of models (models.c, document.c, generate.c).
 *
 * An arrival process is a model that fills in the times of submission and nothing else. Workload
 * models contain one (struct loom_part) and generate its times first.
 */
#ifndef LOOM_MODELS_MODEL_H
#define LOOM_MODELS_MODEL_H

#include "models/document/codec.h"
#include "trace/workload.h"

#include <workloom/models.h>

/* ---- fitting --------------------------------------------------------------------------------- */

/* The log to fit. At least two jobs in order of submission, with known submit times, not all equal.
 * Everything else may be unknown; a model that needs it fails with a message. */
struct loom_training {
    const struct loom_workload *jobs;
    int64_t week_phase_s; /* of the first submission: local seconds since Monday 00:00 */
    int32_t procs;        /* of the machine; the largest job if the header has none */
    const struct loom_params *params; /* created with the model's params; NULL if it has none */
    struct loom_pool *pool;           /* may be NULL */
};

/* Runtimes and sizes of the jobs with both known (runtime >= 0, processors > 0). LOOM_EDATA if
 * there are fewer than `least`; the message names the model. */
struct loom_shapes {
    size_t n;
    int64_t *run_s;
    int32_t *procs;
    uint32_t *job; /* place in loom_training.jobs */
};
int loom_shapes_create(struct loom_shapes *out, const struct loom_training *log, const char *model,
                       size_t least, struct loom_error *err);
/* Return what such a log lacks, for the end of the message. */
const char *loom_shapes_lacking(const struct loom_workload *jobs);
void loom_shapes_free(struct loom_shapes *shapes);

/* ---- generating ---------------------------------------------------------------------------------
 */

/* The jobs generated so far, by columns. Times start at 0, in any order: jobs are sorted by
 * (submit, index) after the model is done. Columns that a model does not fill stay unknown. */
struct loom_draft {
    size_t n, capacity;
    int64_t *submit_s;
    int64_t *run_s;     /* -1: unknown */
    int32_t *procs;     /* -1: unknown */
    int64_t *request_s; /* NULL until added by loom_draft_detail */
    int32_t *user;      /* these too */
    int32_t *group;
    int32_t *executable;
    int32_t *queue;
    int64_t *parallelism_millionths, *sigma_millionths; /* of moldable jobs */
    bool reruns; /* jobs of one executable are runs that follow each other */
};

/* A request to a model. */
struct loom_generation {
    uint64_t seed, replication;
    size_t jobs;          /* stop after this many; SIZE_MAX if only the horizon counts */
    int64_t horizon_s;    /* times of submission stay below; INT64_MAX if only the number counts */
    int32_t procs;        /* of the machine: no job may be larger */
    int32_t log_procs;    /* of the machine the model was fitted to or published for */
    double rate;          /* jobs arrive this many times as often as the model says, cycles kept */
    unsigned without;     /* of enum loom_trait; only traits that the model has */
    uint64_t notes;       /* of enum loom_generate_note */
    int64_t week_phase_s; /* of time 0: local seconds since Monday 00:00 */
    struct loom_pool *pool; /* may be NULL */
    struct loom_draft draft;
};

/* Resize to n jobs and set draft.n; new jobs have time 0 and all else unknown. */
int loom_draft_resize(struct loom_draft *draft, size_t n, struct loom_error *err);
/* Grow the draft by a factor, up to the requested number of jobs: for processes that do not know
 * the number in advance. They resize it at the end. */
int loom_generation_more(struct loom_generation *generation, struct loom_error *err);
/* Add columns to the draft, filled with -1. */
enum loom_detail {
    LOOM_DETAIL_REQUEST = 1,
    LOOM_DETAIL_USER = 2,
    LOOM_DETAIL_GROUP = 4,
    LOOM_DETAIL_EXECUTABLE = 8,
    LOOM_DETAIL_QUEUE = 16,
    LOOM_DETAIL_SPEEDUP = 32,
};
int loom_draft_detail(struct loom_draft *draft, unsigned details, struct loom_error *err);
bool loom_draft_in_order(const struct loom_draft *draft);
/* Sort the jobs, at most UINT32_MAX, by (submit, index). */
int loom_draft_sort(struct loom_draft *draft, struct loom_error *err);
/* Shuffle all columns but the times of submission: no locality (Minh 2012, 7.3.2). */
void loom_draft_shuffle(struct loom_generation *generation, const char *purpose);
/* Shuffle the sizes alone: no correlation with runtimes. */
void loom_draft_shuffle_sizes(struct loom_generation *generation, const char *purpose);
void loom_draft_free(struct loom_draft *draft);

/* Initialize the stream of one purpose of this generation: use one purpose for each independent
 * quantity, such as "lublin2003 sizes". */
void loom_generation_stream(struct loom_stream *out, const struct loom_generation *generation,
                            const char *purpose);

/* Scale a size from the model's machine to the requested one: the same share, at least 1; serial
 * jobs stay serial, and powers of two stay powers of two. */
int32_t loom_generation_size(const struct loom_generation *generation, int32_t procs);

/* Round a runtime to whole seconds, at least `least`, at most 2^53. */
int64_t loom_whole_seconds(double seconds, int64_t least);

/* ---- the model ------------------------------------------------------------------------------- */

struct loom_part;

/* Facts about the jobs of the log that a model is fitted to. */
struct loom_log_facts {
    int64_t jobs;          /* 0: nothing is known */
    double interarrival_s; /* mean */
    double load;           /* offered; 0 if it is not known */
};

struct loom_model_ops {
    struct loom_model_info info;
    size_t state_size;
    /* Take the parameters by default, published or illustrative (info.defaults); NULL if there are
     * none. params as in loom_training. */
    int (*publish)(void *state, const struct loom_params *params, struct loom_error *err);
    /* Parameters that only a fit looks at, and those that only publish() does: given to the other,
     * they are refused. NULL-terminated, or NULL if there are none. */
    const char *const *fit_only, *const *publish_only;
    /* Number of jobs and machine of the published parameters: the defaults of generation. */
    int64_t published_jobs;
    int32_t published_procs;
    /* Fit to a log; NULL if there is no method. */
    int (*fit)(void *state, const struct loom_training *log, struct loom_error *err);
    loom_describe_fn *describe;
    /* Fill generate->draft. An arrival process fills submit_s only. */
    int (*generate)(const void *state, struct loom_generation *generation, struct loom_error *err);
    /* By trait, in the order of their names: why the model cannot leave it out, as the end of a
     * message. NULL if it does not have it, or can leave it out. */
    const char *bound[LOOM_TRAITS];
    /* Return the traits that this state can leave out; NULL: always info.traits. */
    unsigned (*traits)(const void *state);
    /* Set the speed of operational time in each half hour of the week, from Monday 00:00:
     * proportional to the arrival rate. LOOM_WEEK_SLOTS values (week.h). NULL: no cycle, the cycle
     * of the arrivals below, or one that only the jobs show. */
    void (*week)(const void *state, double *speed);
    /* Return the arrival process within the state, with the cycle and the rate; NULL if none. */
    const struct loom_part *(*arrivals)(const void *state);
    /* Return the mean interarrival time, NAN if unknown; NULL: as of the arrivals. */
    double (*interarrival_s)(const void *state);
    /* Return facts about the part of the log that this state models; no jobs, or NULL: the whole
     * log. */
    struct loom_log_facts (*log_facts)(const void *state);
    /* Return a remark on the fitted variant, one sentence; NULL if there is none. */
    const char *(*remark)(const void *state);
    /* Return the variant of this state, a value of the parameter `variant`; NULL if there is only
     * one. */
    const char *(*variant)(const void *state);
    /* Return the ratios of fitted to log means for a fit that keeps them; 0 or NAN if unknown; NULL
     * if no fit does. */
    struct loom_means_kept (*means_kept)(const void *state);
    /* The same of the log's bags; none in the log where not known. */
    struct loom_bags_kept (*bags_kept)(const void *state);
    void (*clear)(void *state); /* free what the state owns; NULL if nothing */
};

extern const struct loom_model_ops *const loom_models[]; /* NULL-terminated */

/* Refuse a parameter without effect. */
enum loom_occasion { LOOM_WHILE_FITTING, LOOM_WHILE_PUBLISHING };
int loom_refuse_given(const struct loom_model_ops *ops, const struct loom_params *params,
                      enum loom_occasion occasion, struct loom_error *err);

/* ---- parts ----------------------------------------------------------------------------------- */

/* A model within a model: the arrival process of a workload model. */
struct loom_part {
    const struct loom_model_ops *ops;
    void *state;
};

/* The "arrivals" parameter of a workload model; the process can have parameters of its own.
 * */
#define LOOM_ARRIVALS_PARAM(process, sentence)                                        \
    {                                                                                 \
        .name = "arrivals", .type = LOOM_PARAM_CHOICE, .choices = loom_arrival_names, \
        .value = process, .nested = true,                                             \
        .help = sentence "; parameters of its own are given as arrivals.NAME=VALUE"   \
    }

/* The "variant" parameter of several models: the printed method, or an improved one. */
enum loom_variant { LOOM_PRINTED, LOOM_IMPROVED };
extern const char *const loom_variants[];
#define LOOM_VARIANT_PARAM(which, sentence)                                                     \
    {                                                                                           \
        .name = "variant", .type = LOOM_PARAM_CHOICE, .choices = loom_variants, .value = which, \
        .help = sentence                                                                        \
    }

/* The "scale" parameter of arrivals by intervals, and of models that contain them. */
#define LOOM_SCALE_PARAM(sentence)                                                        \
    {                                                                                     \
        .name = "scale", .type = LOOM_PARAM_INT, .min = 60, .max = 86400, .value = "900", \
        .metavar = "SECONDS", .help = sentence                                            \
    }

/* Fit an arrival process by name. Its parameters have their defaults, unless the whole model
 * declares one under the same name; a value given as "arrivals.NAME=VALUE" takes precedence. */
int loom_part_fit(struct loom_part *out, const char *name, const struct loom_training *log,
                  struct loom_error *err);
/* The same with a value of the whole's choice for a parameter, if the process has it. */
int loom_part_fit_with(struct loom_part *out, const char *name, const struct loom_training *log,
                       const char *param, const char *value, struct loom_error *err);
/* Create the arrival process with its published parameters. */
int loom_part_publish(struct loom_part *out, const char *name, const struct loom_params *whole,
                      struct loom_error *err);
/* The same with a value of the whole's choice for a parameter, if the process has it. */
int loom_part_publish_with(struct loom_part *out, const char *name, const struct loom_params *whole,
                           const char *param, const char *value, struct loom_error *err);
/* Check the parameters given for the arrival process of a whole model. */
int loom_part_check(const struct loom_params *whole, struct loom_error *err);
/* Whether an arrival process has a parameter. */
bool loom_part_has_param(const char *name, const char *param);
/* Generate the times of submission; resizes the draft. */
int loom_part_generate(const struct loom_part *part, struct loom_generation *generation,
                       struct loom_error *err);
/* Replace the times of the jobs in the draft, keeping their order, by newly generated ones. */
int loom_part_retime(const struct loom_part *part, struct loom_generation *generation,
                     struct loom_error *err);
unsigned loom_part_traits(const struct loom_part *part);
void loom_part_clear(struct loom_part *part);
void loom_codec_part(struct loom_codec *codec, const char *key, struct loom_part *value);

/* The names of all arrival processes, for a model's "arrivals" parameter. */
extern const char *const loom_arrival_names[];

#endif
