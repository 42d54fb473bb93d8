/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * models.h - workload models: fit one to a log, save it, load it, and generate as many jobs from it
 * as wanted, at any load, for any machine.
 *
 * There are two kinds. An arrival process says when jobs come and nothing else. A workload model
 * says what they are: runtimes, sizes and, where it can, users and requests; most of them take any
 * arrival process for the times. Both are found by name, and a name stands for one method as its
 * text describes it.
 *
 * A model is its parameters. Some come with parameters of their own, published or illustrative, and
 * can generate at once; all others are fitted to a log first. Saved, a model is a JSON document
 * that a person can read and edit; invalid documents are refused with the key at fault.
 *
 * Time 0 of a generated workload is a moment of the week: for a fitted model the moment of the
 * log's first submission, else Monday 00:00. The header says so (UnixStartTime), so that daily and
 * weekly cycles are found where they belong.
 *
 * The same model, options and seed give the same jobs, whatever the number of threads.
 */
#ifndef WORKLOOM_MODELS_H
#define WORKLOOM_MODELS_H

#include <workloom/users.h>

#ifdef __cplusplus
extern "C" {
#endif

struct loom_model;

/* ---- what there is --------------------------------------------------------------------------- */

/* Properties of real workloads that a model can have, and leave out on request. */
enum loom_trait {
    LOOM_BURSTINESS = 1 << 0,  /* arrivals in bursts between long gaps */
    LOOM_LRD = 1 << 1,         /* long-range dependent arrivals */
    LOOM_BAGS = 1 << 2,        /* bags of tasks */
    LOOM_LOCALITY = 1 << 3,    /* successive jobs are alike */
    LOOM_CORRELATION = 1 << 4, /* of runtime with size */
    LOOM_CYCLE = 1 << 5,       /* daily and weekly */
};
enum { LOOM_TRAITS = 6 };

/* Return the name of a trait by index: "burstiness", "lrd", "bot", "locality", "correlation",
 * "cycle". Static text; NULL past the last. */
LOOM_API const char *loom_trait_name(size_t index);

/* Where the parameters of a model that was not fitted come from. */
enum loom_model_defaults {
    LOOM_DEFAULTS_NONE,         /* there are none: it must be fitted */
    LOOM_DEFAULTS_PUBLISHED,    /* a published table or program */
    LOOM_DEFAULTS_ILLUSTRATIVE, /* the text gives the form, and most numbers are chosen here */
};

/* Return "none", "published" or "illustrative". Static. */
LOOM_API const char *loom_model_defaults_name(enum loom_model_defaults defaults);

struct loom_model_info {
    const char *name;                  /* "lublin2003" */
    const char *summary;               /* one line */
    const char *source;                /* place in the texts */
    bool arrivals_only;                /* it is an arrival process */
    enum loom_model_defaults defaults; /* whether it can generate without being fitted */
    bool can_fit;
    bool requests;   /* requested times are part of the model */
    bool moldable;   /* its jobs have a speedup each, which may be noted */
    bool by_user;    /* it is fitted to the jobs that name a user, and leaves others out */
    unsigned traits; /* of enum loom_trait */
    /* Parameters of fitting, and of taking the published values; NULL if none. */
    const struct loom_param *params;
    /* Settings of these parameters worth comparing with the defaults, "variant=improved", such as
     * what the text leaves open or does not do well; ends with a NULL; NULL if there are none. */
    const char *const *variants;
};

/* Return a model by index, static; NULL past the last. */
LOOM_API const struct loom_model_info *loom_model_at(size_t index);

/* Find a model by name; *out is static. LOOM_EUSAGE, with the nearest name, if there is none. */
LOOM_API int loom_model_find(const struct loom_model_info **out, const char *name,
                             struct loom_error *err);

/* Find a model given with parameters of fitting as text, "NAME" or "NAME:PARAMETER=VALUE,...".
 * *params, which the caller must destroy, has defaults for the others, and is NULL where the model
 * has none. LOOM_EUSAGE or LOOM_ERANGE for a name or value that cannot be. */
LOOM_API int loom_model_parse(const struct loom_model_info **out, struct loom_params **params,
                              const char *text, struct loom_error *err);

/* ---- fit, save, load ------------------------------------------------------------------------- */

/* Fit a model to all jobs of the trace: select before. params were created with the model's params,
 * or NULL for their defaults. pool may be NULL. The caller must destroy *out; it keeps no
 * reference to the trace. LOOM_EUSAGE for an unknown name or one that cannot be fitted, LOOM_EDATA
 * for a log that it cannot be fitted to. */
LOOM_API int loom_model_fit(struct loom_model **out, const char *name,
                            const struct loom_trace *trace, const struct loom_params *params,
                            struct loom_pool *pool, struct loom_error *err);

/* Create a model with its published or illustrative parameters (loom_model_info.defaults). params
 * as for loom_model_fit. The caller must destroy *out. LOOM_EUSAGE if there are none. */
LOOM_API int loom_model_published(struct loom_model **out, const char *name,
                                  const struct loom_params *params, struct loom_error *err);

/* Free model, which may be NULL. */
LOOM_API void loom_model_destroy(struct loom_model *model);

/* Return the description of a model, static. */
LOOM_API const struct loom_model_info *loom_model_info(const struct loom_model *model);

/* Return the variant of a model, "improved"; NULL where there is only one, or its parameters do not
 * say. Borrowed. */
LOOM_API const char *loom_model_variant(const struct loom_model *model);

/* Return what to know about a fit, by index, in one sentence: what the variant does not keep of a
 * log, or a bound that a parameter hit. NULL past the last. Borrowed. */
LOOM_API const char *loom_model_remark(const struct loom_model *model, size_t index);

/* Return the processors of the machine that it was fitted to, or that its parameters were published
 * for. */
LOOM_API int64_t loom_model_procs(const struct loom_model *model);

/* Store the mean times between jobs, of the log that the model was fitted to and of what it makes
 * by itself; NAN where not known. */
LOOM_API void loom_model_interarrival(const struct loom_model *model, double *log_s,
                                      double *model_s);

/* Means of runtimes and of work, the model's over the log's; NAN where not known: only a fit
 * knows, documents do not. */
struct loom_means_kept {
    double run, work;
};

/* Return how closely the fit keeps the log's means. */
LOOM_API struct loom_means_kept loom_model_means_kept(const struct loom_model *model);

/* Shares of jobs in bags of two and more, of the log and of what the model makes; NAN where not
 * known, as above. */
struct loom_bags_kept {
    double log, model;
};

/* Return how closely the fit keeps the log's bags. */
LOOM_API struct loom_bags_kept loom_model_bags_kept(const struct loom_model *model);

/* Return the number of jobs that the model was fitted to, or that a published one generates by
 * default. A model of one kind of jobs, such as batch jobs, counts only jobs of the log that are of
 * the kind; so do the mean time between jobs and the load of the log. */
LOOM_API int64_t loom_model_log_jobs(const struct loom_model *model);

/* Return the offered load of the log that the model was fitted to; NAN where not known. What a
 * model makes by itself may be another: see loom_generate_options. */
LOOM_API double loom_model_log_load(const struct loom_model *model);

/* Set what made the model, such as a command line with its input; the text is copied, and documents
 * keep it ("made_by"). */
LOOM_API int loom_model_set_origin(struct loom_model *model, const char *origin,
                                   struct loom_error *err);

/* Return that text, borrowed; NULL if it was not set. */
LOOM_API const char *loom_model_origin(const struct loom_model *model);

/* Return the hash of the document that the model was loaded from (XXH3, as loom_read_report's); 0
 * if it was not. */
LOOM_API uint64_t loom_model_hash(const struct loom_model *model);

/* Write a model as a JSON document, every number with all its digits: a model reloads exactly. The
 * caller commits out. */
LOOM_API int loom_model_save(const struct loom_model *model, struct loom_output *out,
                             struct loom_error *err);

/* Load a model from a document. settings is NULL, or n texts "key=value" that replace numbers or
 * words of the document before it is used, such as "bags.alpha=2.2"; a key is a path below
 * "parameters". The caller must destroy *out. LOOM_EIO if the file cannot be read, LOOM_EFORMAT
 * with the key at fault if it is no valid model, LOOM_EUSAGE for a setting that cannot be. */
LOOM_API int loom_model_load(struct loom_model **out, const char *path, const char *const *settings,
                             size_t n_settings, struct loom_error *err);

/* Create a copy of a model changed by settings, as loom_model_load does. The caller must destroy
 * *out. */
LOOM_API int loom_model_set(struct loom_model **out, const struct loom_model *model,
                            const char *const *settings, size_t n_settings, struct loom_error *err);

/* ---- requested times ------------------------------------------------------------------------- */

enum loom_request_rule {
    LOOM_REQUESTS_MODEL, /* modal where the model knows the log's, else none */
    LOOM_REQUESTS_NONE,
    LOOM_REQUESTS_EXACT,   /* the runtime itself */
    LOOM_REQUESTS_FACTOR,  /* the runtime times a factor */
    LOOM_REQUESTS_UNIFORM, /* the runtime times a draw from U[1, 1 + factor] */
    LOOM_REQUESTS_MODAL,
    LOOM_REQUESTS_REQUESTED, /* as they are; for traces only */
};

/* Whose requested times: generated jobs have the model's (model, none), a trace its own
 * (requested); all other kinds are for both. */
enum loom_requests_of { LOOM_REQUESTS_OF_MODEL = 1, LOOM_REQUESTS_OF_TRACE = 2 };

/* Parse "model", "none", "requested", "exact", "modal", "f:FACTOR" (from 1) or "uniform:FACTOR"
 * (from 0). *factor is 0 where there is none. LOOM_EUSAGE, with the nearest word or the range of
 * the factor, for anything else. */
LOOM_API int loom_request_rule_parse(enum loom_request_rule *how, double *factor, const char *text,
                                     enum loom_requests_of of, struct loom_error *err);
enum { LOOM_REQUEST_RULE_TEXT = 32 };
/* Write a rule as loom_request_rule_parse reads it, to buf of LOOM_REQUEST_RULE_TEXT bytes or more.
 * Returns buf. */
LOOM_API const char *loom_request_rule_text(char *buf, size_t size, enum loom_request_rule how,
                                            double factor);
/* Return whether a rule draws random numbers for a trace, so that seed and replication matter. */
LOOM_API bool loom_request_rule_random(enum loom_request_rule how);

/* Other requested times for the jobs of a trace, to study how the quality of user estimates affects
 * a scheduler. */
struct loom_request_change {
    enum loom_request_rule how;
    double factor;              /* of f and uniform */
    uint64_t seed, replication; /* of uniform and modal */
    int64_t changed;            /* out: jobs whose requested time is another now */
};

/* Set the requested times of a trace and note so in its header:
 *
 *   requested  nothing is changed or noted
 *   exact      the runtime, at least 1 s
 *   f          the runtime times factor, in whole seconds, at least 1 s
 *   uniform    the same with a factor drawn from U[1, 1 + factor] for each job, in order of
 *              submission
 *   modal      drawn from the model of requested times fitted to the trace itself; LOOM_EDATA if
 *              it has fewer than 50 jobs with requested time, runtime and size
 *
 * A job whose runtime (modal: or size or submit time) is unknown keeps its requested time. All else
 * stays as it is, waits included. pool may be NULL, and results do not depend on it. On failure,
 * but for lack of memory for the note, the trace is unchanged. */
LOOM_API int loom_trace_change_requests(struct loom_trace *trace,
                                        struct loom_request_change *change, struct loom_pool *pool,
                                        struct loom_error *err);

/* ---- generate -----------------------------------------------------------------------------------
 */

/* What to generate. */
struct loom_generate_options {
    uint64_t seed, replication;
    int64_t jobs;     /* how many; 0: by days or, if that is 0 too, as many as the log had */
    double days;      /* for how long; 0: by jobs */
    int64_t procs;    /* of the machine; 0: the log's or the published one */
    double load;      /* offered load to reach by the rate of arrivals; 0: as it comes */
    unsigned without; /* of enum loom_trait: what the model leaves out */
    enum loom_request_rule requests;
    double request_factor; /* at least 1; for uniform ones at least 0 */
    uint64_t notes;        /* of enum loom_generate_note */
};

/* What notes of the header say of each job; flags. */
enum loom_generate_note {
    LOOM_NOTE_SPEEDUP = 1, /* "job 7 parallelism 12.5 sigma 0.8", of moldable jobs */
};

/* Generate a trace, sorted by submission, numbered from 1, with a header that describes the
 * machine. pool may be NULL. The caller must destroy *out. LOOM_ERANGE for an option out of bounds
 * (err->field), LOOM_EUSAGE for one that the model cannot follow, LOOM_EDATA if it cannot reach the
 * load. */
LOOM_API int loom_model_generate(struct loom_trace **out, const struct loom_model *model,
                                 const struct loom_generate_options *options,
                                 struct loom_pool *pool, struct loom_error *err);

/* ---- moldable jobs --------------------------------------------------------------------------- */

/* How much faster a job is on several processors. Its work is what it takes on one. */
enum loom_speedup_kind {
    LOOM_SPEEDUP_DOWNEY, /* from the average parallelism and how much it varies */
    LOOM_SPEEDUP_SEVCIK, /* from imbalance and the costs of being parallel */
};

struct loom_speedup {
    enum loom_speedup_kind kind;
    /* Downey: the average parallelism, at least 1, and its coefficient of variance, at least 0. */
    double parallelism, sigma;
    /* Sevcik: work is prolonged by a factor of at least 1 on more than one processor, then there is
     * a fixed time, and a time for each processor. */
    double imbalance, fixed_s, per_processor_s;
};

/* Return the runtime of that much work on n >= 1 processors. */
LOOM_API double loom_moldable_run_s(const struct loom_speedup *speedup, double work_s, int64_t n);

/* Return how many times shorter that runtime is than on one processor. */
LOOM_API double loom_moldable_speedup(const struct loom_speedup *speedup, double work_s, int64_t n);

/* Other sizes for the jobs of a trace. */
struct loom_resize {
    struct loom_speedup speedup; /* its parallelism is each job's own size */
    bool noted;        /* parallelism and sigma of a job come from its note, if it has one */
    double efficiency; /* speedup over processors, above 0, at most 1 */
    int64_t changed;   /* out: jobs that have another size now */
};

/* Parse "speedup" or "speedup:NAME=VALUE,..." with function (downey or sevcik), efficiency (0.5),
 * sigma (1), jobs (size or notes), imbalance, fixed and per-processor. LOOM_EUSAGE or LOOM_ERANGE
 * for anything else. */
LOOM_API int loom_resize_parse(struct loom_resize *out, const char *text, struct loom_error *err);

/* Run each job of a trace on as many processors of its machine as it can use at that efficiency,
 * with the runtime and, in proportion, requested time that follow, and note so in the header. Jobs
 * of unknown runtime or size stay as they are; waits and CPU times become unknown. LOOM_ERANGE for
 * an efficiency out of range. */
LOOM_API int loom_trace_resize(struct loom_trace *trace, struct loom_resize *how,
                               struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif
